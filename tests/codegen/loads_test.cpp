// What the compiler makes of loads: nothing between them may wait for one.
#include <jute/codegen/generate.hpp>
#include <jute/launch/device_presets.hpp>

#include <string>
#include <string_view>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

size_t count(std::string_view text, std::string_view word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("words that straight kernels load are not put together from halves",
          "[codegen][compile][straight]") {
  // K is no multiple of the tile's: what lies behind it is zeros.
  const Problem problem =
      test::problem_of(4, 11, 1758, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const Plan plan =
      make_plan(problem, device_preset("h200"),
                parse_config("main_loop=straight mma_atom=SM80_16x8x16_F32BF16BF16F32_TN"));
  const Binary binary = test::test_compiler().compile(generate(plan).back(), Output::ptx);
  CHECK(count(binary.ptx, "ld.global") >= 84);
  CHECK(count(binary.ptx, "{%rs") == 0);
}

TEST_CASE("what the cache is asked for ahead is asked for before the kernel ahead has ended",
          "[codegen][compile][straight]") {
  for (const Order order : {Order::row, Order::col}) {
    const Problem problem =
        test::problem_of(888, 8, 672, {DType::bf16, DType::bf16}, {order, order});
    const Plan plan = make_plan(problem, device_preset("h200"),
                                parse_config("main_loop=straight first_stages=prefetched"));
    const std::string ptx = test::test_compiler().compile(generate(plan).back(), Output::ptx).ptx;
    CHECK(count(ptx, "prefetch.global.L2") >= 2);
    CHECK(ptx.rfind("prefetch.global.L2") < ptx.find("griddepcontrol.wait"));
    CHECK(ptx.find("griddepcontrol.wait") < ptx.find("ld.global"));
  }
}
