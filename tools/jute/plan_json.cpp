// Plans, field by field.
#include "plan_json.hpp"

#include <jute/plan/bind.hpp>

#include <array>

namespace jute::command {
namespace {

// Spellings in the order of the enumerations.
constexpr std::array<const char*, 3> kScales{"zero", "one", "run_time"};
constexpr std::array<const char*, 2> kTransfers{"registers", "cp_async"};
constexpr std::array<const char*, 2> kStores{"direct", "staged_rows"};

template <size_t Count, class Enum>
const char* word(const std::array<const char*, Count>& words, Enum value) {
  return words.at(static_cast<size_t>(value));
}

Json to_json(const Extent& extent) { return {{"value", extent.value}, {"baked", extent.baked}}; }

Json to_json(const Matrix& matrix) {
  return {{"type", name(matrix.type)},     {"order", name(matrix.order)},
          {"ld_elems", matrix.ld_elems},   {"batch_stride_elems", matrix.batch_stride_elems},
          {"broadcast", matrix.broadcast}, {"alignment_bytes", matrix.alignment_bytes}};
}

Json to_json(const OperandPlan& operand) {
  return {{"type", name(operand.type)},
          {"major", name(operand.major)},
          {"ld", to_json(operand.ld)},
          {"batch_stride", to_json(operand.batch_stride)},
          {"transfer", word(kTransfers, operand.transfer)},
          {"vector_elems", operand.vector_elems},
          {"copy_tv", to_string(operand.copy_tv)},
          {"smem", to_string(operand.smem)},
          {"stage_stride_elems", operand.stage_stride_elems},
          {"store_address", to_string(operand.store)},
          {"read_address", to_string(operand.read)},
          {"smem_store_elems", operand.smem_store_elems},
          {"smem_read_elems", operand.smem_read_elems},
          {"read_atom", operand.read_atom ? operand.read_atom->name : std::string()}};
}

Json to_json(const EpiloguePlan& epilogue) {
  return {{"store", word(kStores, epilogue.store)},
          {"expression", to_string(epilogue.expression)},
          {"alpha", word(kScales, epilogue.alpha)},
          {"beta", word(kScales, epilogue.beta)},
          {"c_type", name(epilogue.c_type)},
          {"d_type", name(epilogue.d_type)},
          {"c_order", name(epilogue.c_order)},
          {"ldc", to_json(epilogue.ldc)},
          {"ldd", to_json(epilogue.ldd)},
          {"c_batch_stride", to_json(epilogue.c_batch_stride)},
          {"d_batch_stride", to_json(epilogue.d_batch_stride)},
          {"vector_elems", epilogue.vector_elems},
          {"c_vector_elems", epilogue.c_vector_elems},
          {"order", to_string(epilogue.order)},
          {"stage", to_string(epilogue.stage)}};
}

Json to_json(const TiledMma& mma) {
  return {{"atom", mma.atom().name},
          {"atom_layout", to_string(mma.atom_layout())},
          {"permutation", to_string(mma.permutation())},
          {"a_tv", to_string(layoutA_TV(mma))},
          {"b_tv", to_string(layoutB_TV(mma))},
          {"c_tv", to_string(layoutC_TV(mma))}};
}

Json to_json(const PadStep& step, const RunValues& planned) {
  return {{"kind", "pad"},
          {"symbol", step.symbol},
          {"arch", to_string(step.arch)},
          {"operand", step.tensor == TensorRole::a ? "a" : "b"},
          {"type", name(step.type)},
          {"inner", step.inner.evaluate(planned)},
          {"outer", step.outer.evaluate(planned)},
          {"matrices", step.matrices.evaluate(planned)},
          {"ld", step.ld.evaluate(planned)},
          {"region", step.region},
          {"threads", step.threads}};
}

Json to_json(const GemmStep& step, const RunValues& planned) {
  return {{"kind", "gemm"},
          {"symbol", step.symbol},
          {"arch", to_string(step.arch)},
          {"transposed", step.transposed},
          {"m", to_json(step.m)},
          {"n", to_json(step.n)},
          {"k", to_json(step.k)},
          {"batch", to_json(step.batch)},
          {"accumulate", name(step.accumulate)},
          {"tile", Json::array({step.tile.m, step.tile.n, step.tile.k})},
          {"mma", to_json(step.mma)},
          {"stages", step.stages},
          {"threads", step.threads},
          {"blocks_per_sm", step.blocks_per_sm},
          {"raster_group", step.raster_group},
          {"grid", Json::array({step.grid[0].evaluate(planned), step.grid[1].evaluate(planned),
                                step.grid[2].evaluate(planned)})},
          {"a", to_json(step.a)},
          {"b", to_json(step.b)},
          {"epilogue", to_json(step.epilogue)},
          {"smem_a_bytes", smem_region(step, "a").bytes},
          {"smem_b_bytes", smem_region(step, "b").bytes},
          {"dynamic_smem_bytes", step.dynamic_smem_bytes}};
}

}  // namespace

Json to_json(const DeviceInfo& device) {
  return {{"name", device.name},
          {"arch", to_string(device.arch)},
          {"sm_count", device.sm_count},
          {"smem_bytes_per_block", device.smem_bytes_per_block},
          {"smem_bytes_per_sm", device.smem_bytes_per_sm},
          {"registers_per_sm", device.registers_per_sm},
          {"threads_per_sm", device.threads_per_sm},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes}};
}

Json to_json(const Problem& problem) {
  return {{"m", problem.m},
          {"n", problem.n},
          {"k", problem.k},
          {"batch", problem.batch},
          {"a", to_json(problem.a)},
          {"b", to_json(problem.b)},
          {"c", to_json(problem.c)},
          {"d", to_json(problem.d)},
          {"accumulate", problem.accumulate ? Json(name(*problem.accumulate)) : Json()},
          {"alpha", word(kScales, problem.alpha)},
          {"beta", word(kScales, problem.beta)}};
}

Json to_json(const Plan& plan) {
  const RunValues planned = run_values(plan.problem);
  Json steps = Json::array(), workspace = Json::array();
  for (const WorkspaceRegion& region : plan.workspace)
    workspace.push_back({{"name", region.name}, {"bytes", region.bytes.evaluate(planned)}});
  for (const Step& step : plan.steps)
    steps.push_back(std::visit([&](const auto& one) { return to_json(one, planned); }, step));
  return {{"problem", to_json(plan.problem)},
          {"device", to_json(plan.device)},
          {"steps", steps},
          {"workspace", workspace},
          {"workspace_bytes", workspace_bytes(plan)},
          {"numerics", numerics(plan)}};
}

}  // namespace jute::command
