// The comment at the top of a kernel.
#include "codegen/banner.hpp"

#include <array>
#include <utility>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

std::string text(const Extent& extent) {
  return extent.baked ? std::to_string(extent.value) : std::string("run-time");
}

std::string operand_line(std::string_view name, std::string_view rows, const OperandPlan& operand) {
  return base::format("//   {} ({},K) {}, contiguous along {}, ld {}; {} elements an access\n",
                      name, rows, jute::name(operand.type), operand.major == Major::k ? "K" : rows,
                      text(operand.ld), operand.vector_elems);
}

/// `in0 is bias: a value for each column of D, bf16`
std::string epilogue_line(TensorRole role, const EpilogueOperandPlan& operand) {
  constexpr std::array kExtents{"a value", "a value for each row of D",
                                "a value for each column of D", "a value for each element of D"};
  return base::format("//   {} is {}: {}, {}{}\n", jute::name(role), operand.name,
                      kExtents.at(static_cast<size_t>(operand.extent)), jute::name(operand.type),
                      operand.by_value ? ", a parameter" : "");
}

/// `alpha*A*B`, `A*B`, or nothing.
std::string term(Scale scale, std::string_view factor, std::string_view what) {
  if (scale == Scale::zero) return {};
  return scale == Scale::one ? std::string(what) : base::format("{}*{}", factor, what);
}

/// `D = alpha*A*B + C`
std::string sum_text(const EpiloguePlan& out) {
  const std::string product = term(out.alpha, "alpha", "A*B"), c = term(out.beta, "beta", "C");
  if (product.empty() && c.empty()) return "D = 0";
  return "D = " + product + (product.empty() || c.empty() ? "" : " + ") + c;
}

/// Who holds what: (thread, value) layouts over the tile that the instructions of all warps cover.
std::string fragment_lines(const GemmStep& step) {
  const TiledMma& mma = step.mma;
  std::string text =
      base::format("// {}: atoms {}, permutation {}; (thread,value) of the TiledMma's tile:\n",
                   mma.atom().name, to_string(mma.atom_layout()), to_string(mma.permutation()));
  const std::pair<const char*, Operand> operands[] = {
      {"A (m + M*k)", Operand::a}, {"B (n + N*k)", Operand::b}, {"D (m + M*n)", Operand::c}};
  for (const auto& [name, operand] : operands)
    text += base::format("//   {}  {}\n", name, to_string(layout_tv(mma, operand)));
  return text;
}

std::string smem_lines(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (step.schedule.main_loop == MainLoop::straight)
    return base::format("// {} bytes of shared memory, for sums of groups that share out K.\n",
                        step.dynamic_smem_bytes);
  const SmemRegion& b = smem_region(step, "b");
  std::string text = base::format(
      "// Shared memory, {} stages; one stage as (row,k) -> element:\n"
      "//   A  bytes 0 to {}, {} a stage  {}\n//   B  bytes {} to {}, {} a stage  {}\n",
      step.schedule.stages, b.offset, step.a.stage_stride_elems * width_bytes(step.a.type),
      to_string(step.a.smem), b.offset, b.offset + b.bytes,
      step.b.stage_stride_elems * width_bytes(step.b.type), to_string(step.b.smem));
  if (out.store == Store::staged_rows)
    text += base::format("//   D  afterwards in the same place, as accumulators  {}\n",
                         to_string(out.stage));
  return text;
}

constexpr std::string_view kLegend =
    "// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places "
    "higher,\n"
    "// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a\n"
    "// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make "
    "constant.\n";

}  // namespace

std::string banner(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool is_own = !out.outputs.empty();
  std::string result = base::format(
      "// {} on {}{}\n", is_own ? to_string(out.expression) : sum_text(out), to_string(step.arch),
      step.transposed ? ", planned transposed: A is the problem's B" : "");
  result += base::format("//   M {}, N {}, K {}; accumulates in {}\n", text(step.m), text(step.n),
                         text(step.k), jute::name(step.accumulate));
  result += operand_line("A", "M", step.a) + operand_line("B", "N", step.b);
  result += base::format("//   D (M,N) {}, contiguous along {}, ld {}; {} elements an access\n",
                         jute::name(out.d_type), out.d_order == Order::row ? "N" : "M",
                         text(out.ldd), out.vector_elems);
  for (size_t i = 0; i < out.inputs.size(); ++i)
    result += epilogue_line(input_role(static_cast<int>(i)), out.inputs[i]);
  for (size_t i = 0; i < out.outputs.size(); ++i)
    if (!is_d(out.outputs[i]))
      result += epilogue_line(output_role(static_cast<int>(i)), out.outputs[i]);
  result += base::format("//   {} threads compute a block tile of ({},{}), {} of k at a time\n",
                         step.threads, step.tile.m, step.tile.n, step.tile.k);
  return result + fragment_lines(step) + smem_lines(step) + std::string(kLegend);
}

}  // namespace jute::codegen
