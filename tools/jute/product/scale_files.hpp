#pragma once
// Operands of 4 bits, and the numbers of operands' blocks, as files hold them.
#include <jute/host/operands.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <cstddef>
#include <optional>
#include <vector>

#include "files/file_matrix.hpp"
#include "options/said_flags.hpp"

namespace jute::command {

/// Has a byte two elements of the type?
[[nodiscard]] bool is_of_halves(std::optional<DType> type);
/// A file of 4-bit elements has a byte for two along K, or, where it has as many bytes along K as
/// the other operand has elements, for two along M or N: from bytes to elements. Where the other
/// operand has one less along K, the last half is left over.
void count_halves(FileMatrix& matrix, TensorRole tensor, std::optional<DType> type,
                  Index k_of_other);
/// Where such elements lie.
void put_halves(Matrix& operand, const FileMatrix& matrix, TensorRole tensor, Index batch);

/// The scales of files; the problem's extents and types are known.
///   throws  illegal_problem: a file is of another shape, or its blocks may be two; what read_npy
///           throws
void read_scales(TensorBytes& memory, Problem& problem, const SaidFlags& said,
                 const StoredOperands& stored);

}  // namespace jute::command
