#pragma once
// The tensors of a run, a row each: where a problem has them, and where a run's arguments say them.
#include <jute/base/export.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace JUTE_API jute {

/// Where the arguments of a run say a tensor's strides.
struct RunStrides {
  std::optional<Index>*ld = nullptr, *batch_stride = nullptr;
};

/// A tensor besides inputs and outputs of the epilogue, which are told by their places.
struct RunOperand {
  TensorRole role;
  DevicePointer GemmArgs::*base;
  /// Null of lists and tables; of others its result is null where the problem lacks them.
  Matrix* (*matrix)(Problem&) = nullptr;
  RunStrides (*strides)(GemmArgs&) = nullptr;

  /// The matrix of a problem that stays as it is.
  [[nodiscard]] const Matrix* of(const Problem& problem) const {
    return matrix == nullptr ? nullptr : matrix(const_cast<Problem&>(problem));
  }
  [[nodiscard]] RunStrides said(const GemmArgs& args) const {
    return strides(const_cast<GemmArgs&>(args));
  }
};

// clang-format off
inline constexpr std::array<RunOperand, 11> kRunOperands{{
    {TensorRole::a, &GemmArgs::a, [](Problem& p) { return &p.a; },
     [](GemmArgs& run) { return RunStrides{&run.lda, &run.batch_stride_a}; }},
    {TensorRole::b, &GemmArgs::b, [](Problem& p) { return &p.b; },
     [](GemmArgs& run) { return RunStrides{&run.ldb, &run.batch_stride_b}; }},
    {TensorRole::c, &GemmArgs::c, [](Problem& p) { return &p.c; },
     [](GemmArgs& run) { return RunStrides{&run.ldc, &run.batch_stride_c}; }},
    {TensorRole::d, &GemmArgs::d, [](Problem& p) { return &p.d; },
     [](GemmArgs& run) { return RunStrides{&run.ldd, &run.batch_stride_d}; }},
    {TensorRole::scale_a, &GemmArgs::scale_a, [](Problem& p) -> Matrix* { return p.scale_a.scale ? &*p.scale_a.scale : nullptr; },
     [](GemmArgs& run) { return RunStrides{&run.strides_scale_a.ld, &run.strides_scale_a.batch_stride}; }},
    {TensorRole::scale_b, &GemmArgs::scale_b, [](Problem& p) -> Matrix* { return p.scale_b.scale ? &*p.scale_b.scale : nullptr; },
     [](GemmArgs& run) { return RunStrides{&run.strides_scale_b.ld, &run.strides_scale_b.batch_stride}; }},
    {TensorRole::zero_a, &GemmArgs::zero_a, [](Problem& p) -> Matrix* { return p.scale_a.zero ? &*p.scale_a.zero : nullptr; },
     [](GemmArgs& run) { return RunStrides{&run.strides_zero_a.ld, &run.strides_zero_a.batch_stride}; }},
    {TensorRole::zero_b, &GemmArgs::zero_b, [](Problem& p) -> Matrix* { return p.scale_b.zero ? &*p.scale_b.zero : nullptr; },
     [](GemmArgs& run) { return RunStrides{&run.strides_zero_b.ld, &run.strides_zero_b.batch_stride}; }},
    {TensorRole::ends, &GemmArgs::ends},
    {TensorRole::rows_a, &GemmArgs::rows_a},
    {TensorRole::rows_d, &GemmArgs::rows_d},
}};
// clang-format on

/// Where arguments have the address of a tensor.   needs  a role of the table
[[nodiscard]] inline DevicePointer& address_in(GemmArgs& args, TensorRole role) {
  return args.*std::ranges::find(kRunOperands, role, &RunOperand::role)->base;
}

}  // namespace jute
