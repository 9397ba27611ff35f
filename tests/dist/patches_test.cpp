// Patches of a buffer: whether two of many share an element, held against all pairs.
#include "dist/touched.hpp"

#include <random>
#include <vector>

#include "dist/random_placement.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

using dist::Patch;
using dist::Stretch;

/// One to three stretches below 12, apart from each other.
std::vector<Stretch> drawn_stretches(std::mt19937& random) {
  std::vector<Stretch> stretches;
  Index at = drawn(random, 0, 6);
  for (Index left = drawn(random, 1, 3); left > 0 && at < 12; --left) {
    const Index end = at + drawn(random, 1, 3);
    stretches.push_back({at, end});
    at = end + drawn(random, 1, 3);
  }
  return stretches;
}

bool share_by_pairs(const std::vector<Patch>& patches) {
  for (std::size_t i = 1; i < patches.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (dist::shared_elements(patches[i], patches[j]) > 0) return true;
  return false;
}

}  // namespace

TEST_CASE("patches overlap where two of them share an element, and nowhere else", "[dist][law]") {
  std::mt19937 random(75);
  int together = 0, apart = 0;
  for (int round = 0; round < 4000; ++round) {
    // Few sets of rows, so that patches often have the same ones.
    std::vector<std::vector<Stretch>> rows;
    for (Index left = drawn(random, 1, 3); left > 0; --left)
      rows.push_back(drawn_stretches(random));
    std::vector<Patch> patches;
    for (Index left = drawn(random, 0, 4); left > 0; --left)
      patches.push_back(
          {rows[static_cast<std::size_t>(drawn(random, 0, static_cast<Index>(rows.size()) - 1))],
           drawn_stretches(random)});
    std::vector<const Patch*> places;
    for (const Patch& patch : patches) places.push_back(&patch);
    const bool expected = share_by_pairs(patches);
    REQUIRE(dist::overlap(places) == expected);
    (expected ? together : apart) += 1;
  }
  CHECK(together > 500);
  CHECK(apart > 500);
}

}  // namespace jute::test
