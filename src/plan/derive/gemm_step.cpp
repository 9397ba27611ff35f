// Derives copies, access widths and bytes from a step's tile and layouts.
#include "plan/derive/gemm_step.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>

#include <algorithm>
#include <limits>

#include "base/format.hpp"
#include "plan/chip/line.hpp"
#include "plan/derive/addresses.hpp"
#include "plan/derive/block/signals.hpp"
#include "plan/derive/block/smem_map.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/drain/store_order.hpp"
#include "plan/derive/drain/stores_together.hpp"
#include "plan/derive/operand/copy_plan.hpp"
#include "plan/derive/operand/read_order.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/derive/operand/vector_width.hpp"
#include "plan/derive/parameters.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {
namespace {

OperandPlan operand_plan(const KernelMatrix& matrix) {
  OperandPlan operand;
  operand.type = matrix.type;
  operand.major = matrix.major;
  operand.ld = matrix.ld;
  operand.batch_stride = matrix.batch_stride;
  operand.view = matrix.view;
  operand.stored = matrix.stored;
  if (matrix.scales) operand.scales.emplace().numbers = *matrix.scales;
  operand.rows = matrix.rows;
  return operand;
}

}  // namespace

void deal_copies(OperandPlan& operand, const KernelMatrix& matrix, const CopiedTile& tile,
                 int threads) {
  CopiedWay& copied = its_copies(operand);
  const auto deal = [&](int limit) {
    const CopyLayout copy = copy_layout(tile.mn, tile.k, matrix.major, limit, threads).value();
    copied.copy_tv = tile.halves > 1 ? copied_in_halves(copy.tv, tile.mn, tile.k) : copy.tv;
    operand.vector_elems = copy.vector_elems;
    copied.store_elems = widest_vector(copied.smem, copied.copy_tv, operand.vector_elems);
  };
  deal(elements_in(matrix.access_bytes, matrix.type));
  // A cp.async writes what it reads in one piece.
  while (transfer_of(operand) == Transfer::cp_async && !operand.stored &&
         copied.store_elems < operand.vector_elems)
    deal(copied.store_elems);
}

namespace {

void complete_operand(OperandPlan& operand, const KernelMatrix& matrix, const Fragment& fragment,
                      const CopiedTile& tile, int threads) {
  deal_copies(operand, matrix, tile, threads);
  CopiedWay& copied = its_copies(operand);
  copied.stage_stride_elems = stage_stride(copied.smem, operand.type);
  set_reads(operand, fragment, 1);
}

/// Rows of the staging buffer are padded by 32 bytes: the eight rows that a quad's neighbours write
/// together then lie in different banks.
ComposedLayout stage_layout(const GemmStep& step) {
  const int row = step.tile.n + 32 / width_bytes(step.accumulate);
  return Layout(IntTuple{step.tile.m, step.tile.n}, IntTuple{row, 1});
}

/// Threads that hold whole 16-byte pieces of a row store them as they are, and so do those that
/// store what others found as well; the rest goes through shared memory of so many bytes, if the
/// buffer fits there.
void complete_way_out(GemmStep& step, const KernelProblem& problem, Index smem_bytes) {
  EpiloguePlan& out = step.epilogue;
  const int limit = elements_in(problem.d.access_bytes, problem.d.type);
  const StoreOrder order = store_order(drained(step), step.tile);
  set_way_out(out, Store::direct);
  out.vector_elems = row_run(order, step.tile, limit);
  const ComposedLayout stage = stage_layout(step);
  const Index stage_bytes = cosize(stage) * width_bytes(step.accumulate);
  const std::optional<CopyLayout> rows =
      copy_layout(step.tile.m, step.tile.n, Major::k, limit, step.threads);
  const bool is_wide = out.vector_elems * width_bytes(out.d_type) == 16;
  const bool all_drain = parts_of_k(step) == 1 && !out.c_view && !out.d_view && !out.d_rows &&
                         !step.gate && !names(out.expression, EpilogueOp::block_amax);
  if (!is_wide && all_drain && rows && stage_bytes <= smem_bytes) {
    const int widest = elements_of_chunk(step.accumulate);
    out.store = Store::staged_rows;
    out.stage = stage;
    out.row_tv = rows->tv;
    out.vector_elems = rows->vector_elems;
    out.stage_write_elems = widest_vector(stage, order.tv, widest);
    out.stage_read_elems = widest_vector(stage, out.row_tv, std::min(widest, out.vector_elems));
  }
  set_accesses_beside_d(out, problem);
}

}  // namespace

