// Regions of shared memory: where planning puts them, and what they may not be moved to.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <functional>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

namespace {

/// Four stages of A and B, 16 KiB each, and rows that are staged in their place.
Plan some_plan() {
  return make_plan(
      problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
      device_preset("a100"), parse_config("tile=128x128x64"));
}

std::vector<Error> errors_after(const std::function<void(GemmStep&)>& change) {
  Plan plan = some_plan();
  change(std::get<GemmStep>(plan.steps.back()));
  return check(plan);
}

std::string operand_after(const std::function<void(GemmStep&)>& change) {
  const std::vector<Error> errors = errors_after(change);
  return errors.empty() ? std::string("legal") : errors.front().operand;
}

}  // namespace

TEST_CASE("stages lie behind each other, staged rows in their place", "[plan][smem]") {
  const Plan plan = some_plan();
  const GemmStep& step = gemm_step(plan);
  CHECK(smem_region(step, "a") == SmemRegion{"a", 0, 65536, 1024, 4, Alive::main_loop});
  CHECK(smem_region(step, "b") == SmemRegion{"b", 65536, 65536, 1024, 4, Alive::main_loop});
  CHECK(smem_region(step, "rows") == SmemRegion{"rows", 0, 69600, 16, 1, Alive::epilogue});
  CHECK(step.dynamic_smem_bytes == 131072);
  CHECK(test::refusal_of([&] { return smem_region(step, "row"); }).nearest_legal == "rows");
}

TEST_CASE("stages whose number a launch gives lie behind all else", "[plan][smem][shared]") {
  const auto step_of = [](Index k, const char* config) {
    return gemm_step(make_plan(
        problem_of(500, 264, k, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
        device_preset("h200"), parse_config(std::string("specialize=generic ") + config)));
  };
  for (const char* config : {"tile=64x64x64", "tile=64x64x16", "cluster=2x2 tile=128x128x64"}) {
    INFO(config);
    const GemmStep many = step_of(4096, config), few = step_of(72, config);
    CHECK(many.schedule.stages > few.schedule.stages);
    CHECK(smem_region(many, "a").offset == smem_region(few, "a").offset);
    for (const GemmStep& step : {many, few}) {
      const SmemRegion &a = smem_region(step, "a"), &b = smem_region(step, "b");
      for (const SmemRegion& region : step.smem_map)
        CHECK(
            (region.name == "a" || region.name == "b" || region.offset + region.bytes <= a.offset));
      CHECK(b.offset == (a.offset + a.bytes + 1023) / 1024 * 1024);
      CHECK(step.dynamic_smem_bytes >= b.offset + b.bytes);
    }
  }
  // No more than a block has k-tiles, and no fewer than two.
  CHECK(step_of(72, "split_k=1 tile=64x64x64").schedule.stages == 2);
  CHECK(step_of(320, "split_k=1 tile=64x64x64").schedule.stages == 5);
  CHECK(step_of(640, "split_k=2 tile=64x64x64").schedule.stages == 5);
  CHECK(step_of(8, "split_k=1 tile=64x64x64").schedule.stages == 2);
  CHECK(step_of(72, "stages=4 tile=64x64x64").schedule.stages == 4);
}

TEST_CASE("a region that does not fit its layout is refused", "[plan][smem][refusal]") {
  CHECK(operand_after([](GemmStep&) {}) == "legal");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].bytes -= 1; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[1].offset += 16; }) == "smem.b");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].alignment = 16; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].alignment = 0; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].offset = -1024; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].copies = 3; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map[0].alive = Alive::epilogue; }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.smem_map.erase(s.smem_map.begin()); }) == "smem.a");
  CHECK(operand_after([](GemmStep& s) { s.dynamic_smem_bytes -= 16; }) == "dynamic_smem_bytes");
}

TEST_CASE("regions that are alive together share no byte", "[plan][smem][refusal]") {
  const Error error = errors_after([](GemmStep& s) { s.smem_map[1].offset = 1024; }).front();
  CHECK(error.operand == "smem.b");
  CHECK(error.violated_rules[0].find("must share no byte") != std::string::npos);
  CHECK(error.nearest_legal == "65536");
}
