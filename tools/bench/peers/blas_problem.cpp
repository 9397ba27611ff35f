// From a problem to BLAS's words.
#include "bench/peers/blas_problem.hpp"

#include <jute/gemm/reference.hpp>
#include <jute/plan/ask/epilogue.hpp>

namespace jute::bench {
namespace {

bool is_float8(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

struct Compute {
  int compute, scale;
};
std::optional<Compute> compute_of(const Problem& problem) {
  switch (problem.accumulate.value_or(DType::f32)) {
    case DType::f32:
      return Compute{problem.a.type == DType::tf32 ? kComputeTf32 : kCompute32F, kBlasF32};
    case DType::f64:
      return Compute{kCompute64F, kBlasF64};
    case DType::f16:
      return Compute{kCompute16F, kBlasF16};
    case DType::s32:
      return Compute{kCompute32I, kBlasS32};
    default:
      return std::nullopt;
  }
}

template <class Number>
BlasFactor bytes_of(Number number) {
  BlasFactor factor;
  std::memcpy(factor.bytes, &number, sizeof number);
  return factor;
}

BlasFactor factor(double value, int scale) {
  if (scale == kBlasF64) return bytes_of(value);
  if (scale == kBlasS32) return bytes_of(static_cast<std::int32_t>(value));
  if (scale == kBlasF16) return bytes_of(static_cast<std::uint16_t>(encode(DType::f16, value)));
  return bytes_of(static_cast<float>(value));
}

/// A matrix of numpy's (rows, cols) by columns.
BlasMatrix by_columns(const Matrix& matrix, Index rows, Index cols) {
  const bool is_row = matrix.order == Order::row;
  return {.type = *blas_type(matrix.type),
          .rows = is_row ? cols : rows,
          .cols = is_row ? rows : cols,
          .ld = matrix.ld_elems,
          .batch_stride = matrix.broadcast ? 0 : matrix.batch_stride_elems,
          .operation = kNoTranspose};
}

}  // namespace

std::optional<int> blas_type(DType type) {
  switch (type) {
    case DType::f16:
      return kBlasF16;
    case DType::bf16:
      return kBlasBf16;
    case DType::tf32:
    case DType::f32:
      return kBlasF32;
    case DType::f64:
      return kBlasF64;
    case DType::e4m3:
      return kBlasE4m3;
    case DType::e5m2:
      return kBlasE5m2;
    case DType::s8:
      return kBlasS8;
    case DType::u8:
      return kBlasU8;
    case DType::s32:
      return kBlasS32;
    default:
      return std::nullopt;
  }
}

std::optional<BlasProblem> blas_problem(const Problem& problem, double alpha, double beta) {
  const Problem whole = completed(problem);
  if (whole.groups || whole.a.rows || whole.d.rows) return std::nullopt;  // none reads such lists
  if (!is_plain(whole.scale_a) || !is_plain(whole.scale_b) || whole.staged) return std::nullopt;
  const auto compute = compute_of(whole);
  const bool is_swapped = whole.d.order == Order::row;
  const bool adds_c = reads_c(whole, beta);
  const bool c_fits = !adds_c || (whole.c.order == whole.d.order && whole.c.type == whole.d.type);
  if (!compute || !c_fits) return std::nullopt;
  BlasProblem result;
  result.is_swapped = is_swapped;
  result.m = is_swapped ? whole.n : whole.m;
  result.n = is_swapped ? whole.m : whole.n;
  result.k = whole.k;
  result.batch = whole.batch;
  BlasMatrix a = by_columns(whole.a, whole.m, whole.k), b = by_columns(whole.b, whole.k, whole.n);
  // Seen by columns, a row-major matrix is transposed; so is the whole product of a row-major D.
  a.operation = (whole.a.order == Order::row) == is_swapped ? kNoTranspose : kTranspose;
  b.operation = (whole.b.order == Order::row) == is_swapped ? kNoTranspose : kTranspose;
  result.first = is_swapped ? b : a;
  result.second = is_swapped ? a : b;
  result.d = by_columns(whole.d, whole.m, whole.n);
  result.c = !adds_c ? result.d : by_columns(whole.c, whole.m, whole.n);
  result.compute = compute->compute;
  result.scale = compute->scale;
  result.alpha = factor(alpha, compute->scale);
  result.beta = factor(beta, compute->scale);
  result.reads_c = adds_c;
  return result;
}

double blas_roundoff(const Problem& problem) {
  constexpr double kFastFloat8 = 0x1p-13;
  const Problem whole = completed(problem);
  if (is_float8(whole.a.type) || is_float8(whole.b.type)) return kFastFloat8;
  const bool by_thread = whole.a.type == DType::f32;
  return accumulator_roundoff(whole.accumulate.value_or(DType::f32),
                              by_thread ? ProductUnit::thread : ProductUnit::tensor_core);
}

}  // namespace jute::bench
