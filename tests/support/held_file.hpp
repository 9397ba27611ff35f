#pragma once
// The kept file of what planning makes of the held problems, and what differs from it now.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/held_plans.hpp"

namespace jute::test {

/// Each way under its number, then for each kind its problems' hashes, prices and ways.
class HeldFile {
 public:
  /// What the file below tests/golden/plans has.
  [[nodiscard]] static HeldFile read();
  void write() const;

  /// Null where it has none of that number.
  [[nodiscard]] const HeldPlan* find(const std::string& kind, int index) const;
  void put(const std::string& kind, int index, HeldPlan plan);
  /// Of a kind.
  [[nodiscard]] int count(std::string_view kind) const;

 private:
  std::vector<std::string> ways_;  ///< by their numbers, which stay what they were
  std::map<std::pair<std::string, int>, HeldPlan> plans_;
};

/// Every `step`-th problem of each kind is planned, written and priced, and held to the file. With
/// JUTE_UPDATE_GOLDEN set all are, and put into the file first.
///   gives  differences: of what (fields, source, price, way), the problem, old and new, the first
///          of each kind (with JUTE_ALL_DIFFERENCES set all); and how many there are of each kind;
///          empty where there is none
[[nodiscard]] std::string held_differences(int step);

}  // namespace jute::test
