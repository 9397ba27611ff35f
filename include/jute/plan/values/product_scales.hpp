#pragma once
// Scales of operands that are multiplied as they lie: threads multiply sums of products with them.
#include <jute/base/export.hpp>
#include <jute/layout/address.hpp>
#include <jute/plan/values/move.hpp>

#include <cstdint>
#include <string>

namespace JUTE_API jute {

/// How a thread tells the scales of its lines apart.
enum class ScalesBy : std::uint8_t {
  one,    ///< there is one for all lines
  lines,  ///< each line of the thread has its own
  spans,  ///< blocks have many lines: a tile lies in few
};

/// The scales of A's or of B's blocks. What instructions sum of a run of k is multiplied by them
/// where a thread adds it to what there is. A line is a row of A's tile, or a column of B's.
struct ProductScales {
  MoveNumbers numbers;  ///< inner is k, outer M or N
  Address place;        ///< (thread, accumulator) -> line of the tile
  Layout slot;          ///< accumulator -> which of its thread's lines it belongs to
  Layout line;          ///< which of its lines -> line of the tile, from the thread's first
  ScalesBy by = ScalesBy::lines;
  int count = 1;  ///< that a thread takes for a run of k
  bool operator==(const ProductScales&) const = default;
};
/// `scale_a of f32 a block of 1x128, lines (2,2):(8,128)`
[[nodiscard]] std::string to_string(const ProductScales& scales);

}  // namespace jute
