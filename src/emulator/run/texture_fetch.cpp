// Fetches from textures. Source: CUDA C++ Programming Guide, texture fetching: clamping, wrapping
// and the weights of linear filtering, which have 8 bits of fraction.
#include <cmath>

#include "emulator/run/memory_access.hpp"
#include "emulator/run/texture_access.hpp"
#include "emulator/tensor/number_fields.hpp"

namespace jute::emulator {
namespace {

Index into_range(Index at, Index extent, TextureAddressing addressing) {
  switch (addressing) {
    case TextureAddressing::border:
      return at < 0 || at >= extent ? -1 : at;
    case TextureAddressing::clamp:
      return std::clamp<Index>(at, 0, extent - 1);
    case TextureAddressing::wrap:
      return (at % extent + extent) % extent;
    case TextureAddressing::mirror: {
      const Index period = (at % (2 * extent) + 2 * extent) % (2 * extent);
      return period < extent ? period : 2 * extent - 1 - period;
    }
  }
  return -1;
}

TextureAddressing addressing_of(const TextureSpec& spec, size_t axis) {
  const TextureAddressing asked = spec.addressing[axis];
  const bool repeats = asked == TextureAddressing::wrap || asked == TextureAddressing::mirror;
  return repeats && !spec.normalizes_coordinates ? TextureAddressing::clamp : asked;
}

/// A coordinate in texels. What is far outside stays outside, and NaN is 0.
double in_texels(const TextureSpec& spec, size_t axis, float coordinate) {
  const double scale =
      spec.normalizes_coordinates ? static_cast<double>(extent_of(spec, axis)) : 1.0;
  const double texels = static_cast<double>(coordinate) * scale;
  constexpr double kFar = 1e15;
  return std::isnan(texels) ? 0.0 : std::clamp(texels, -kFar, kFar);
}

/// The channels of one texel as numbers, and as registers where nothing is filtered.
using Channels = std::array<float, 4>;

float channel_value(const TextureSpec& spec, std::uint32_t bits) {
  switch (spec.type) {
    case TexelType::u8:
      return static_cast<float>(bits) / 255.0F;
    case TexelType::s8:
      return std::max(static_cast<float>(static_cast<std::int8_t>(bits)) / 127.0F, -1.0F);
    case TexelType::u16:
      return static_cast<float>(bits) / 65535.0F;
    case TexelType::s16:
      return std::max(static_cast<float>(static_cast<std::int16_t>(bits)) / 32767.0F, -1.0F);
    case TexelType::f16:
      return static_cast<float>(value_of(bits, MmaType::f16));
    default:
      return std::bit_cast<float>(bits);
  }
}

std::uint32_t channel_bits(const TextureSpec& spec, const std::byte* texel, int channel) {
  std::uint32_t bits = 0;
  const auto bytes = static_cast<size_t>(texel_type_bytes(spec.type));
  std::memcpy(&bits, texel + static_cast<size_t>(channel) * bytes, bytes);
  return bits;
}

/// The register of an integer that is not read as a fraction.
std::uint32_t extended(TexelType type, std::uint32_t bits) {
  if (type == TexelType::s8) return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
  if (type == TexelType::s16) return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
  return bits;
}

bool gives_floats(const TextureSpec& spec) {
  return spec.normalizes_values || spec.type == TexelType::f16 || spec.type == TexelType::f32;
}

/// One fetch of up to 32 lanes from one object.
class Fetch {
 public:
  Fetch(Warp& warp, const TextureUse& use, const TextureObject& object, std::uint32_t mask)
      : warp_(warp), use_(use), access_(warp, use, object), mask_(mask) {}

  void run() {
    const TextureSpec& spec = access_.spec();
    const bool filters = use_.coordinates_are_floats && spec.filter == TextureFilter::linear;
    if (filters) {
      filter();
    } else {
      pick();
    }
    access_.poison_undefined(undefined_, static_cast<int>(texel_bytes(spec)));
  }

 private:
  [[nodiscard]] double coordinate(size_t axis, size_t lane) const {
    return in_texels(access_.spec(), axis,
                     read_register<float>(warp_, use_.coordinates[axis], lane));
  }

  // Integers name a texel; outside is zero, whatever the addressing.
  [[nodiscard]] Index picked(size_t axis, size_t lane) const {
    const TextureSpec& spec = access_.spec();
    const Index extent = extent_of(spec, axis);
    if (use_.coordinates_are_floats)
      return into_range(static_cast<Index>(std::floor(coordinate(axis, lane))), extent,
                        addressing_of(spec, axis));
    return into_range(read_register<std::int32_t>(warp_, use_.coordinates[axis], lane), extent,
                      TextureAddressing::border);
  }

