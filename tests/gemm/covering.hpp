#pragma once
// Rows of choices in which every pair of two factors' values occurs.
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jute::test {

/// Something that is chosen, and what from: the first value is the usual one.
struct CoveringFactor {
  std::string_view name;
  std::vector<std::string_view> values;
};

/// The index of a value for each factor.
using Choices = std::vector<size_t>;

struct Covering {
  std::vector<Choices> rows;
  std::vector<std::string> impossible;  ///< pairs that no accepted row has: "ping_pong=2 split_k=3"
};

/// Rows that are accepted and hold every pair that can be. A pair counts as impossible when none of
/// `tries` rows around it is accepted; the same factors give the same rows.
[[nodiscard]] Covering cover_pairs(const std::vector<CoveringFactor>& factors,
                                   const std::function<bool(const Choices&)>& accepts, int tries);

}  // namespace jute::test
