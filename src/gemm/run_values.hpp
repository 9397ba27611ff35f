#pragma once
// The numbers of one run, by the name that kernels give them.
#include <cstdint>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/plan.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace jute::gemm {

/// What a kernel parameter may hold. Kernels compute D = A·B of their own operands: see `swapped`.
// clang-format off
enum class Field : std::uint8_t {
  a, b, c, d,
  m, n, k, batch,
  lda, ldb, ldc, ldd,
  batch_stride_a, batch_stride_b, batch_stride_c, batch_stride_d,
  alpha, beta,
};
// clang-format on
inline constexpr size_t kIntegerFields = 16;  // all but alpha and beta

[[nodiscard]] std::string_view name(Field field);
/// The problem's field that a transposed step's kernel knows under this name: its A is the
/// problem's B, its M the problem's N.
[[nodiscard]] Field swapped(Field field);

/// One run's values in the problem's terms.
struct RunValues {
  std::array<std::int64_t, kIntegerFields> integers{};  // pointers bit for bit
  double alpha = 1.0, beta = 0.0;

  [[nodiscard]] std::int64_t& operator[](Field field) {
    return integers[static_cast<size_t>(field)];
  }
  [[nodiscard]] std::int64_t operator[](Field field) const {
    return integers[static_cast<size_t>(field)];
  }
};

/// The planned numbers with those of `args` in their place; a stride of 0 is a packed one.
///   throws  illegal_problem: what completed() throws of the numbers that `args` gives
[[nodiscard]] RunValues run_values(const Problem& planned, const GemmArgs& args);

/// A parameter of a kernel and where its value comes from, in the problem's terms.
struct Slot {
  Field field;
  ParameterKind kind;
};
/// The parameters of a step's kernel in their order.
///   throws  signature_mismatch: a parameter has a name or a type that no run fills
[[nodiscard]] std::vector<Slot> slots(const Signature& signature, bool transposed);
/// throws  out_of_range: a value does not fit its 32-bit parameter
void pack(ArgumentBlock& block, const std::vector<Slot>& slots, const RunValues& values);

/// A padded operand at the sizes of a run.
[[nodiscard]] PaddedRows rows_of(const PadStep& step, const RunValues& values);
/// The parameters of a copy into `target`.
void pack(ArgumentBlock& block, const PadStep& step, const PaddedRows& rows, DevicePointer target,
          const RunValues& values);
/// What the GEMM behind the copy reads instead of the operand.
void replace_operand(RunValues& values, const PadStep& step, const PaddedRows& rows,
                     DevicePointer target);

}  // namespace jute::gemm
