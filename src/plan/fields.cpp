// The facts of a plan, one table a value.
#include <jute/plan/bind.hpp>
#include <jute/plan/fields.hpp>

#include <array>

#include "base/format.hpp"

namespace jute {
namespace {

// Spellings in the order of the enumerations.
constexpr std::array kScales{"zero", "one", "run_time"};
constexpr std::array kTransfers{"registers", "cp_async"};
constexpr std::array kStores{"direct", "staged_rows"};
constexpr std::array kOrders{"after_previous", "overlap_previous"};
constexpr std::array kResidencies{"any", "whole_grid"};
constexpr std::array kAlive{"main_loop", "epilogue"};

template <size_t Count, class Enum>
std::string word(const std::array<const char*, Count>& words, Enum value) {
  return words.at(static_cast<size_t>(value));
}
template <class Named>
std::string named(Named value) {
  return std::string(name(value));
}

/// A literal as it is; what a run decides as planned, and from what.
Field field_of(const char* name, const Extent& extent) {
  const std::string count = to_string(extent.count);
  return {name, Fields{{"value", extent.value}, {"baked", extent.baked}, {"count", count}},
          base::format("{} ({} {})", extent.value, extent.baked ? "literal" : "run-time", count)};
}

Fields fields_of(const Matrix& matrix) {
  return {{"type", named(matrix.type)},    {"order", named(matrix.order)},
          {"ld_elems", matrix.ld_elems},   {"batch_stride_elems", matrix.batch_stride_elems},
          {"broadcast", matrix.broadcast}, {"alignment_bytes", Index{matrix.alignment_bytes}}};
}

Fields fields_of(const TiledMma& mma) {
  return {{"atom", mma.atom().name},
          {"ptx", mma.atom().ptx},
          {"atom_layout", to_string(mma.atom_layout())},
          {"permutation", to_string(mma.permutation())},
          {"a_tv", to_string(layoutA_TV(mma))},
          {"b_tv", to_string(layoutB_TV(mma))},
          {"c_tv", to_string(layoutC_TV(mma))}};
}

Fields fields_of(const OperandPlan& operand) {
  return {{"type", named(operand.type)},
          {"major", named(operand.major)},
          field_of("ld", operand.ld),
          field_of("batch_stride", operand.batch_stride),
          {"transfer", word(kTransfers, operand.transfer)},
          {"vector_elems", Index{operand.vector_elems}},
          {"copy_tv", to_string(operand.copy_tv)},
          {"copy_mn", to_string(operand.copy_mn)},
          {"copy_k", to_string(operand.copy_k)},
          {"smem", to_string(operand.smem)},
          {"stage_stride_elems", operand.stage_stride_elems},
          {"smem_store_elems", Index{operand.smem_store_elems}},
          {"smem_read_elems", Index{operand.smem_read_elems}},
          {"read_atom", operand.read_atom ? operand.read_atom->name : std::string("none")},
          {"store_address", to_string(operand.store)},
          {"read_address", to_string(operand.read)}};
}

Fields fields_of(const EpiloguePlan& out) {
  return {{"store", word(kStores, out.store)},
          {"expression", to_string(out.expression)},
          {"alpha", word(kScales, out.alpha)},
          {"beta", word(kScales, out.beta)},
          {"c_type", named(out.c_type)},
          {"d_type", named(out.d_type)},
          {"c_order", named(out.c_order)},
          field_of("ldc", out.ldc),
          field_of("ldd", out.ldd),
          field_of("c_batch_stride", out.c_batch_stride),
          field_of("d_batch_stride", out.d_batch_stride),
          {"vector_elems", Index{out.vector_elems}},
          {"c_vector_elems", Index{out.c_vector_elems}},
          {"order", to_string(out.order)},
          {"m", to_string(out.m)},
          {"n", to_string(out.n)},
          {"stage", to_string(out.stage)},
          {"row_tv", to_string(out.row_tv)},
          {"stage_write_elems", Index{out.stage_write_elems}},
          {"stage_read_elems", Index{out.stage_read_elems}},
          {"write_address", to_string(out.stage_write)},
          {"read_address", to_string(out.stage_read)}};
}

FieldList list_of(const std::vector<SmemRegion>& regions) {
  FieldList list;
  for (const SmemRegion& region : regions)
    list.items.push_back({"smem",
                          Fields{{"name", region.name},
                                 {"offset", region.offset},
                                 {"bytes", region.bytes},
                                 {"alignment", region.alignment},
                                 {"copies", Index{region.copies}},
                                 {"alive", word(kAlive, region.alive)}},
                          base::format("{} from {}, {} bytes, aligned to {}, copies {}, {}",
                                       region.name, region.offset, region.bytes, region.alignment,
                                       region.copies, word(kAlive, region.alive))});
  return list;
}

FieldList list_of(const std::vector<KernelParameter>& parameters) {
  FieldList list;
  for (const KernelParameter& parameter : parameters)
    list.items.push_back({"parameter", to_string(parameter)});
  return list;
}

/// What every step has, behind its kind.
Fields fields_of(const StepHead& head, const RunValues& planned) {
  const auto at = [&](int axis) { return head.grid[static_cast<size_t>(axis)].evaluate(planned); };
  return {{"symbol", head.symbol},
          {"arch", to_string(head.arch)},
          {"parameters", list_of(head.parameters)},
          {"grid", std::vector<Index>{at(0), at(1), at(2)}},
          {"blocks", base::format("({},{},{})", to_string(head.grid[0]), to_string(head.grid[1]),
                                  to_string(head.grid[2]))},
          {"threads", Index{head.threads}},
          {"cluster", std::vector<Index>{head.cluster.x, head.cluster.y, head.cluster.z}},
          {"dynamic_smem_bytes", head.dynamic_smem_bytes},
          {"order", word(kOrders, head.order)},
          {"residency", word(kResidencies, head.residency)}};
}

Fields fields_of(const PadStep& step, const RunValues& planned) {
  const auto both = [&](const Count& count) {
    return base::format("{} (run-time {})", count.evaluate(planned), to_string(count));
  };
  Fields list{{"kind", std::string("pad")}};
  for (Field& field : fields_of(static_cast<const StepHead&>(step), planned))
    list.push_back(std::move(field));
  const Fields own{{"operand", std::string(step.tensor == TensorRole::a ? "a" : "b")},
                   {"type", named(step.type)},
                   {"region", step.region},
                   {"inner", both(step.inner)},
                   {"outer", both(step.outer)},
                   {"matrices", both(step.matrices)},
                   {"ld", both(step.ld)},
                   {"batch_stride", both(step.batch_stride)},
                   {"vector_elems", Index{step.vector_elems}}};
  list.insert(list.end(), own.begin(), own.end());
  return list;
}

Fields fields_of(const GemmStep& step, const RunValues& planned) {
  Fields list{{"kind", std::string("gemm")}};
  for (Field& field : fields_of(static_cast<const StepHead&>(step), planned))
    list.push_back(std::move(field));
  const Fields own{{"transposed", step.transposed},
                   field_of("m", step.m),
                   field_of("n", step.n),
                   field_of("k", step.k),
                   field_of("batch", step.batch),
                   {"accumulate", named(step.accumulate)},
                   {"tile", std::vector<Index>{step.tile.m, step.tile.n, step.tile.k}},
                   {"mma", fields_of(step.mma)},
                   {"stages", Index{step.stages}},
                   {"blocks_per_sm", Index{step.blocks_per_sm}},
                   {"unrolled_k_steps", Index{step.unrolled_k_steps}},
                   {"raster_group", Index{step.raster_group}},
                   {"a", fields_of(step.a)},
                   {"b", fields_of(step.b)},
                   {"epilogue", fields_of(step.epilogue)},
                   {"smem", list_of(step.smem_map)}};
  list.insert(list.end(), own.begin(), own.end());
  return list;
}

std::string line_of(const DeviceInfo& device) {
  return base::format(
      "{} {} {} SMs, shared memory {} a block and {} an SM, {} registers, {} threads, L2 {}, "
      "memory {}",
      device.name, to_string(device.arch), device.sm_count, device.smem_bytes_per_block,
      device.smem_bytes_per_sm, device.registers_per_sm, device.threads_per_sm, device.l2_bytes,
      device.memory_bytes);
}

}  // namespace

bool FieldList::operator==(const FieldList&) const = default;

Fields fields(const Problem& problem) {
  return {{"m", problem.m},
          {"n", problem.n},
          {"k", problem.k},
          {"batch", problem.batch},
          {"a", fields_of(problem.a)},
          {"b", fields_of(problem.b)},
          {"c", fields_of(problem.c)},
          {"d", fields_of(problem.d)},
          {"accumulate", problem.accumulate ? named(*problem.accumulate) : std::string("usual")},
          {"alpha", word(kScales, problem.alpha)},
          {"beta", word(kScales, problem.beta)}};
}

Fields fields(const DeviceInfo& device) {
  return {{"name", device.name},
          {"arch", to_string(device.arch)},
          {"sm_count", Index{device.sm_count}},
          {"smem_bytes_per_block", Index{device.smem_bytes_per_block}},
          {"smem_bytes_per_sm", Index{device.smem_bytes_per_sm}},
          {"registers_per_sm", Index{device.registers_per_sm}},
          {"threads_per_sm", Index{device.threads_per_sm}},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes}};
}

Fields fields(const Plan& plan) {
  const RunValues planned = run_values(plan.problem);
  FieldList regions, steps;
  for (const WorkspaceRegion& region : plan.workspace) {
    const Index bytes = region.bytes.evaluate(planned);
    regions.items.push_back(
        {"region",
         Fields{{"name", region.name}, {"bytes", bytes}, {"count", to_string(region.bytes)}},
         base::format("{} {} = {}", region.name, bytes, to_string(region.bytes))});
  }
  for (const Step& step : plan.steps)
    steps.items.push_back(
        {std::holds_alternative<GemmStep>(step) ? "step gemm" : "step pad",
         std::visit([&](const auto& one) { return fields_of(one, planned); }, step)});
  return {{"problem", fields(plan.problem), to_string(plan.problem)},
          {"device", fields(plan.device), line_of(plan.device)},
          {"workspace_bytes", workspace_bytes(plan)},
          {"workspace", std::move(regions)},
          {"steps", std::move(steps)}};
}

}  // namespace jute
