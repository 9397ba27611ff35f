// A whole GEMM from Volta's quadpair atom on the emulator.
#include "support/quadpair_gemm.hpp"

#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a 2x2 TiledMma of quadpairs computes 64x64x64 on the emulator", "[gemm][quadpair]") {
  CHECK(tile_shape(quadpair_tiling()) == ShapeMnk{16, 16, 4});
  CHECK(size(quadpair_tiling()) == 32);
  const auto backend = open_emulator();
  CHECK(wrong_quadpair_results(*backend) == 0);
  CHECK(backend->take_report().clean());
}