void set_accesses_beside_d(EpiloguePlan& out, const KernelProblem& problem) {
  out.c_vector_elems =
      out.c_order == Order::row
          ? std::min(out.vector_elems, elements_in(problem.c.access_bytes, problem.c.type))
          : 1;
  set_operand_accesses(out, problem, out.vector_elems);
}

EpilogueAccuracy accuracy_on(Arch arch, EpilogueAccuracy enough) {
  return provides(arch, ArchFeature::tanh) ? enough : EpilogueAccuracy::full;
}
namespace {

/// Bytes of a matrix of bits that are moved together, at most.
int most_word_bytes(const KernelMatrix& matrix) { return std::min(matrix.access_bytes, 4); }

}  // namespace

EpilogueOperandPlan operand_plan(const KernelOperand& operand) {
  return {.name = operand.name,
          .extent = operand.extent,
          .gather = operand.gather,
          .type = operand.matrix.type,
          .order = order_of(operand.matrix),
          .by_value = operand.by_value,
          .is_bits = operand.is_bits,
          .ld = operand.matrix.ld,
          .batch_stride = operand.matrix.batch_stride,
          .vector_elems = operand.is_bits ? most_word_bytes(operand.matrix) : 1};
}

std::vector<EpilogueOperandPlan> operand_plans(const std::vector<KernelOperand>& operands) {
  std::vector<EpilogueOperandPlan> plans;
  for (const KernelOperand& operand : operands) plans.push_back(operand_plan(operand));
  return plans;
}

void set_operand_accesses(EpiloguePlan& out, const KernelProblem& problem, int run) {
  const auto set = [&](std::vector<EpilogueOperandPlan>& plans,
                       const std::vector<KernelOperand>& operands) {
    for (size_t i = 0; i < plans.size() && i < operands.size(); ++i) {
      const KernelMatrix& matrix = operands[i].matrix;
      if (plans[i].is_bits) continue;
      const bool is_along_n =
          plans[i].extent == EpilogueExtent::columns ||
          (plans[i].extent == EpilogueExtent::elements && plans[i].order == Order::row);
      plans[i].vector_elems =
          is_along_n ? std::min(run, elements_in(matrix.access_bytes, matrix.type)) : 1;
    }
  };
  set(out.inputs, problem.inputs);
  set(out.outputs, problem.outputs);
}

void set_way_out(EpiloguePlan& out, Store store) {
  const EpiloguePlan none;
  out.store = store;
  out.stage = none.stage;
  out.row_tv = none.row_tv;
  out.stage_write_elems = none.stage_write_elems;
  out.stage_read_elems = none.stage_read_elems;
  out.stage_write = none.stage_write;
  out.stage_read = none.stage_read;
  if (store != Store::subtiles) out.drain.reset();
}

TileShape whole_units(const TileShape& tile, const ShapeMnk& unit) {
  const auto whole = [](int extent, int of) {
    constexpr Index kMost = std::numeric_limits<int>::max();  // far beyond what the rules allow
    return static_cast<int>(std::min(ceil_div(Index{extent}, Index{of}) * of, kMost));
  };
  return {whole(tile.m, unit.m), whole(tile.n, unit.n), whole(tile.k, unit.k)};
}

void set_reads(OperandPlan& operand, const Fragment& fragment, int k_steps_at_once) {
  FragmentRead& read = its_fragments(operand);
  read.elems = 1;
  read.order = Layout();
  if (read.atom) {
    const Index bits = size(read.atom->dst_layout[1]);
    read.elems = static_cast<int>(bits / width_bits(operand.type));
  } else if (const std::optional<ReadOrder> order =
                 read_order(operand, fragment, k_steps_at_once)) {
    read.elems = order->elems;
    read.order = order->value;
  }
}

