// Tiles dealt to threads.
#include "plan/derive/operand/copy_plan.hpp"

#include <jute/layout/compiled_layout.hpp>

#include "support/catch.hpp"

using namespace jute;
using plan::copy_layout;

TEST_CASE("every element of a tile is copied exactly once, in whole vectors", "[plan][copy][law]") {
  for (const int tile_mn : {32, 64, 96, 128, 256})
    for (const int tile_k : {8, 16, 32, 64, 128})
      for (const Major major : {Major::k, Major::mn})
        for (const int limit : {1, 2, 4, 8, 16})
          for (const int threads : {32, 64, 128, 256, 512}) {
            const auto copy = copy_layout(tile_mn, tile_k, major, limit, threads);
            if (tile_mn * tile_k % threads != 0) {
              CHECK(!copy);
              continue;
            }
            INFO(tile_mn << "x" << tile_k << " by " << threads << " threads, limit " << limit);
            REQUIRE(copy);
            REQUIRE(copy->vector_elems <= limit);
            REQUIRE(size(copy->tv[0]) == threads);
            const std::vector<Index> all = compile(copy->tv).table();  // thread fastest
            std::vector<int> copies(static_cast<size_t>(tile_mn * tile_k));
            for (const Index index : all) ++copies.at(static_cast<size_t>(index));
            REQUIRE(copies == std::vector<int>(copies.size(), 1));
            // A vector's elements are neighbours in memory, along the major dimension.
            const Index neighbour = major == Major::k ? tile_mn : 1;
            bool are_neighbours = true;
            for (size_t i = 0; i < all.size(); ++i)
              if (i / threads % copy->vector_elems != 0)
                are_neighbours &= all[i] == all[i - threads] + neighbour;
            REQUIRE(are_neighbours);
          }
}

TEST_CASE("neighbouring threads copy neighbouring vectors", "[plan][copy]") {
  const auto copy = copy_layout(128, 64, Major::k, 8, 256);
  REQUIRE(copy);
  CHECK(copy->vector_elems == 8);
  CHECK(copy->tv(1, 0) == 128 * 8);
  CHECK(copy->tv(8, 0) == 1);
}

TEST_CASE("a tile that threads do not divide has no copy", "[plan][copy]") {
  CHECK(!copy_layout(32, 8, Major::k, 4, 512));
  CHECK(!copy_layout(96, 8, Major::mn, 4, 512));
}
