// Loads and stores of surfaces.
#include "base/format.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/run/texture_access.hpp"

namespace jute::emulator {
namespace {

/// Where lanes of a surface access touch memory; what lies outside is clamped, left out or
/// reported.
std::uint32_t surface_places(Warp& warp, const TextureUse& use, const ObjectAccess& access,
                             std::uint32_t mask, Places& places) {
  const TextureSpec& spec = access.spec();
  const Index bytes = Index{use.element_bytes} * use.count;
  std::uint32_t inside = 0;
  std::uint32_t trapped = 0;
  for (const size_t lane : lanes_of(mask)) {
    places.layer[lane] = access.layer(lane);
    bool is_inside = true;
    for (size_t axis = 0; axis < static_cast<size_t>(use.dimensions); ++axis) {
      const Index at = read_register<std::int32_t>(warp, use.coordinates[axis], lane);
      const Index last =
          axis == 0 ? extent_of(spec, 0) * texel_bytes(spec) - bytes : extent_of(spec, axis) - 1;
      is_inside = is_inside && at >= 0 && at <= last;
      places.at[lane][axis] = std::clamp<Index>(at, 0, std::max<Index>(last, 0));
    }
    if (is_inside || use.outside == TextureUse::Outside::clamp) {
      inside |= 1U << lane;
    } else if (use.outside == TextureUse::Outside::trap) {
      trapped |= 1U << lane;
    }
  }
  report_object(
      warp, trapped,
      base::format("{} bytes outside the surface: its rows have {} bytes, of which the first "
                   "coordinate names one",
                   bytes, spec.extents[0] * texel_bytes(spec)));
  return inside;
}

size_t surface_register_bytes(const TextureUse& use) {
  return static_cast<size_t>(std::max(use.element_bytes, 2));
}

/// Calls visit(access, where, lanes inside) for each surface that the lanes name.
template <class Visit>
void each_surface(Warp& warp, const TextureUse& use, std::uint32_t mask, AccessKind kind,
                  Visit visit) {
  for_each_object(warp, use, mask, [&](const TextureObject& object, std::uint32_t same) {
    const ObjectAccess access(warp, use, object);
    Places places;
    const std::uint32_t inside = surface_places(warp, use, access, same, places);
    if (inside == 0) return;
    Resolved where;
    access.resolve_places(places, inside, kind, use.element_bytes * use.count, where);
    visit(access, where, inside);
  });
}
/// Calls move(register, memory, bytes) for each element of these lanes' texels.
template <class Move>
void each_element(const Warp& warp, const TextureUse& use, const Resolved& where,
                  std::uint32_t lanes, Move move) {
  const size_t register_bytes = surface_register_bytes(use);
  const auto bytes = static_cast<size_t>(use.element_bytes);
  for (const size_t lane : lanes_of(lanes)) {
    for (size_t i = 0; i < static_cast<size_t>(use.count); ++i)
      move(warp.at(use.data[i]) + lane * register_bytes, where.data[lane] + i * bytes, bytes);
  }
}

}  // namespace

void run_surface_load(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.use_of<TextureUse>(instruction);
  write_zeros(warp, use, mask, surface_register_bytes(use));
  const auto load = [&](const ObjectAccess& access, const Resolved& where, std::uint32_t inside) {
    each_element(warp, use, where, inside, [](std::byte* to, const std::byte* from, size_t bytes) {
      std::memcpy(to, from, bytes);
    });
    const int bytes = use.element_bytes * use.count;
    if (where.tracks_defined && !is_all_written(where, bytes))
      access.poison_undefined(undefined_lanes(warp, where, {0, bytes, 0xFFFF}), bytes);
  };
  each_surface(warp, use, mask, AccessKind::load, load);
}

void run_surface_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.use_of<TextureUse>(instruction);
  const auto store = [&](const ObjectAccess&, const Resolved& where, std::uint32_t) {
    if (where.tracks_defined) set_defined(use.element_bytes * use.count, where);
    each_element(
        warp, use, where, where.ok,
        [](const std::byte* from, std::byte* to, size_t bytes) { std::memcpy(to, from, bytes); });
  };
  each_surface(warp, use, mask, AccessKind::store, store);
  ++warp.effects;  // what follows may see the effect
}

}  // namespace jute::emulator
