// Reads choices off a step.
#include "plan/choose/choices.hpp"

#include <jute/plan/values/line_chunks.hpp>

#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

template <class Value>
void keep(std::optional<Value>& wish, const Value& chosen) {
  if (!wish) wish = chosen;
}

}  // namespace

Config choices(Config wishes, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  keep(wishes.mma_atom, step.mma.atom().name);
  keep(wishes.atom_layout, step.mma.atom_layout());
  keep(wishes.tile, step.tile);
  keep(wishes.stages, schedule.stages);
  keep(wishes.raster_width, schedule.raster_width);
  keep(wishes.main_loop, schedule.main_loop);
  if (schedule.main_loop == MainLoop::straight) {
    keep(wishes.release, schedule.releases);
    keep(wishes.first_stages, schedule.first_stages);
    if (operand_of_line_ends(step)) keep(wishes.permutation, step.mma.permutation());
  }
  const bool by_producer = schedule.main_loop == MainLoop::warp_specialised;
  if (step.mma.atom().form == MmaForm::fma && !by_producer)
    keep(wishes.permutation, step.mma.permutation());
  if (schedule.whole_tiles > 0) keep(wishes.whole_tiles, static_cast<int>(schedule.whole_tiles));
  if (!by_producer) {
    if (schedule.split_k > 1) keep(wishes.split_k, schedule.split_k);
    return wishes;
  }
  const auto keep_carrier = [](std::optional<Transfer>& wish, const OperandPlan& operand) {
    if (transfer_of(operand) != Transfer::tma) keep(wish, transfer_of(operand));
  };
  keep_carrier(wishes.carry_a, step.transposed ? step.b : step.a);
  keep_carrier(wishes.carry_b, step.transposed ? step.a : step.b);
  keep(wishes.cluster, schedule.cluster);
  keep(wishes.blocks, schedule.persistent_blocks);
  keep(wishes.ping_pong, schedule.ping_pong);
  keep(wishes.producer_warps, role_of(step, "producer").warps);
  keep(wishes.split_k, schedule.split_k);
  keep(wishes.reduction, schedule.reduction);
  keep(wishes.swapped, step.epilogue.d_order == Order::col);
  keep(wishes.edge_rows, tma_of(step.a).edge_unit + tma_of(step.b).edge_unit > 0
                             ? EdgeRows::left_out
                             : EdgeRows::zeros);
  keep(wishes.first_stages, schedule.first_stages);
  keep(wishes.release, schedule.releases);
  return wishes;
}

Config choices(Config wishes, const GemmStep& step, bool are_copied) {
  Config all = choices(std::move(wishes), step);
  if (is_copied_by_threads(step.schedule.main_loop)) keep(all.pad, are_copied);
  return all;
}

}  // namespace jute::plan
