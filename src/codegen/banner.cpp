// The comment at the top of a kernel.
#include "codegen/banner.hpp"

#include <fmt/format.h>

namespace jute::codegen {
namespace {

std::string text(const Extent& extent) {
  return extent.baked ? std::to_string(extent.value) : std::string("run-time");
}

std::string operand_line(std::string_view name, std::string_view rows, const OperandPlan& operand) {
  return fmt::format(
      "//   {} ({},K) {}, contiguous along {}, ld {}; {} elements an access; shared memory {}\n",
      name, rows, jute::name(operand.type), operand.major == Major::k ? "K" : rows,
      text(operand.ld), operand.vector_elems, to_string(operand.smem));
}

std::string_view scale_text(Scale scale, std::string_view run_time) {
  switch (scale) {
    case Scale::zero:
      return "0";
    case Scale::one:
      return "1";
    case Scale::run_time:
      break;
  }
  return run_time;
}

}  // namespace

std::string banner(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string result =
      fmt::format("// D = {} * A*B + {} * C on {}{}\n", scale_text(out.alpha, "alpha"),
                  scale_text(out.beta, "beta"), to_string(step.arch),
                  step.transposed ? ", planned transposed: A is the problem's B" : "");
  result += fmt::format("//   M {}, N {}, K {}; accumulates in {}\n", text(step.m), text(step.n),
                        text(step.k), jute::name(step.accumulate));
  result += operand_line("A", "M", step.a) + operand_line("B", "N", step.b);
  result += fmt::format("//   D (M,N) {}, contiguous along N, ld {}; {} elements an access\n",
                        jute::name(out.d_type), text(out.ldd), out.vector_elems);
  result +=
      fmt::format("//   block tile ({},{},{}), {} stages of {} + {} bytes, {} threads\n",
                  step.tile.m, step.tile.n, step.tile.k, step.stages,
                  step.smem_a_bytes / step.stages, step.smem_b_bytes / step.stages, step.threads);
  return result + fmt::format("//   {}, atoms {}\n", step.mma.atom().name,
                              to_string(step.mma.atom_layout()));
}

}  // namespace jute::codegen
