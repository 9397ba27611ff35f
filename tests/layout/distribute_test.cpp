// A matrix in tiles, a tile among threads: every element once, edges rounded up.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/distribute.hpp>

#include <vector>

using namespace jute;
using jute::test::refusal_of;

TEST_CASE("tiles are those of a division, the last of them reaching beyond the edges",
          "[layout][distribute]") {
  CHECK(tile(Layout("(8,8):(8,1)"), IntTuple{4, 4}) ==
        zipped_divide(Layout("(8,8):(8,1)"), Tiler(IntTuple{4, 4})));
  CHECK(to_string(tile(Layout("(100,64):(64,1)"), IntTuple{16, 64})) ==
        "((16,64),(7,1)):((64,1),(1024,0))");
  CHECK(to_string(tile(Layout("10:3"), IntTuple(4))) == "(4,3):(3,12)");
  CHECK(to_string(tile(Layout("((2,4),6):((1,8),2)"), IntTuple{4, 4})) ==
        "(((2,2),4),(2,2)):(((1,8),2),(16,8))");
}

TEST_CASE("a tile's coordinates lead to the element of the matrix", "[layout][distribute][law]") {
  for (const Index rows : {1, 5, 8, 13})
    for (const Index columns : {3, 8, 9})
      for (const Index m : {1, 2, 4})
        for (const Index n : {1, 3, 8}) {
          const Layout matrix(IntTuple{rows, columns}, IntTuple{columns + 2, 1});
          const Layout tiles = tile(matrix, IntTuple{m, n});
          for (Index row = 0; row < rows; ++row)
            for (Index column = 0; column < columns; ++column)
              REQUIRE(
                  tiles(IntTuple{IntTuple{row % m, column % n}, IntTuple{row / m, column / n}}) ==
                  matrix(IntTuple{row, column}));
        }
}

TEST_CASE("each element of a tile belongs to one thread and step", "[layout][distribute][law]") {
  for (const char* threads : {"(2,4):(4,1)", "(2,4):(1,2)", "(8,1):(1,8)", "(2,(2,2)):(1,(4,2))"}) {
    const Layout numbers(threads), share = dist_to_thread(Layout("(8,8):(8,1)"), numbers);
    INFO(threads);
    REQUIRE(size(share[0]) == 8);
    std::vector<int> taken(64);
    for (Index i = 0; i < size(share); ++i) ++taken[static_cast<size_t>(share(i))];
    for (const int count : taken) CHECK(count == 1);
    // At step 0 the threads stand in their own grid.
    const IntTuple grid = product_each(numbers.shape());
    for (Index row = 0; row < grid[0].value(); ++row)
      for (Index column = 0; column < grid[1].value(); ++column)
        CHECK(share(IntTuple{numbers(row + grid[0].value() * column), 0}) == row * 8 + column);
  }
}

TEST_CASE("a grid without numbers counts row by row, and may reach beyond the tile",
          "[layout][distribute]") {
  CHECK(to_string(dist_to_thread(Layout("(8,8):(8,1)"), IntTuple{2, 4})) ==
        "((4,2),(4,2)):((1,8),(16,4))");
  // Step 1 of threads 8 … 15 is row 9 of a tile that has eight.
  const Layout beyond = dist_to_thread(Layout("(8,6):(6,1)"), IntTuple{16, 1});
  CHECK(size(beyond[0]) == 16);
  CHECK(beyond(IntTuple{15, 0}) == 15 * 6);
  CHECK(size(beyond[1]) == 6);
}

TEST_CASE("a number of threads is a grid as wide as divides the columns", "[layout][distribute]") {
  struct Grid {
    Index threads;
    const char* shape;
  };
  for (const Grid& grid : {Grid{32, "(4,8)"}, Grid{4, "(1,4)"}, Grid{24, "(3,8)"}, Grid{1, "(1,1)"},
                           Grid{5, "(5,1)"}, Grid{12, "(3,4)"}}) {
    const Layout tile("(16,8):(8,1)");
    INFO(grid.threads);
    CHECK(dist_to_thread(tile, IntTuple(grid.threads)) ==
          dist_to_thread(tile, IntTuple(grid.shape)));
  }
  CHECK(size(dist_to_thread(Layout("64:1"), IntTuple(32))[0]) == 32);
}

TEST_CASE("what cannot be shared out is refused", "[layout][distribute][refusal]") {
  CHECK(refusal_of([] {
          return tile(Layout("(8,8):(8,1)"), IntTuple{4, 4, 4});
        }).code == ErrorCode::wrong_arity);
  CHECK(refusal_of([] {
          return tile(Layout("(8,8):(8,1)"), IntTuple{4, 0});
        }).code == ErrorCode::out_of_range);
  CHECK(refusal_of([] {
          return tile(Layout("((2,3),8):((1,2),6)"), IntTuple{4, 4});
        }).code == ErrorCode::not_divisible);
  const Error two =
      refusal_of([] { return dist_to_thread(Layout("(8,8):(8,1)"), Layout("(2,4):(1,1)")); });
  CHECK(two.code == ErrorCode::not_injective);
  CHECK(two.nearest_legal == "(2,4):(4,1)");
  const Error three = refusal_of([] {
    return dist_to_thread(Layout("(8,8):(8,1)"), IntTuple{2, 2, 2});
  });
  CHECK(three.operand == "threads");
  CHECK(refusal_of([] { return dist_to_thread(Layout("(8,8):(8,1)"), IntTuple(0)); }).operand ==
        "threads");
}
