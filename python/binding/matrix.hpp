#pragma once
// Axes of arrays as the rows, columns and batch of a product's matrices.
#include <jute/jute.hpp>

#include <span>
#include <vector>

#include "array.hpp"

namespace jute::python {

/// One index of a matrix: several axes that lie as one.
struct Mode {
  Index extent = 1;
  Index stride = 0;
};

/// Which axes of an array are which index, from the outermost to the innermost.
struct Axes {
  std::vector<int> batch, rows, cols;
};

/// A (M,K), B (K,N) or D (M,N), times a batch.
struct MatrixView {
  Mode batch, rows, cols;
};

/// `name` is what refusals call the operand.
///   throws  unsupported: axes of one index do not lie as one, or no index is contiguous
[[nodiscard]] MatrixView view_of(const Array& array, const Axes& axes, const char* name);

/// How the planner describes it. `alignment_bytes` is a promise about its address.
///   throws  unsupported: neither rows nor columns are contiguous, or a stride is no step forward
[[nodiscard]] Matrix matrix_of(const MatrixView& view, DType type, int alignment_bytes,
                               const char* name);

/// The largest power of two up to `most` that divides an address.
[[nodiscard]] int alignment_of(std::uint64_t address, int most = 16);

/// How the planner describes an operand: `matrix_of` with the promise that its address keeps.
[[nodiscard]] Matrix operand(const MatrixView& view, const Array& array, const char* name);

using Extents = std::vector<Index>;
[[nodiscard]] Extents extents_of(const Array& array);
/// not_compatible: the shape is none that the rule allows; `nearest` is one.
[[noreturn]] void refuse_shape(const char* name, const Extents& given, const std::string& rule,
                               const Extents& nearest);

/// Bytes from the first element to the last one's end.
[[nodiscard]] Index span_bytes(const Array& array);

}  // namespace jute::python
