#pragma once
// Einstein's notation as its definition says it: a loop over every letter. It reads the text itself
// and takes nothing of the library, which it judges.
#include <cstdint>
#include <string>
#include <vector>

namespace jute::test {

/// Elements of an array in C order.
struct PlainArray {
  std::vector<std::int64_t> extents;
  std::vector<double> values;
};

/// The text's letters have one extent each; an axis of an ellipsis may be 1 where others are more.
[[nodiscard]] PlainArray plain_einsum(const std::string& text,
                                      const std::vector<PlainArray>& operands);

}  // namespace jute::test
