// Judges what was derived, and asks everyone whose rules there are.
#include "plan/derive/step_rules.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/address.hpp>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/derive/addresses.hpp"
#include "plan/derive/block/smem_map.hpp"
#include "plan/derive/drain/bit_words.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/rules/carrier_rules.hpp"
#include "plan/rules/epilogue_rules.hpp"
#include "plan/rules/gate_rules.hpp"
#include "plan/rules/group_rules.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/row_table_rules.hpp"
#include "plan/rules/schedule_rules.hpp"
#include "plan/rules/smem_rules.hpp"
#include "plan/rules/tile_rules.hpp"
#include "plan/rules/width_rules.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

void stages_fit(Errors& errors, const GemmStep& step, const DeviceInfo& device) {
  const Index most = device.smem_bytes_per_block;
  if (step.dynamic_smem_bytes <= most) return;
  if (is_straight(step))
    return errors.push_back(
        broken("tile", extents_text(step.tile),
               base::format("the {} bytes of shared memory that a block of {} may have must hold "
                            "the {} bytes of sums of warps that share out K",
                            most, device.name, step.dynamic_smem_bytes)));
  const Index stage = smem_end(step, Alive::main_loop) / step.schedule.stages;
  std::string rule = base::format(
      "the {} bytes of shared memory that a block of {} may have must hold {} stages of {} bytes",
      most, device.name, step.schedule.stages, stage);
  if (most / stage >= kLeastStages)
    return errors.push_back(broken("stages", std::to_string(step.schedule.stages), std::move(rule),
                                   std::to_string(most / stage)));
  // Padding and swizzles take more than the elements alone.
  TileShape smaller = step.tile;
  smaller.k = static_cast<int>(nearest_multiple(step.tile.k / 2, tile_unit(step).k));
  errors.push_back(
      broken("tile", extents_text(step.tile), std::move(rule),
             smaller.k < step.tile.k ? std::optional(extents_text(smaller)) : std::nullopt));
}

void stage_keeps_swizzle(Errors& errors, const char* operand, const OperandPlan& plan) {
  const Index span = swizzle_span(stage_of(plan).smem.swizzle());
  if (stage_of(plan).stage_stride_elems % span != 0)
    errors.push_back(broken(
        base::format("{}.stage_stride", operand), std::to_string(stage_of(plan).stage_stride_elems),
        base::format("a stage must be a multiple of the swizzle's span ({} elements)", span),
        std::to_string(nearest_multiple(stage_of(plan).stage_stride_elems, span))));
}

/// Schedule, memory and epilogue; addresses where they are to be judged.
Errors stage_rules(const GemmStep& step, const DeviceInfo& device, bool with_addresses) {
  Errors errors = schedule_rules(step, device);
  if (with_addresses)
    for (Error& error : address_rules(step)) errors.push_back(std::move(error));
  stage_keeps_swizzle(errors, "smem_a", step.a);
  stage_keeps_swizzle(errors, "smem_b", step.b);
  for (Error& error : smem_map_rules(step)) errors.push_back(std::move(error));
  stages_fit(errors, step, device);
  for (Error& error : width_rules(step)) errors.push_back(std::move(error));
  for (Error& error : carrier_rules(step)) errors.push_back(std::move(error));
  for (Error& error : group_rules(step)) errors.push_back(std::move(error));
  for (Error& error : row_table_rules(step)) errors.push_back(std::move(error));
  for (Error& error : gate_rules(step)) errors.push_back(std::move(error));
  for (Error& error : straight_rules(step)) errors.push_back(std::move(error));
  for (Error& error : parts_of_k_rules(step)) errors.push_back(std::move(error));
  for (Error& error : promotion_rules(step)) errors.push_back(std::move(error));
  for (Error& error : product_rules(step)) errors.push_back(std::move(error));
  for (Error& error : drain_rules(step)) errors.push_back(std::move(error));
  for (Error& error : bit_rules(step)) errors.push_back(std::move(error));
  for (Error& error : epilogue_rules(step.epilogue)) errors.push_back(std::move(error));
  return errors;
}

}  // namespace

Errors stage_rules(const GemmStep& step, const DeviceInfo& device) {
  return stage_rules(step, device, true);
}

Errors derived_rules(const GemmStep& step, const DeviceInfo& device) {
  return stage_rules(step, device, !has_addresses(step));
}
namespace {

/// Rules that accesses of a kernel may rest on.
Errors multiple_rules(const GemmStep& step) {
  constexpr Index kMostElements = 16;
  Errors errors;
  const auto judge = [&](const char* name, const Extent& extent) {
    const Index of = extent.multiple_of;
    if (of >= 1 && kMostElements % of == 0 &&
        (of == 1 || (!extent.baked && extent.value % of == 0)))
      return;
    errors.push_back(broken(base::format("{}.multiple_of", name), std::to_string(of),
                            base::format("of a parameter a power of two up to {} that divides it "
                                         "must be said, of a literal 1",
                                         kMostElements),
                            "1"));
  };
  const EpiloguePlan& out = step.epilogue;
  judge("m", step.m);
  judge("n", step.n);
  judge("k", step.k);
  judge("batch", step.batch);
  for (const OperandPlan* operand : {&step.a, &step.b}) {
    judge("ld", operand->ld);
    judge("batch_stride", operand->batch_stride);
  }
  for (const Extent* extent : {&out.ldc, &out.ldd, &out.c_batch_stride, &out.d_batch_stride})
    judge("epilogue", *extent);
  for (const auto* operands : {&out.inputs, &out.outputs})
    for (const EpilogueOperandPlan& operand : *operands) {
      judge("ld", operand.ld);
      judge("batch_stride", operand.batch_stride);
    }
  return errors;
}

}  // namespace

Errors step_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors = multiple_rules(step);
  if (errors.empty()) errors = mma_rules(step);
  if (errors.empty()) errors = tile_rules(step, device);
  if (errors.empty()) errors = smem_rules(step, device);
  if (errors.empty()) errors = stage_rules(step, device);
  return errors;
}

}  // namespace jute::plan
