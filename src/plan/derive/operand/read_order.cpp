// Sorts the modes of a thread's values by where they lie.
#include "plan/derive/operand/read_order.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "plan/derive/operand/matrix_read.hpp"
#include "plan/derive/operand/vector_width.hpp"

namespace jute::plan {
namespace {

/// Values of a thread that lie evenly apart in the tile.
struct Mode {
  Index extent, stride;  ///< in the tile
  Index place;           ///< in the fragments: from one value to the next
  bool is_repeat;        ///< along M or N, from instruction to instruction
};

void add_modes(std::vector<Mode>& modes, const Layout& layout, Index place, bool are_repeats) {
  const std::vector<Index> shape = layout.flat_shape(), stride = layout.flat_stride();
  for (size_t i = 0; i < shape.size(); place *= shape[i], ++i)
    if (shape[i] > 1) modes.push_back({shape[i], stride[i], place, are_repeats});
}

/// Moves modes to the front that go on where the ones before end in memory.
void put_neighbours_first(std::vector<Mode>& modes, const Layout& memory) {
  Index run = 1;
  for (auto next = modes.begin(); next != modes.end(); ++next) {
    const auto goes_on = [&](const Mode& mode) { return memory(mode.stride) == run; };
    const auto found = std::find_if(next, modes.end(), goes_on);
    if (found == modes.end()) return;
    run *= found->extent;
    std::rotate(next, found, found + 1);
  }
}

/// The order of modes one behind the other, for threads, and whatever else a value may be of. Of
/// one element.
ReadOrder order_of(const std::vector<Mode>& modes, const Layout& threads, const Layout& rest) {
  std::vector<Layout> places, elements;
  for (const Mode& mode : modes) {
    places.emplace_back(mode.extent, mode.place);
    elements.emplace_back(mode.extent, mode.stride);
  }
  return {coalesce(make_layout(places)),
          make_layout({threads, make_layout({make_layout(elements), rest})})};
}

}  // namespace

std::optional<ReadOrder> read_order(const OperandPlan& operand, const Fragment& fragment,
                                    int k_steps_at_once) {
  const Layout values = fragment.tv[1][0], repeats = fragment.tv[1][1];
  const std::optional<Layout> steps = cut_after(fragment.tv[1][2], k_steps_at_once);
  if (!steps) return std::nullopt;
  const int count = fragment.values * fragment.repeats * k_steps_at_once;
  const int limit = std::gcd(count, std::max(1, 16 / width_bytes(operand.type)));
  const auto width_of = [&](const Layout& tv) {
    return widest_vector(stage_of(operand).smem, tv, limit);
  };
  ReadOrder own{Layout(count), fragment.tv, width_of(fragment.tv)};
  if (k_steps_at_once == 1) return own;
  std::vector<Mode> modes;
  add_modes(modes, values, 1, false);
  add_modes(modes, (*steps)[0], Index{fragment.values} * fragment.repeats, false);
  add_modes(modes, repeats, fragment.values, true);
  put_neighbours_first(modes, stage_of(operand).smem.layout());
  if (modes.empty()) return own;
  ReadOrder sorted = order_of(modes, fragment.tv[0], (*steps)[1]);
  sorted.elems = width_of(sorted.tv);
  return sorted.elems >= own.elems ? sorted : own;
}

ReadOrder load_order(const Layout& memory, const Fragment& fragment, int most) {
  const Index repeats = fragment.values, steps = repeats * fragment.repeats;
  ReadOrder own{Layout(), fragment.tv, widest_vector(memory, fragment.tv, most)};
  std::vector<Mode> modes;
  add_modes(modes, fragment.tv[1][0], 1, false);
  add_modes(modes, fragment.tv[1][1], repeats, true);
  add_modes(modes, fragment.tv[1][2], steps, false);
  put_neighbours_first(modes, memory);
  if (modes.empty()) return own;
  ReadOrder sorted = order_of(modes, fragment.tv[0], Layout());
  sorted.elems = widest_vector(memory, sorted.tv, most);
  return sorted.elems > own.elems ? sorted : own;
}

}  // namespace jute::plan
