#pragma once
// The values of one run, and a row for each of its tensors.
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <array>
#include <optional>

namespace JUTE_API jute {

/// Elements between two rows or columns, and between two matrices, in one run.
struct ArgStrides {
  std::optional<Index> ld{}, batch_stride{};
};

/// Where an input or an output of the epilogue lies in one run.
struct EpilogueArg {
  DevicePointer base = 0;
  double value = 0;  ///< of a scalar that is passed as a number, instead of an address
  std::optional<Index> ld{}, batch_stride{};
};

/// The values of one run. Extents and strides left empty are the prepared ones; one that the kernel
/// holds as a literal may not differ from it.
struct GemmArgs {
  DevicePointer a = 0, b = 0, c = 0, d = 0;  ///< c may equal d; 0 will do where !reads_c()
  DevicePointer scale_a = 0, scale_b = 0;    ///< of blocks, where the problem has them
  DevicePointer zero_a = 0, zero_b = 0;
  DevicePointer workspace = 0;     ///< see Gemm::workspace_bytes(); one a stream
  double alpha = 1.0, beta = 0.0;  ///< rounded to the accumulator's type
  /// A or B as Gemm::pack has made it, in place of a or b, which may then be 0. Sizes and strides
  /// are those it was packed with.
  DevicePointer packed_a = 0, packed_b = 0;
  std::optional<Index> m{}, n{}, k{}, batch{};
  std::optional<Index> lda{}, ldb{}, ldc{}, ldd{};
  std::optional<Index> batch_stride_a{}, batch_stride_b{}, batch_stride_c{}, batch_stride_d{};
  ArgStrides strides_scale_a{}, strides_scale_b{}, strides_zero_a{}, strides_zero_b{};
  /// Where the problem has Views with ViewNumbers::run_time, ones of as many modes, with the
  /// numbers of this run; null: the prepared ones. Read until the call returns.
  const View *view_a = nullptr, *view_b = nullptr, *view_c = nullptr, *view_d = nullptr;
  /// By their places in the epilogue's expression: see Gemm::input and Gemm::output.
  std::array<EpilogueArg, kMostEpilogueInputs> inputs{};
  std::array<EpilogueArg, kMostEpilogueOutputs> outputs{};
  /// The list of groups, an integer for each, which the kernel reads and no host does.
  DevicePointer ends = 0;
  /// The tables of rows: an integer for each of the product's, which no host reads either.
  DevicePointer rows_a = 0, rows_d = 0;
  Stream stream{};
};

/// Where the arguments of a run say a tensor's strides.
struct RunStrides {
  std::optional<Index>*ld = nullptr, *batch_stride = nullptr;
};

/// A tensor besides inputs and outputs of the epilogue, which are told by their places.
struct RunOperand {
  TensorRole role;
  DevicePointer GemmArgs::*base;
  RunStrides (*strides)(GemmArgs&) = nullptr;  ///< null of lists and tables
  const View* GemmArgs::*view = nullptr;       ///< null of all that has no Views

  [[nodiscard]] RunStrides said(const GemmArgs& args) const {
    return strides(const_cast<GemmArgs&>(args));
  }
};

// clang-format off
inline constexpr auto kRunOperands = std::to_array<RunOperand>({
    {TensorRole::a, &GemmArgs::a, [](GemmArgs& run) { return RunStrides{&run.lda, &run.batch_stride_a}; }, &GemmArgs::view_a},
    {TensorRole::b, &GemmArgs::b, [](GemmArgs& run) { return RunStrides{&run.ldb, &run.batch_stride_b}; }, &GemmArgs::view_b},
    {TensorRole::c, &GemmArgs::c, [](GemmArgs& run) { return RunStrides{&run.ldc, &run.batch_stride_c}; }, &GemmArgs::view_c},
    {TensorRole::d, &GemmArgs::d, [](GemmArgs& run) { return RunStrides{&run.ldd, &run.batch_stride_d}; }, &GemmArgs::view_d},
    {TensorRole::scale_a, &GemmArgs::scale_a,
     [](GemmArgs& run) { return RunStrides{&run.strides_scale_a.ld, &run.strides_scale_a.batch_stride}; }},
    {TensorRole::scale_b, &GemmArgs::scale_b,
     [](GemmArgs& run) { return RunStrides{&run.strides_scale_b.ld, &run.strides_scale_b.batch_stride}; }},
    {TensorRole::zero_a, &GemmArgs::zero_a,
     [](GemmArgs& run) { return RunStrides{&run.strides_zero_a.ld, &run.strides_zero_a.batch_stride}; }},
    {TensorRole::zero_b, &GemmArgs::zero_b,
     [](GemmArgs& run) { return RunStrides{&run.strides_zero_b.ld, &run.strides_zero_b.batch_stride}; }},
    {TensorRole::ends, &GemmArgs::ends},
    {TensorRole::rows_a, &GemmArgs::rows_a},
    {TensorRole::rows_d, &GemmArgs::rows_d},
});
// clang-format on

/// Where arguments have the address of a tensor, and its strides, which lists and tables have not.
[[nodiscard]] DevicePointer& address_in(GemmArgs& args, TensorRole role);
[[nodiscard]] RunStrides strides_in(GemmArgs& args, TensorRole role);
/// The addresses of all tensors into arguments.
void put_addresses(GemmArgs& args, const ByTensor<DevicePointer>& addresses);
/// The strides of a problem's matrices into arguments, but for those of Views and of broadcasts.
void put_strides(GemmArgs& args, const Problem& problem);

}  // namespace jute
