#pragma once
// The largest magnitudes of blocks of D, which a tile's threads find ahead of draining it.
#include <string>
#include <string_view>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// How a tile's drain goes through what a thread holds.
struct BlockWalk {
  std::string worker, sources, operands, edge;
  std::string first, end;  ///< accumulators that it goes through
  std::string valid;       ///< elements of a vector that lie inside D
  std::string value;       ///< whose magnitude counts, of element `i + e`
};
/// Ahead of the drain: `block_most`, and outputs that are made of it.
[[nodiscard]] std::string find_blocks(const TemplateSet& templates, const GemmStep& step,
                                      const BlockWalk& walk);

}  // namespace jute::codegen
