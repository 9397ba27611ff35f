#pragma once
// Textures and surfaces over plain memory: what CUDA's resource and texture descriptors say.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/launch/backend.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace JUTE_API jute {

/// One channel of a texel.
enum class TexelType : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };
[[nodiscard]] int texel_type_bytes(TexelType type);

/// The texel outside. As in CUDA, wrap and mirror are clamp without normalized coordinates.
enum class TextureAddressing : std::uint8_t { clamp, border, wrap, mirror };
enum class TextureFilter : std::uint8_t { point, linear };

struct TextureSpec {
  TexelType type = TexelType::f32;
  int channels = 1;                 ///< 1, 2 or 4
  std::array<Index, 3> extents{1};  ///< width, height, depth in texels; 0: no such dimension
  Index layers = 0;                 ///< 0: not layered
  Index row_bytes = 0;              ///< from row to row; 0: rows lie close
  Index slice_bytes = 0;            ///< from slice or layer to the next; 0: they lie close
  TextureFilter filter = TextureFilter::point;
  std::array<TextureAddressing, 3> addressing{};
  bool normalizes_coordinates = false;  ///< coordinates are fractions of the extents
  bool normalizes_values = false;       ///< 8- and 16-bit integers are read as fractions
  bool operator==(const TextureSpec&) const = default;
};

/// How many coordinates a texel has, layers apart.
[[nodiscard]] int dimensions(const TextureSpec& spec);
/// The same with every stride that is 0 filled in: rows and slices lie close.
[[nodiscard]] TextureSpec with_strides(TextureSpec spec);
/// Bytes from the first texel to the end of the last, of a texture with strides.
[[nodiscard]] Index span_bytes(const TextureSpec& spec);
/// Every rule that a texture with strides breaks; nothing when it can be made.
[[nodiscard]] std::optional<Error> check(const TextureSpec& spec, DevicePointer base);

}  // namespace jute
