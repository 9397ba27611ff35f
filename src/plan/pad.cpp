// Decides which operands are copied, and how large the copies are.
#include "plan/pad.hpp"

#include <jute/plan/bind.hpp>

#include <algorithm>
#include <array>

#include "base/format.hpp"
#include "plan/kernel_problem.hpp"

namespace jute::plan {
namespace {

constexpr int kRowBytes = 16;
constexpr int kLineBytes = 128;  // a block that reads whole lines fetches none of its neighbour's
constexpr int kCopyBytes = 256;
constexpr int kThreads = 256;
/// From which N and K on (which kernels usually hold) a copy saves more than it costs. cp.async
/// moves 4 bytes at least; rows that start anywhere take the detour through registers.
struct Worthwhile {
  int access_bytes = 1;  ///< of the operand as it lies
  Index extent = 0;      ///< of N and of K
};
// Measured on an H200 with bf16: bench/RESULTS.md.
constexpr std::array kWorthwhile{Worthwhile{1, 256}, Worthwhile{2, 256}, Worthwhile{4, 512},
                                 Worthwhile{8, 4096}};

bool is_padded(const Matrix& matrix, const Problem& problem, const Config& config) {
  const int bytes = access_bytes(matrix);
  if (bytes == kRowBytes) return false;
  if (config.pad) return *config.pad;
  const auto row = std::ranges::find(kWorthwhile, bytes, &Worthwhile::access_bytes);
  return std::min(problem.n, problem.k) >= row->extent;
}

Count extent(RunValue::Quantity quantity) { return RunValue{quantity}; }

/// The copy's parameters by the names in kernel/pad_rows.cu.
std::vector<KernelParameter> parameters(const PadStep& step) {
  using enum ParameterKind;
  return {{"source", pointer, Base(Argument{step.tensor})},
          {"target", pointer, Base(InWorkspace{step.region})},
          {"inner", i32, step.inner},
          {"outer", i32, step.outer},
          {"rows", i64, step.outer * step.matrices},
          {"ld_source", i64, ld_of(step.tensor)},
          {"ld_target", i64, step.ld},
          {"batch_stride_source", i64, batch_stride_of(step.tensor)},
          {"batch_stride_target", i64, step.batch_stride}};
}

PadStep pad_step(const Matrix& matrix, TensorRole tensor, Arch arch) {
  using enum RunValue::Quantity;
  const bool is_a = tensor == TensorRole::a;
  const Count rows = extent(is_a ? m : k), columns = extent(is_a ? k : n);
  const bool by_row = matrix.order == Order::row;
  PadStep step;
  step.symbol = base::format("jute_{}_pad_{}", arch_text(arch), name(matrix.type));
  step.arch = arch;
  step.tensor = tensor;
  step.type = matrix.type;
  step.region = is_a ? "padded_a" : "padded_b";
  step.inner = by_row ? columns : rows;
  step.outer = by_row ? rows : columns;
  step.matrices = matrix.broadcast ? Count(1) : extent(batch);
  step.vector_elems = kRowBytes / width_bytes(matrix.type);
  step.ld = round_up(max(step.inner, 1), kLineBytes / width_bytes(step.type));
  step.batch_stride = step.ld * max(step.outer, 1);
  step.threads = kThreads;
  // A warp takes a row; rows of nothing need none.
  step.grid = {ceil_div(step.outer * step.matrices * min(step.inner, 1), kThreads / 32), 1, 1};
  step.parameters = parameters(step);
  return step;
}

}  // namespace

Count padded_bytes(const PadStep& step) {
  return round_up(step.batch_stride * step.matrices * width_bytes(step.type), kCopyBytes);
}

std::vector<PadStep> pad_operands(Problem& problem, const DeviceInfo& device,
                                  const Config& config) {
  std::vector<PadStep> steps;
  const RunValues planned = run_values(problem);
  for (const TensorRole tensor : {TensorRole::a, TensorRole::b}) {
    Matrix& matrix = tensor == TensorRole::a ? problem.a : problem.b;
    if (!is_padded(matrix, problem, config)) continue;
    steps.push_back(pad_step(matrix, tensor, device.arch));
    read_copy(problem, steps.back(), planned);
  }
  return steps;
}

void read_copy(Problem& problem, const PadStep& copy, const RunValues& planned) {
  Matrix& matrix = copy.tensor == TensorRole::a ? problem.a : problem.b;
  matrix.ld_elems = copy.ld.evaluate(planned);
  matrix.batch_stride_elems = matrix.broadcast ? 0 : copy.batch_stride.evaluate(planned);
  matrix.alignment_bytes = kRowBytes;
}

}  // namespace jute::plan
