#pragma once
// How threads turn stored elements into what is multiplied: a word at a time where all bits are
// those of steps in f32.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/values/move.hpp>

#include <cstdint>

namespace JUTE_API jute {

/// Chunks of 16 bytes of a row that a lane of a converting copy leaves, a warp's side by side.
inline constexpr int kConvertedChunks = 4;

/// The type of elements on their way from a word to the type that is multiplied.
enum class ConvertedBy : std::uint8_t {
  elements,  ///< one by one, in f32
  pairs,     ///< two neighbours in the type that is multiplied
  floats,    ///< all of a word in f32, rounded two by two
};

struct ConversionWay {
  ConvertedBy by = ConvertedBy::elements;
  /// The offset of whole numbers as they come: they are the last bits of larger numbers.
  int base = 0;
  /// Are zero points, or the offset, subtracted with the base at once? Nothing is lost there.
  bool at_once = false;
  double instructions = 0;  ///< of an element
  bool operator==(const ConversionWay&) const = default;
};

/// The quickest with the bits of (q - zero) * scale in f32, each step rounded to nearest, rounded
/// once more to `multiplied`.
[[nodiscard]] ConversionWay conversion_way(const StoredOperand& stored, DType multiplied,
                                           Arch arch);
/// The way where numbers of blocks differ within a word: in f32, or one by one.
[[nodiscard]] ConversionWay conversion_way_by_f32(const StoredOperand& stored, DType multiplied,
                                                  Arch arch);

}  // namespace jute
