#pragma once
// The formats of 4-bit weights that checkpoints have: a table of packings.
#include <jute/packing/packing.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace JUTE_API jute {

/// The three arrays of a quantised weight.
enum class WeightPart : std::uint8_t {
  weights,  ///< (N,K)
  scales,   ///< (N,groups): a number for each row's K / groups elements
  zeros     ///< (N,groups): what stands for zero
};
[[nodiscard]] std::string_view name(WeightPart part);
/// throws  unknown_name
[[nodiscard]] WeightPart parse_weight_part(std::string_view name);

/// A format: what it is called, what it is, and who defines it.
struct WeightFormat {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
};
[[nodiscard]] std::span<const WeightFormat> weight_formats();

/// How a format packs one of its arrays. Scales may have any type of 8 to 64 bits: f16 here.
///   `groups`  along K: one scale a row may lie otherwise than several
///   throws    unknown_name: no such format, with the nearest; out_of_range: no groups
[[nodiscard]] Packing packing_of(std::string_view format, WeightPart part, Index groups);

/// The same packing of numbers of another type; one number of it is a unit where it was so before.
[[nodiscard]] Packing with_type(Packing packing, DType type);
/// Whole numbers of as many bits that have signs: s4 of u4, s8 of u8.
[[nodiscard]] Packing with_signs(Packing packing);

}  // namespace jute
