// Where an atom's layouts put each value of a tile in a probe's buffers.
#include "proof/mma_places.hpp"

#include "base/format.hpp"
#include "proof/probe_run.hpp"

namespace jute::proof {
namespace {

/// Buffer names and tile heights, by operand.
struct PlaceSide {
  std::string_view buffer;
  int rows = 1;
};
PlaceSide side(const MmaAtom& atom, Operand operand) {
  switch (operand) {
    case Operand::a:
      return {"a", atom.shape.m};
    case Operand::b:
      return {"b", atom.shape.n};
    case Operand::c:
      return {"c", atom.shape.m};
    case Operand::d:
      break;
  }
  return {"d", atom.shape.m};
}

bool is_shared(const MmaAtom& atom, Operand operand) {
  return register_of(atom, operand) == RegisterType::smem_descriptor;
}

Index lane_bits(const Probe& probe, std::string_view buffer) {
  return 8 * unit_bytes(probe.buffers[index_of(probe, buffer)]);
}

/// The bits of the group's stored values, in a thread's registers or in the tile.
std::array<Index, 4> stored_bits(const MmaAtom& atom, const Probe& probe, int group, Index thread,
                                 Index value) {
  std::array<Index, 4> bits{};
  const int stored = group / atom.a_type.values_per_element;
  const bool shared = is_shared(atom, Operand::a);
  const ComposedLayout tile = shared ? probe_tile(atom, Operand::a) : ComposedLayout();
  for (int s = 0; s < stored; ++s) {
    const auto at = static_cast<size_t>(s);
    if (shared) {
      const Index row = value % atom.shape.m, column = value / atom.shape.m;
      bits[at] = tile(row, column / group * stored + s) * atom.a_type.bits;
    } else {
      bits[at] = atom.thr_id(thread) * lane_bits(probe, "a") +
                 (value / group * stored + s) * atom.a_type.bits;
    }
  }
  return bits;
}

void place_metadata(const MmaAtom& atom, const Probe& probe, SparsePlaces& result) {
  const Layout& layout = atom.metadata->layout;
  const Index threads = size(layout[0]), values = size(layout[1]);
  for (Index thread = 0; thread < threads; ++thread)
    for (Index value = 0; value < values; value += result.group) {
      const Index offset = layout(thread, value);
      const Index m = offset % atom.shape.m, k = offset / atom.shape.m;
      result.nibbles[static_cast<size_t>(m + atom.shape.m * (k / result.group))].push_back(
          atom.thr_id(thread) * lane_bits(probe, "metadata") + value / result.group * 4);
    }
  result.metadata_pairs = threads * values;
}

/// Does each nibble describe neighbours along K that start where a group starts?
std::optional<std::string> broken_metadata(const MmaAtom& atom) {
  const Layout& layout = atom.metadata->layout;
  const int group = atom.metadata->type.values_per_element / 2;
  for (Index thread = 0; thread < size(layout[0]); ++thread)
    for (Index value = 0; value < size(layout[1]); ++value) {
      const Index first = layout(thread, value / group * group);
      const Index expected = first + value % group * atom.shape.m;
      const bool starts = first / atom.shape.m % group == 0;
      if (starts && layout(thread, value) == expected) continue;
      return base::format("metadata thread {} value {}: a nibble describes {} neighbours along K",
                          thread, value, group);
    }
  return std::nullopt;
}

}  // namespace

std::vector<MmaPlace> places(const MmaAtom& atom, Operand operand, const Probe& probe) {
  const Layout& layout = tv_layout(atom, operand);
  const auto [buffer, rows] = side(atom, operand);
  const bool shared = is_shared(atom, operand);
  const Index lane = lane_bits(probe, buffer);
  const int bits = type_of(atom, operand).bits;
  const ComposedLayout tile = shared ? probe_tile(atom, operand) : ComposedLayout();
  const Index threads = shared ? 1 : size(layout[0]), values = size(layout[1]);
  std::vector<MmaPlace> result;
  result.reserve(static_cast<size_t>(threads * values));
  for (Index thread = 0; thread < threads; ++thread)
    for (Index value = 0; value < values; ++value) {
      const Index offset = layout(thread, value);
      const Index bit = shared ? tile(value % rows, value / rows) * bits
                               : atom.thr_id(thread) * lane + value * bits;
      result.push_back({static_cast<int>(thread), value, bit, static_cast<int>(offset % rows),
                        static_cast<int>(offset / rows)});
    }
  return result;
}

SparseChoice SparsePlaces::choose(int position) const {
  if (group == 2) return {position == 0 ? kFirst : 0xE, 0};
  // Each position is stored beside another that makes its nibble differ from kFirst.
  static constexpr std::array<SparseChoice, 4> kChoices = {
      {{0 | 3 << 2, 0}, {1 | 2 << 2, 0}, {1 | 2 << 2, 1}, {0 | 3 << 2, 1}}};
  const int unit = group / 4;  // 4-bit values are stored in pairs
  const SparseChoice choice = kChoices[static_cast<size_t>(position / unit)];
  return {choice.nibble, choice.stored * unit + position % unit};
}

SparsePlaces sparse_places(const MmaAtom& atom, const Probe& probe) {
  SparsePlaces result;
  result.group = atom.metadata->type.values_per_element / 2;
  const Layout& layout = atom.a_layout;
  const bool shared = is_shared(atom, Operand::a);
  const Index tile = Index{atom.shape.m} * atom.shape.k;
  result.values.resize(static_cast<size_t>(tile));
  result.nibbles.resize(static_cast<size_t>(tile / result.group));
  for (Index thread = 0; thread < (shared ? 1 : size(layout[0])); ++thread)
    for (Index value = 0; value < size(layout[1]); ++value) {
      SparsePlace& place = result.values[static_cast<size_t>(layout(thread, value))];
      place.position = static_cast<int>((shared ? value / atom.shape.m : value) % result.group);
      place.bits = stored_bits(atom, probe, result.group, thread, value);
    }
  place_metadata(atom, probe, result);
  return result;
}

std::optional<std::string> broken_form(const MmaAtom& atom) {
  for (const Operand operand : {Operand::a, Operand::b}) {
    if (!is_shared(atom, operand)) continue;
    const Layout& layout = tv_layout(atom, operand);
    for (Index thread = 1; thread < size(layout[0]); ++thread)
      if (layout(thread, 0) != layout(0, 0))
        return base::format("{} thread {} value 0: all threads see shared memory alike",
                            operand == Operand::a ? "A" : "B", thread);
  }
  return atom.metadata ? broken_metadata(atom) : std::nullopt;
}

}  // namespace jute::proof
