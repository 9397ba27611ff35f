// The rules of shared-memory layouts, in numbers that cannot overflow.
#include "plan/rules/smem_rules.hpp"

#include <jute/layout/address.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/properties.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <optional>

#include "base/format.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/products.hpp"

namespace jute::plan {
namespace {

/// A tile's place: the name of the choice, its extents, the bytes it may lie in.
struct TilePlace {
  const char* operand;
  const OperandPlan& plan;
  int mn, k, terms;
  Index bytes;
};

/// The smallest and the largest offset before the swizzle.
struct OffsetRange {
  Index least, most;
};

/// Nothing where one leaves 64 bits.
std::optional<OffsetRange> offset_range(const ComposedLayout& smem) {
  const std::vector<Index> shape = smem.layout().flat_shape();
  const std::vector<Index> stride = smem.layout().flat_stride();
  OffsetRange range{smem.offset(), smem.offset()};
  for (size_t mode = 0; mode < shape.size(); ++mode) {
    Index& end = stride[mode] < 0 ? range.least : range.most;
    Index reach = 0;
    if (__builtin_mul_overflow(stride[mode], shape[mode] - 1, &reach) ||
        __builtin_add_overflow(end, reach, &end))
      return std::nullopt;
  }
  return range;
}

/// Do all offsets lie in 0 … elements-1, before the swizzle and behind it?
bool lies_within(const ComposedLayout& smem, Index elements) {
  const std::optional<OffsetRange> range = offset_range(smem);
  return range && range->least >= 0 && range->most < elements &&
         swizzle_span(smem.swizzle()) <= elements;
}

/// A tile's, or that of all terms of a split operand's.
bool has_shape(const Layout& layout, int mn, int k, int terms) {
  if (!layout.shape().is_tuple() || layout.rank() < 2 || layout.rank() > 3) return false;
  return bounded_size(layout[0].view(), mn) == mn && bounded_size(layout[1].view(), k) == k &&
         (layout.rank() == 2 || (terms > 1 && bounded_size(layout[2].view(), terms) == terms));
}

void layout_holds_tile(Errors& errors, const TilePlace& place) {
  const OperandPlan& plan = place.plan;
  const int mn = place.mn, k = place.k;
  const auto refuse = [&](std::string rule) {
    errors.push_back(broken(place.operand, to_string(stage_of(plan).smem), std::move(rule),
                            to_string(compact_layout(mn, k, plan.major))));
  };
  const Layout& layout = stage_of(plan).smem.layout();
  if (!layout.is_plain() || !has_shape(layout, mn, k, place.terms))
    return refuse(base::format("the layout must have the shape ({},{}) of its tile", mn, k));
  if (!lies_within(stage_of(plan).smem, place.bytes / width_bytes(staged_type(plan))))
    return refuse(base::format(
        "offsets, and the span after which the swizzle repeats, must lie in the {} bytes that half "
        "of a block's shared memory has",
        place.bytes));
  if (!is_injective(stage_of(plan).smem))
    refuse("no two elements of the tile must share an offset");
}

}  // namespace

Errors smem_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors;
  if (is_straight(step)) return errors;                // no operand lies in shared memory
  const Index half = device.smem_bytes_per_block / 2;  // two stages at least
  const TileShape tile = multiplied(step);
  const auto along_k = [&](const OperandPlan& operand) {
    return static_cast<int>(staged_along_k(operand, tile.k));
  };
  layout_holds_tile(errors, {"smem_a", step.a, tile.m, along_k(step.a), terms_of(step), half});
  layout_holds_tile(errors, {"smem_b", step.b, tile.n, along_k(step.b), terms_of(step), half});
  return errors;
}

Errors product_rules(const GemmStep& step) {
  if (step.products.empty()) return {};
  if (!tma_of(step.a).boxes || !tma_of(step.b).boxes)
    return {broken("products", std::to_string(step.products.size()),
                   "products of split operands need tiles that TMA loads: there must be none",
                   "0")};
  Errors errors;
  for (const auto& [name, operand] : {std::pair("smem_a", &step.a), std::pair("smem_b", &step.b)}) {
    const Layout& layout = stage_of(*operand).smem.layout();
    const ComposedLayout one(stage_of(*operand).smem.swizzle(), stage_of(*operand).smem.offset(),
                             make_layout({layout[0], layout[1]}));
    const ComposedLayout all = with_terms(one, terms_of(step), operand->type);
    if (!(stage_of(*operand).smem == all) ||
        stage_of(*operand).stage_stride_elems != stage_stride(all, operand->type))
      errors.push_back(broken(name, to_string(stage_of(*operand).smem),
                              "a stage must hold all terms of its tile, one behind the other",
                              to_string(all)));
  }
  return errors;
}

}  // namespace jute::plan
