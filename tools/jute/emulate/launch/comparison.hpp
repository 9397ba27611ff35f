#pragma once
// What a buffer holds, held against what it must hold.
#include <optional>
#include <string>
#include <vector>

#include "emulate/launch/contents.hpp"
#include "emulate/launch/launch_file.hpp"

namespace jute::command {

/// A buffer that does not hold what was expected; its first wrong element.
struct Mismatch {
  std::string buffer;
  std::vector<Index> index;
  std::string value, expected;
  double allowed = 0;  ///< greatest legal difference there
  Index count = 0;     ///< wrong elements
  Index elements = 0;
  bool operator==(const Mismatch&) const = default;
};
/// `out[3,5] is 2.5, expected 2 (within 0.001); 17 of 1024 elements differ`
[[nodiscard]] std::string to_string(const Mismatch& mismatch);

/// The expected elements, ready for comparison.
struct Expectation {
  Elements values;
  Tolerance tolerance;
  std::optional<Elements> bounds;
};

/// NaN must meet NaN, an infinity itself; an infinite bound lets everything pass.
///   shapes  `got`, `expected.values` and the bounds have equally many elements
[[nodiscard]] std::optional<Mismatch> compare(const std::string& buffer, const Elements& got,
                                              const Expectation& expected);

}  // namespace jute::command
