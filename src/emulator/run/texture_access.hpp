#pragma once
// What fetches and surface accesses share: the objects that lanes name, and where texels lie.
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/run/texture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

namespace jute::emulator {

template <class T>
T read_register(const LaneState& lanes, Slot slot, size_t lane) {
  T value;
  std::memcpy(&value, lanes.at(slot) + lane * sizeof(T), sizeof(T));
  return value;
}
inline void write_register(LaneState& lanes, Slot slot, size_t lane, std::uint32_t value) {
  std::memcpy(lanes.at(slot) + lane * sizeof(value), &value, sizeof(value));
}

/// Texels of an object, one a lane; a negative index lies outside and reads as zero.
struct Places {
  std::array<std::array<Index, 3>, kWarpLanes> at{};
  std::array<Index, kWarpLanes> layer{};
};

[[nodiscard]] inline Index texel_bytes(const TextureSpec& spec) {
  return Index{texel_type_bytes(spec.type)} * spec.channels;
}
[[nodiscard]] inline Index extent_of(const TextureSpec& spec, size_t axis) {
  return std::max<Index>(spec.extents[axis], 1);
}

/// The lanes of one access that use one object.
class ObjectAccess {
 public:
  ObjectAccess(Warp& warp, const TextureUse& use, const TextureObject& object)
      : warp_(warp), use_(use), object_(object) {}

  [[nodiscard]] const TextureSpec& spec() const { return object_.spec; }
  [[nodiscard]] Index layer(size_t lane) const;
  /// From places to bytes of the host.
  void resolve_places(const Places& places, std::uint32_t mask, AccessKind kind, Index bytes,
                      Resolved& where) const;
  /// Registers of lanes whose bytes were never written: whoever uses them is told.
  void poison_undefined(std::uint32_t lanes, int bytes) const;

 private:
  Warp& warp_;
  const TextureUse& use_;
  const TextureObject& object_;
};

/// Finding M8 for these lanes.
void report_object(Warp& warp, std::uint32_t lanes, const std::string& what);
/// Why an instruction cannot use this object; nothing when it can.
[[nodiscard]] std::optional<std::string> object_mismatch(const TextureUse& use,
                                                         const TextureObject* object,
                                                         std::uint64_t handle);
/// Registers of the access become 0.
void write_zeros(Warp& warp, const TextureUse& use, std::uint32_t mask, size_t register_bytes);

/// Calls `run(object, lanes)` for every object that lanes use; others are reported.
template <class Run>
std::uint32_t for_each_object(Warp& warp, const TextureUse& use, std::uint32_t mask, Run run) {
  std::uint32_t served = 0;
  while (mask != 0) {
    const auto first = static_cast<size_t>(std::countr_zero(mask));
    const auto handle = read_register<std::uint64_t>(warp, use.handle, first);
    std::uint32_t same = 0;
    for (const size_t lane : lanes_of(mask)) {
      if (read_register<std::uint64_t>(warp, use.handle, lane) == handle) same |= 1U << lane;
    }
    const TextureObject* object = warp.block->launch.textures->find(handle);
    if (const auto wrong = object_mismatch(use, object, handle)) {
      report_object(warp, same, *wrong);
    } else {
      served |= same;
      run(*object, same);
    }
    mask &= ~same;
  }
  return served;
}

}  // namespace jute::emulator
