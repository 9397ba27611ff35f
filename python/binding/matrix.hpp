#pragma once
// Axes of arrays as the rows, columns and batch of a product's matrices.
#include <jute/jute.hpp>

#include <span>
#include <vector>

#include "array.hpp"

namespace jute::python {

struct Mode {
  Index extent = 1;
  Index stride = 0;
};

/// The leading axes of an array, the fastest first; those that lie as one are one.
struct BatchModes {
  int count = 0;
  std::array<Mode, kMostAxes> at;
  [[nodiscard]] Index extent() const;
};

/// Which axes of an array are which index: the first `batch` ones, and one of the others each.
struct Axes {
  int batch = 0;
  std::optional<int> rows{}, cols{};
};

/// A (M,K), B (K,N) or D (M,N), times a batch.
struct MatrixView {
  BatchModes batch;
  Mode rows, cols;
};

[[nodiscard]] MatrixView view_of(const Array& array, const Axes& axes);

/// As a View has an operand's coordinates: A, C and D as their rows and columns, B as (N,K).
enum class Coordinates : std::uint8_t { rows_first, columns_first };

/// How the planner describes an operand, with the promise that its address keeps: by order and
/// strides, or by a View.
///   throws  unsupported: a stride is negative
[[nodiscard]] Matrix operand(const MatrixView& view, const Array& array, const char* name,
                             Coordinates coordinates = Coordinates::rows_first);
/// By a View of elements whose extents and strides each run says: of any such array, wherever it
/// begins.
///   throws  unsupported: a stride is negative
[[nodiscard]] Matrix run_time_operand(const MatrixView& view, const Array& array, const char* name,
                                      Coordinates coordinates = Coordinates::rows_first);
/// The same for rows that a table names: one column lies both ways, as rows of one element.
void lie_by_rows(Matrix& matrix, const MatrixView& view);
/// The same for groups, and for arrays of an epilogue: by order and strides alone.
///   throws  unsupported: they do not say it
[[nodiscard]] Matrix plain_operand(const MatrixView& view, const Array& array, const char* name);

/// The largest power of two up to `most` that divides an address.
[[nodiscard]] int alignment_of(std::uint64_t address, int most = 16);
/// The alignment that a problem may promise of an array.
[[nodiscard]] int promised_alignment(const Array& array);

/// unsupported: a stride is negative; names the strides that would do.
void refuse_negative_strides(const Array& array, const char* name);
/// not_compatible: the shape is none that the rule allows; `nearest` is one.
[[noreturn]] void refuse_shape(const char* name, const Extents& given, const std::string& rule,
                               const Extents& nearest);

/// Bytes from the first element to the last one's end.
[[nodiscard]] Index span_bytes(const Array& array);

}  // namespace jute::python
