// Loads and stores of surfaces.
#include "base/format.hpp"
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
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(mask));
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

}  // namespace

void run_surface_load(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.textures[instruction.extra];
  const size_t register_bytes = surface_register_bytes(use);
  const auto element = static_cast<size_t>(use.element_bytes);
  write_zeros(warp, use, mask, register_bytes);
  for_each_object(warp, use, mask, [&](const TextureObject& object, std::uint32_t same) {
    const ObjectAccess access(warp, use, object);
    Places places;
    const std::uint32_t inside = surface_places(warp, use, access, same, places);
    if (inside == 0) return;
    const int bytes = use.element_bytes * use.count;
    Resolved where;
    access.resolve_places(places, inside, AccessKind::load, bytes, where);
    for (std::uint32_t rest = inside; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      for (size_t i = 0; i < static_cast<size_t>(use.count); ++i)
        std::memcpy(warp.at(use.data[i]) + lane * register_bytes, where.data[lane] + i * element,
                    element);
    }
    if (where.tracks_defined && !is_all_written(where, bytes))
      access.poison_undefined(undefined_lanes(warp, where, {0, bytes, 0xFFFF}), bytes);
  });
}

void run_surface_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.textures[instruction.extra];
  const size_t register_bytes = surface_register_bytes(use);
  const auto element = static_cast<size_t>(use.element_bytes);
  for_each_object(warp, use, mask, [&](const TextureObject& object, std::uint32_t same) {
    const ObjectAccess access(warp, use, object);
    Places places;
    const std::uint32_t inside = surface_places(warp, use, access, same, places);
    if (inside == 0) return;
    const int bytes = use.element_bytes * use.count;
    Resolved where;
    access.resolve_places(places, inside, AccessKind::store, bytes, where);
    if (where.tracks_defined) set_defined(bytes, where);
    for (std::uint32_t rest = where.ok; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      for (size_t i = 0; i < static_cast<size_t>(use.count); ++i)
        std::memcpy(where.data[lane] + i * element, warp.at(use.data[i]) + lane * register_bytes,
                    element);
    }
  });
  warp.last_poll_at = nullptr;  // what follows may see the effect
}

}  // namespace jute::emulator
