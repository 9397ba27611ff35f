#pragma once
// What a run of `jute gemm` wrote, as arrays for files.
#include <jute/plan/ask/problem.hpp>

#include <cstddef>
#include <vector>

#include "files/npy.hpp"

namespace jute::command {

/// D as an array: (M,N), or (batch,M,N) when `batched`. A single column-major matrix stays one in
/// Fortran order; gaps between rows are left out.
///   needs  a completed problem, here and below
[[nodiscard]] NpyArray array_of_d(const Problem& problem, const std::vector<std::byte>& d,
                                  bool batched);
/// The same of an output of the epilogue, by its place; of bits the bytes that hold them, (M) or
/// (N) of what has a value for each row or column, one number of what is gathered of all.
[[nodiscard]] NpyArray array_of_output(const Problem& problem, std::size_t place,
                                       const std::vector<std::byte>& bytes, bool batched);

}  // namespace jute::command
