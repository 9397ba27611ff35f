// A plan for people: its facts, its reasons, its arithmetic.
#include <jute/plan/bind.hpp>

#include "base/format.hpp"
#include "plan/pad.hpp"

namespace jute {
namespace {

std::string text(const Extent& extent) {
  return base::format("{}{}", extent.value, extent.baked ? "" : " (run-time)");
}

std::string_view name(Transfer transfer) {
  return transfer == Transfer::registers ? "through registers" : "cp.async";
}

std::string read_text(const OperandPlan& operand) {
  if (operand.read_atom) return operand.read_atom->name;
  return base::format("loads of {} elements", operand.smem_read_elems);
}

std::string operand_text(std::string_view letter, const OperandPlan& operand) {
  return base::format(
      "  {0}.type {1}\n"
      "  {0}.major {2}\n"
      "  {0}.ld {3}\n"
      "  {0}.batch_stride {4}\n"
      "  {0}.copy {5}, {6} elements an access, {7} a store\n"
      "  {0}.copy_tv {8}\n"
      "  {0}.smem {9}\n"
      "  {0}.stage_stride {10} elements\n"
      "  {0}.store_address {11}\n"
      "  {0}.read {12}\n"
      "  {0}.read_address {13}\n",
      letter, jute::name(operand.type), jute::name(operand.major), text(operand.ld),
      text(operand.batch_stride), name(operand.transfer), operand.vector_elems,
      operand.smem_store_elems, to_string(operand.copy_tv), to_string(operand.smem),
      operand.stage_stride_elems, to_string(operand.store), read_text(operand),
      to_string(operand.read));
}

std::string epilogue_text(const EpiloguePlan& out) {
  std::string result = base::format("  d.type {}\n  d.ld {}\n  d.batch_stride {}\n",
                                    name(out.d_type), text(out.ldd), text(out.d_batch_stride));
  if (out.beta != Scale::zero)
    result += base::format("  c.type {}\n  c.order {}\n  c.ld {}\n", name(out.c_type),
                           name(out.c_order), text(out.ldc));
  result +=
      base::format("  d = {}\n  epilogue {}, {} elements an access\n", to_string(out.expression),
                   out.store == Store::direct ? "direct" : "staged rows", out.vector_elems);
  result += base::format("  epilogue.order {}\n", to_string(out.order));
  if (out.store == Store::staged_rows)
    result += base::format(
        "  epilogue.stage {}\n  epilogue.write_address {}\n  epilogue.row_tv {}\n"
        "  epilogue.read_address {}\n",
        to_string(out.stage), to_string(out.stage_write), to_string(out.row_tv),
        to_string(out.stage_read));
  return result;
}

std::string step_text(const GemmStep& step, const RunValues& planned) {
  std::string result = base::format(
      "step gemm {}\n"
      "  arch {}\n"
      "  transposed {}\n"
      "  m {}\n  n {}\n  k {}\n  batch {}\n"
      "  accumulate {}\n"
      "  tile ({},{},{})\n"
      "  mma {}\n"
      "  mma.atom_layout {}\n"
      "  mma.permutation {}\n"
      "  threads {}\n"
      "  stages {}\n"
      "  raster_group {}\n",
      step.symbol, to_string(step.arch), step.transposed, text(step.m), text(step.n), text(step.k),
      text(step.batch), name(step.accumulate), step.tile.m, step.tile.n, step.tile.k,
      step.mma.atom().name, to_string(step.mma.atom_layout()), to_string(step.mma.permutation()),
      step.threads, step.stages, step.raster_group);
  if (step.unrolled_k_steps != 0)
    result += base::format("  unrolled_k_steps {}\n", step.unrolled_k_steps);
  result += operand_text("a", step.a) + operand_text("b", step.b) + epilogue_text(step.epilogue);
  return result + base::format("  smem_bytes {} ({} + {})\n  grid ({},{},{})\n",
                               step.dynamic_smem_bytes, smem_region(step, "a").bytes,
                               smem_region(step, "b").bytes, step.grid[0].evaluate(planned),
                               step.grid[1].evaluate(planned), step.grid[2].evaluate(planned));
}

std::string step_text(const PadStep& step, const RunValues& planned) {
  return base::format(
      "step pad {}\n  arch {}\n  operand {}\n  type {}\n  rows {} of {} elements, {} matrices\n"
      "  ld {}\n  bytes {}\n  threads {}\n",
      step.symbol, to_string(step.arch), step.tensor == TensorRole::a ? "A" : "B", name(step.type),
      step.outer.evaluate(planned), step.inner.evaluate(planned), step.matrices.evaluate(planned),
      step.ld.evaluate(planned), plan::padded_bytes(step).evaluate(planned), step.threads);
}

}  // namespace

std::string to_string(const Plan& plan) {
  std::string result = base::format(
      "problem {}\ndevice {} {} {} SMs\nworkspace_bytes {}\n", to_string(plan.problem),
      plan.device.name, to_string(plan.device.arch), plan.device.sm_count, workspace_bytes(plan));
  const RunValues planned = run_values(plan.problem);
  for (const Step& step : plan.steps)
    result += std::visit([&](const auto& one) { return step_text(one, planned); }, step);
  return result;
}

}  // namespace jute
