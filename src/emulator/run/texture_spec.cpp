// Rules of texture objects.
#include <jute/base/checked.hpp>
#include <jute/emulator/texture.hpp>

#include <string>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

// CUDA C++ Programming Guide, technical specifications: the widest one-dimensional linear memory.
constexpr Index kMostExtent = Index{1} << 28;
constexpr Index kMostBytes = Index{1} << 40;

Index texel_bytes(const TextureSpec& spec) {
  return Index{texel_type_bytes(spec.type)} * spec.channels;
}
Index at_least_one(Index extent) { return extent == 0 ? 1 : extent; }

}  // namespace

int texel_type_bytes(TexelType type) {
  switch (type) {
    case TexelType::u8:
    case TexelType::s8:
      return 1;
    case TexelType::u16:
    case TexelType::s16:
    case TexelType::f16:
      return 2;
    default:
      return 4;
  }
}

int dimensions(const TextureSpec& spec) {
  return spec.extents[1] == 0 ? 1 : spec.extents[2] == 0 ? 2 : 3;
}

TextureSpec with_strides(TextureSpec spec) {
  if (spec.row_bytes == 0)
    spec.row_bytes = checked_mul(spec.extents[0], texel_bytes(spec), "a texture's row");
  if (spec.slice_bytes == 0)
    spec.slice_bytes =
        checked_mul(spec.row_bytes, at_least_one(spec.extents[1]), "a texture's slice");
  return spec;
}

Index span_bytes(const TextureSpec& spec) {
  const Index rows = at_least_one(spec.extents[1]);
  const Index slices = at_least_one(spec.layers > 0 ? spec.layers : spec.extents[2]);
  const Index before = checked_mul(slices - 1, spec.slice_bytes, "a texture's slices");
  const Index last = checked_mul(rows - 1, spec.row_bytes, "a texture's rows");
  const Index row = checked_mul(spec.extents[0], texel_bytes(spec), "a texture's row");
  return checked_add(checked_add(before, last, "a texture's bytes"), row, "a texture's bytes");
}

std::optional<Error> check(const TextureSpec& spec, DevicePointer base) {
  std::vector<std::string> broken;
  const auto require = [&](bool holds, std::string rule) {
    if (!holds) broken.push_back(std::move(rule));
  };
  require(spec.channels == 1 || spec.channels == 2 || spec.channels == 4,
          "a texel must have 1, 2 or 4 channels");
  bool in_range = spec.extents[0] > 0 && spec.layers >= 0 && spec.layers <= kMostExtent;
  for (const Index extent : spec.extents)
    in_range = in_range && extent >= 0 && extent <= kMostExtent;
  require(in_range, base::format("extents must lie between 1 and {}", kMostExtent));
  require(spec.extents[2] == 0 || spec.extents[1] > 0, "a depth needs a height");
  require(spec.layers == 0 || spec.extents[2] == 0, "layers must have one or two dimensions");
  const bool is_float = spec.type == TexelType::f16 || spec.type == TexelType::f32;
  const bool is_narrow = texel_type_bytes(spec.type) < 4 && !is_float;
  require(!spec.normalizes_values || is_narrow,
          "values that are read as fractions must be integers of 8 or 16 bits");
  require(spec.filter == TextureFilter::point || is_float || spec.normalizes_values,
          "linear filtering needs floats or integers that are read as fractions");
  if (broken.empty()) {
    const Index texel = texel_bytes(spec);
    require(spec.row_bytes >= spec.extents[0] * texel && spec.row_bytes <= kMostBytes,
            base::format("a row must have at least the {} bytes of its texels",
                         spec.extents[0] * texel));
    require(spec.slice_bytes / at_least_one(spec.extents[1]) >= spec.row_bytes &&
                spec.slice_bytes <= kMostBytes,
            "a slice must have at least the bytes of its rows");
    require(spec.row_bytes % texel == 0 && spec.slice_bytes % texel == 0 &&
                base % static_cast<std::uint64_t>(texel) == 0,
            base::format("texels of {} bytes must lie at multiples of them", texel));
  }
  if (broken.empty()) return std::nullopt;
  return Error{
      .code = ErrorCode::illegal_config,
      .operand = "texture",
      .value = base::format("{} x {} x {}", spec.extents[0], spec.extents[1], spec.extents[2]),
      .violated_rules = std::move(broken)};
}

}  // namespace jute
