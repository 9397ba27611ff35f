// The order in which threads read what they multiply, and who multiplies f32 on which chip.
#include "plan/derive/operand/read_order.hpp"

#include <jute/launch/device_presets.hpp>

#include <set>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

GemmStep f32_step(Index m, Index n, Index k, Order a = Order::row, Order b = Order::row,
                  const char* preset = "h200", const char* config = "") {
  return gemm_step(make_plan(problem_of(m, n, k, {DType::f32, DType::f32}, {a, b}),
                             device_preset(preset), parse_config(config)));
}

/// Lanes of half a warp, who are served together, with different words in one bank.
int conflicts(const Address& read, int first_thread, Index value) {
  std::set<Index> addresses, banks;
  for (int lane = 0; lane < 16; ++lane) {
    const Index address = read(first_thread + lane, value);
    addresses.insert(address);
    banks.insert(address / 4 % 8);
  }
  return static_cast<int>(addresses.size() - banks.size());
}

}  // namespace

TEST_CASE("threads read 16 bytes along K or along M and N, and multiply what they read",
          "[plan][read_order][law]") {
  for (const Order a : {Order::row, Order::col})
    for (const Order b : {Order::row, Order::col}) {
      const GemmStep step = f32_step(4096, 4096, 4096, a, b);
      REQUIRE(step.schedule.k_steps_at_once == 4);
      for (const auto& [operand, which] :
           {std::pair(step.a, Operand::a), std::pair(step.b, Operand::b)}) {
        INFO(to_string(fragments_of(operand).address));
        const Fragment fragment = jute::fragment(step.mma, which, step.tile);
        const Index values = size(fragments_of(operand).order);
        CHECK(fragments_of(operand).elems == 4);
        REQUIRE(values == 4 * fragment.repeats);
        for (Index thread = 0; thread < size(fragment.tv[0]); thread += 37)
          for (Index place = 0; place < size(fragment.tv[1]); ++place) {
            const Index value =
                fragments_of(operand).order(place % values) + place / values * values;
            const Index address = fragments_of(operand).address(thread, place);
            REQUIRE(address == stage_of(operand).smem(fragment.tv(thread, value)));
            REQUIRE(address == fragments_of(operand).address(thread, place / 4 * 4) + place % 4);
          }
        for (int first = 0; first < 256; first += 16)
          for (Index value = 0; value < size(fragment.tv[1]); value += 4)
            REQUIRE(conflicts(fragments_of(operand).address, first, value) == 0);
      }
    }
}

TEST_CASE("of lanes that are served together each finds what one of two neighbours finds",
          "[plan][read_order]") {
  const GemmStep step = f32_step(4096, 4096, 4096, Order::row, Order::col);
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(fragments_of(step.a).address(lane, 0) == fragments_of(step.a).address(lane ^ 2, 0));
    CHECK(fragments_of(step.b).address(lane, 0) == fragments_of(step.b).address(lane ^ 1, 0));
  }
}

TEST_CASE("of k-steps that are read one by one, values come in the instruction's order",
          "[plan][read_order]") {
  const GemmStep step = f32_step(4096, 4096, 4096, Order::row, Order::row, "a100");
  CHECK(step.schedule.k_steps_at_once == 1);
  CHECK(fragments_of(step.a).order == Layout(8));
}

TEST_CASE("f32 is fed by TMA where the chip has it and rows are aligned", "[plan][candidates]") {
  const auto kernel = [](const GemmStep& step) {
    return std::pair(step.schedule.main_loop, step.tile);
  };
  constexpr MainLoop kFed = MainLoop::warp_specialised, kCopied = MainLoop::multistage,
                     kStaged = MainLoop::register_staged;
  CHECK(kernel(f32_step(4096, 4096, 4096)) == std::pair(kFed, TileShape{128, 128, 32}));
  CHECK(kernel(f32_step(1024, 1024, 1024)) == std::pair(kFed, TileShape{64, 128, 32}));
  CHECK(kernel(f32_step(64, 4096, 4096)) == std::pair(kFed, TileShape{64, 128, 32}));
  CHECK(kernel(f32_step(100, 100, 40)).first == MainLoop::straight);
  // Rows that TMA cannot read are copied first, unless the caller wants no copy.
  const char* const any = "h200";
  CHECK(kernel(f32_step(4096, 4095, 4096, Order::row, Order::row, any)).first == kFed);
  CHECK(kernel(f32_step(4096, 4095, 4096, Order::row, Order::row, any, "pad=off")).first ==
        kCopied);
  CHECK(kernel(f32_step(4096, 4096, 4096, Order::row, Order::row, "a100")).first == kCopied);
  CHECK(kernel(f32_step(4096, 4096, 4096, Order::row, Order::row, "t4")).first == kStaged);
  CHECK(kernel(f32_step(4096, 4096, 4096, Order::row, Order::row, "h200", "tile=128x128x8")) ==
        std::pair(kStaged, TileShape{128, 128, 8}));
}
