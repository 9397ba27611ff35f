// Decides which operands are copied, and how large the copies are.
#include "plan/pad.hpp"

#include <jute/base/checked.hpp>

#include <numeric>

#include "base/format.hpp"

namespace jute::plan {
namespace {

constexpr int kRowBytes = 16;
constexpr int kCopyBytes = 256;
/// Below these extents (of N and K, which kernels usually hold) a copy costs more than it saves.
constexpr Index kWorthwhile = 256;
/// cp.async moves at least this many bytes.
constexpr int kLeastAccess = 4;

bool starts_rows_unaligned(const Matrix& matrix) {
  const Index width = width_bytes(matrix.type);
  const Index common = std::gcd(std::gcd(matrix.ld_elems, matrix.batch_stride_elems) * width,
                                Index{matrix.alignment_bytes});
  return std::gcd(common, Index{kRowBytes}) < kLeastAccess;
}

PadStep pad_step(const Matrix& matrix, Operand operand, Arch arch) {
  PadStep step;
  step.arch = arch;
  step.operand = operand;
  step.type = matrix.type;
  step.order = matrix.order;
  step.broadcast = matrix.broadcast;
  step.vector_elems = kRowBytes / width_bytes(matrix.type);
  step.symbol = base::format("jute_{}_pad_{}", arch_text(arch), name(matrix.type));
  return step;
}

}  // namespace

std::vector<PadStep> pad_operands(Problem& problem, const DeviceInfo& device,
                                  const Config& config) {
  std::vector<PadStep> steps;
  const bool large = problem.n >= kWorthwhile && problem.k >= kWorthwhile;
  if (!config.pad.value_or(large)) return steps;
  const LaunchSizes sizes{problem.m, problem.n, problem.batch};
  for (const Operand operand : {Operand::a, Operand::b}) {
    Matrix& matrix = operand == Operand::a ? problem.a : problem.b;
    if (!starts_rows_unaligned(matrix)) continue;
    const PadStep step = pad_step(matrix, operand, device.arch);
    const PaddedRows rows = padded_rows(step, sizes, problem.k);
    matrix.ld_elems = rows.ld;
    matrix.batch_stride_elems = matrix.broadcast ? 0 : rows.batch_stride;
    matrix.alignment_bytes = kRowBytes;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace jute::plan

namespace jute {

PaddedRows padded_rows(const PadStep& step, const LaunchSizes& sizes, Index k) {
  const bool is_a = step.operand == Operand::a;
  const Index rows = is_a ? sizes.m : k, columns = is_a ? k : sizes.n;
  const bool by_row = step.order == Order::row;
  PaddedRows result;
  result.inner = by_row ? columns : rows;
  result.outer = by_row ? rows : columns;
  result.matrices = step.broadcast ? 1 : sizes.batch;
  const Index width = width_bytes(step.type);
  result.ld =
      ceil_div(std::max<Index>(result.inner, 1) * width, plan::kRowBytes) * plan::kRowBytes / width;
  result.batch_stride = checked_mul(result.ld, std::max<Index>(result.outer, 1), "workspace");
  const Index bytes = checked_mul(checked_mul(result.batch_stride, result.matrices, "workspace"),
                                  width, "workspace");
  result.bytes = checked_mul(ceil_div(bytes, plan::kCopyBytes), plan::kCopyBytes, "workspace");
  return result;
}

Dim3 grid(const PadStep& step, const PaddedRows& rows) {
  const Index all = checked_mul(rows.outer, rows.matrices, "rows");
  return {ceil_div(all, step.threads / 32), 1, 1};
}

}  // namespace jute
