#pragma once
// The numbers of one run, in the problem's terms.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/signature.hpp>
#include <jute/plan/ask/view.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace JUTE_API jute {

/// A tensor of a problem. Inputs and outputs of the epilogue follow, by their places, and what
/// groups are cut by.
enum class TensorRole : std::uint8_t {
  a,
  b,
  c,
  d,
  first_input,
  first_output = first_input + kMostEpilogueInputs,
  ends = first_output + kMostEpilogueOutputs,  ///< of groups: a list of integers
  // Numbers of the operands' blocks:
  scale_a,
  scale_b,
  zero_a,
  zero_b,
  // Tables of rows:
  rows_a,
  rows_d
};
inline constexpr int kTensorRoles = static_cast<int>(TensorRole::rows_d) + 1;
[[nodiscard]] constexpr TensorRole input_role(int place) {
  return static_cast<TensorRole>(static_cast<int>(TensorRole::first_input) + place);
}
[[nodiscard]] constexpr TensorRole output_role(int place) {
  return static_cast<TensorRole>(static_cast<int>(TensorRole::first_output) + place);
}
/// a, b, c, d, in0, out1, ends, scale_a, zero_b
[[nodiscard]] std::string_view name(TensorRole role);

/// Where one tensor lies in a run. Strides count elements.
struct TensorValues {
  DevicePointer base = 0;
  Index ld = 0;
  Index batch_stride = 0;
  bool operator==(const TensorValues&) const = default;
};

/// Where a run finds the copy of A or of B that its plan makes of it.
struct CopyPlace {
  DevicePointer base = 0;  ///< 0: in the workspace
  bool is_made = false;    ///< before this run: nothing is copied
  bool operator==(const CopyPlace&) const = default;
};

/// Extents, strides and origin of a View of elements whose numbers a run says: rows' modes, then
/// those of columns and of the batch.
struct RunView {
  std::array<Index, kMostRunTimeModes> extents{}, strides{};
  Index origin = 0;
  bool operator==(const RunView&) const = default;
};
/// Most tensors of a problem that have Views: A, B, C and D.
inline constexpr int kViewedTensors = 4;

/// Everything that may differ between two runs of a plan.
struct RunValues {
  Index m = 0, n = 0, k = 0, batch = 1;
  std::array<TensorValues, kTensorRoles> tensors{};  ///< by TensorRole
  std::array<double, kMostEpilogueInputs>
      input_values{};  ///< of scalars that are passed as numbers
  double alpha = 1.0, beta = 0.0;
  DevicePointer workspace = 0;
  std::array<CopyPlace, 2> copies{};  ///< of A and B
  std::array<RunView, kViewedTensors> views{};
  Index width = 0, stages = 0;  ///< of tiles whose columns the launch gives; 0: the widest
  Index split_k = 1;            ///< of K, where the launch gives these too

  [[nodiscard]] TensorValues& operator[](TensorRole role) {
    return tensors[static_cast<size_t>(role)];
  }
  [[nodiscard]] const TensorValues& operator[](TensorRole role) const {
    return tensors[static_cast<size_t>(role)];
  }
  bool operator==(const RunValues&) const = default;
};

/// A number of a run that has a name: `m`, `lda`, `batch_stride_b`, `ld_in0`; `copied_a` is 1, or 0
/// where the copy is made already; `width`, `stages` and `split_k` are those of a launch's tiles;
/// `extent_a_0`, `stride_a_0` and `origin_a` are those of a View's modes, and `magic_a_0` is the
/// 64-bit number whose product with a 32-bit coordinate has its quotient by the extent in its upper
/// half (0: the extent is 1).
struct RunValue {
  enum class Quantity : std::uint8_t {
    m,
    n,
    k,
    batch,
    ld,
    batch_stride,
    copied,
    width,
    stages,
    split_k,
    view_extent,
    view_magic,
    view_stride,
    view_origin
  };
  Quantity quantity = Quantity::m;
  TensorRole tensor = TensorRole::a;  ///< of what is a tensor's; a for the others
  int mode = 0;                       ///< of what is a View's
  bool operator==(const RunValue&) const = default;
};

[[nodiscard]] constexpr RunValue ld_of(TensorRole tensor) {
  return {RunValue::Quantity::ld, tensor};
}
[[nodiscard]] constexpr RunValue batch_stride_of(TensorRole tensor) {
  return {RunValue::Quantity::batch_stride, tensor};
}

[[nodiscard]] constexpr RunValue copied_of(TensorRole tensor) {
  return {RunValue::Quantity::copied, tensor};
}

/// How many modes a View has whose numbers a run says, and what they are in RunValues.
///   throws  as modes_of
[[nodiscard]] int run_time_modes(const View& view);
[[nodiscard]] RunView run_view(const View& view);

[[nodiscard]] std::string_view name(RunValue value);
/// throws  unknown_name: offers the nearest
[[nodiscard]] RunValue parse_run_value(std::string_view name);
[[nodiscard]] Index value_of(const RunValues& run, RunValue value);

}  // namespace jute