  void pick() {
    const TextureSpec& spec = access_.spec();
    Places places;
    for (const size_t lane : lanes_of(mask_)) {
      places.layer[lane] = access_.layer(lane);
      for (size_t axis = 0; axis < static_cast<size_t>(use_.dimensions); ++axis)
        places.at[lane][axis] = picked(axis, lane);
    }
    Resolved where;
    const std::uint32_t inside = load(places, where);
    for (const size_t lane : lanes_of(mask_)) {
      for (int channel = 0; channel < 4; ++channel) {
        std::uint32_t value = 0;
        if (((inside >> lane) & 1) != 0 && channel < spec.channels) {
          const std::uint32_t bits = channel_bits(spec, where.data[lane], channel);
          value = gives_floats(spec) ? std::bit_cast<std::uint32_t>(channel_value(spec, bits))
                                     : extended(spec.type, bits);
        }
        write_register(warp_, use_.data[static_cast<size_t>(channel)], lane, value);
      }
    }
  }

  // The two neighbours along each axis, weighted by how near they are.
  void filter() {
    const TextureSpec& spec = access_.spec();
    const auto axes = static_cast<size_t>(use_.dimensions);
    std::array<Channels, kWarpLanes> sums{};
    for (std::uint32_t corner = 0; corner < (1U << axes); ++corner) {
      Places places;
      std::array<float, kWarpLanes> weights{};
      for (const size_t lane : lanes_of(mask_)) {
        places.layer[lane] = access_.layer(lane);
        weights[lane] = 1.0F;
        for (size_t axis = 0; axis < axes; ++axis) {
          const bool upper = ((corner >> axis) & 1) != 0;
          const double at = coordinate(axis, lane) - 0.5;
          const double low = std::floor(at);
          const auto fraction = static_cast<float>(std::round((at - low) * 256.0) / 256.0);
          weights[lane] *= upper ? fraction : 1.0F - fraction;
          places.at[lane][axis] = into_range(static_cast<Index>(low) + (upper ? 1 : 0),
                                             extent_of(spec, axis), addressing_of(spec, axis));
        }
      }
      add_corner(places, weights, sums);
    }
    for (const size_t lane : lanes_of(mask_)) {
      for (size_t channel = 0; channel < 4; ++channel)
        write_register(warp_, use_.data[channel], lane,
                       std::bit_cast<std::uint32_t>(sums[lane][channel]));
    }
  }

  void add_corner(const Places& places, const std::array<float, kWarpLanes>& weights,
                  std::array<Channels, kWarpLanes>& sums) {
    const TextureSpec& spec = access_.spec();
    Resolved where;
    for (const size_t lane : lanes_of(load(places, where))) {
      if (weights[lane] == 0.0F) continue;
      for (int channel = 0; channel < spec.channels; ++channel)
        sums[lane][static_cast<size_t>(channel)] +=
            weights[lane] * channel_value(spec, channel_bits(spec, where.data[lane], channel));
    }
  }

  /// Lanes whose place lies inside, and their texels.
  std::uint32_t load(const Places& places, Resolved& where) {
    std::uint32_t inside = 0;
    for (const size_t lane : lanes_of(mask_)) {
      if (std::ranges::all_of(places.at[lane], [](Index at) { return at >= 0; }))
        inside |= 1U << lane;
    }
    if (inside == 0) return 0;
    const Index bytes = texel_bytes(access_.spec());
    access_.resolve_places(places, inside, AccessKind::load, bytes, where);
    if (where.tracks_defined && !is_all_written(where, static_cast<int>(bytes)))
      undefined_ |= undefined_lanes(warp_, where, {0, static_cast<int>(bytes), 0xFFFF});
    return inside & where.ok;
  }

  Warp& warp_;
  const TextureUse& use_;
  ObjectAccess access_;
  std::uint32_t mask_;
  std::uint32_t undefined_ = 0;
};

}  // namespace

void run_texture_fetch(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.use_of<TextureUse>(instruction);
  const std::uint32_t served =
      for_each_object(warp, use, mask, [&](const TextureObject& object, std::uint32_t same) {
        Fetch(warp, use, object, same).run();
      });
  write_zeros(warp, use, mask & ~served, sizeof(std::uint32_t));
}

void run_texture_query(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const TextureUse& use = warp.block->program.use_of<TextureUse>(instruction);
  for (const size_t lane : lanes_of(mask)) {
    const auto handle = read_register<std::uint64_t>(warp, use.handle, lane);
    const TextureObject* object = warp.block->launch.textures->find(handle);
    if (object == nullptr) report_object(warp, 1U << lane, *object_mismatch(use, object, handle));
    const Index extent = object == nullptr ? 0 : object->spec.extents[instruction.target];
    write_register(warp, instruction.dst, lane, static_cast<std::uint32_t>(extent));
  }
}

}  // namespace jute::emulator