GemmStep step_for(const KernelProblem& problem, Family family, const DeviceInfo& device,
                  const Config& config) {
  GemmStep step;
  step.family = family;
  step.arch = device.arch;
  step.transposed = problem.transposed;
  step.gate = problem.gate;
  step.schedule.raster_width = config.raster_width.value_or(8);
  step.schedule.matrices_per_block = config.matrices_per_block.value_or(0);
  step.schedule.whole_tiles = config.whole_tiles.value_or(0);
  step.schedule.launches = problem.launches;
  step.a = operand_plan(problem.a);
  step.b = operand_plan(problem.b);
  step.epilogue.expression = problem.expression;
  step.epilogue.inputs = operand_plans(problem.inputs);
  step.epilogue.outputs = operand_plans(problem.outputs);
  take_problem(step, problem, [](Extent& own, const Extent& given) { own = given; });
  return step;
}

void complete_step(GemmStep& step, const KernelProblem& problem, const DeviceInfo& device) {
  step.threads = static_cast<int>(size(step.mma));
  step.cluster = {};
  step.order = LaunchOrder::after_previous;
  step.residency = Residency::any;
  step.schedule.roles = {{"worker", (step.threads + 31) / 32}};
  KernelSchedule& schedule = step.schedule;
  schedule.is_generic = schedule.split_k_at_run_time =
      false;  // no launch of theirs says more than numbers
  const FamilyRow& family = row_of(step.family);
  const bool is_async = family.transfer == Transfer::cp_async;
  schedule.main_loop = family.main_loop;
  schedule.products_in_flight = 0;
  schedule.first_stages = FirstStages::after_barrier;
  schedule.releases = Release::never;
  if (is_async) schedule.unrolled_k_steps = 0;
  schedule.k_steps_at_once = 1;
  schedule.lanes_of_k = lanes_of_k(step);
  step.signals = signals(step);
  for (OperandPlan* operand : {&step.a, &step.b}) set_transfer(*operand, family.transfer);
  const Fragment a = fragment(step.mma, Operand::a, multiplied(step));
  const Fragment b = fragment(step.mma, Operand::b, multiplied(step));
  const auto halves = [&](Operand operand) { return has_halves(step, operand) ? 2 : 1; };
  complete_operand(step.a, problem.a, a, {step.tile.m, step.tile.k, halves(Operand::a)},
                   step.threads);
  complete_operand(step.b, problem.b, b, {step.tile.n, step.tile.k, halves(Operand::b)},
                   step.threads);
  if (is_async && !(is_async_sized(step.a) && is_async_sized(step.b))) {
    step.family = staged_family(family.by, Transfer::registers);
    return complete_step(step, problem, device);
  }
  complete_way_out(step, problem, device.smem_bytes_per_block);
  step.smem_map = smem_map(step);
  // Behind what the whole kernel keeps there may be no room for the buffer. Other sums than these
  // have other kernels then.
  const bool is_without = smem_held(step) > device.smem_bytes_per_block;
  if (step.epilogue.store == Store::staged_rows && is_without && !adds_as_one(step.accumulate)) {
    complete_way_out(step, problem, 0);
    step.smem_map = smem_map(step);
  }
  step.dynamic_smem_bytes = smem_held(step);
  set_addresses(step);
  step.epilogue.stores_together = stores_together(step);
  step.symbol = base::format("jute_{}_{}_{}x{}x{}_s{}", arch_text(step.arch), name(step.a.type),
                             step.tile.m, step.tile.n, step.tile.k, step.schedule.stages);
  step.parameters = kernel_parameters(step, problem);
  // The grid has as many groups as there may be.
  step.grid = schedule.whole_tiles > 0 ? cut_tail_grid(step)
                                       : std::array<Count, 3>{tiles(step), 1, schedule.split_k};
}

}  // namespace jute::plan
