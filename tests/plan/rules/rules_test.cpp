// Illegal choices: every broken rule at once, with the nearest legal value.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;
using test::refusal_of;

namespace {

Error refusal(const Config& config, DType type = DType::bf16, const std::string& preset = "h200") {
  const DType out = is_integer(type) ? DType::s32 : type;
  return refusal_of([&] {
    return make_plan(problem_of(512, 512, 512, {type, out}), device_preset(preset), config);
  });
}

bool mentions(const Error& error, const std::string& text) {
  return std::any_of(error.violated_rules.begin(), error.violated_rules.end(),
                     [&](const std::string& rule) { return rule.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a tile that the warps do not divide is refused", "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{128, 128, 24};
  const Error error = refusal(config);
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.operand == "tile.k");
  CHECK(error.value == "24");
  CHECK(error.nearest_legal == "32");
}

TEST_CASE("an odd number of k-steps is refused where two sets of fragments take turns",
          "[plan][rules][refusal]") {
  for (const auto& [k, nearest] : {std::pair(16, "32"), std::pair(48, "64"), std::pair(80, "96")}) {
    Config config;
    config.tile = TileShape{64, 64, k};
    const Error error = refusal(config, DType::bf16, "a100");
    CHECK(error.operand == "tile.k");
    CHECK(error.violated_rules[0].find("even number of k-steps") != std::string::npos);
    CHECK(error.nearest_legal == nearest);
  }
  // Through registers a stage is read and multiplied step by step.
  Config config;
  config.tile = TileShape{64, 64, 16};
  CHECK_NOTHROW(
      make_plan(problem_of(512, 512, 512, {DType::f16, DType::f16}), device_preset("t4"), config));
}

TEST_CASE("short runs in a substituted layout shorten copies, or send them through registers",
          "[plan][rules]") {
  const auto step_of = [](const char* smem_a) {
    Config config;
    config.tile = TileShape{64, 64, 32};
    config.atom_layout = Layout("(2,2,1):(1,2,4)");
    config.smem_a = ComposedLayout(smem_a);
    return gemm_step(
        make_plan(problem_of(512, 512, 512, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
                  device_preset("h200"), config));
  };
  CHECK(step_of("(64,32):(40,1)").a.vector_elems == 8);
  CHECK(step_of("(64,32):(36,1)").a.vector_elems == 4);
  CHECK(step_of("(64,32):(34,1)").a.vector_elems == 2);
  CHECK(transfer_of(step_of("(64,32):(34,1)").a) == Transfer::cp_async);
  CHECK(transfer_of(step_of("(64,32):(33,1)").a) == Transfer::registers);
  CHECK(step_of("(64,32):(33,1)").a.vector_elems == 8);
  CHECK(transfer_of(step_of("(64,32):(1,64)").b) == Transfer::registers);
  // B's stages begin where its swizzle does, whatever A's padding.
  const GemmStep padded = step_of("(64,32):(36,1)");
  CHECK(smem_region(padded, "b").offset % 512 == 0);
}

TEST_CASE("a tile of nothing is refused, and the least one offered", "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{0, 128, 64};
  const Error error = refusal(config);
  CHECK(error.operand == "tile.m");
  CHECK(error.nearest_legal == "32");
}

TEST_CASE("a count of stages out of range is refused", "[plan][rules][refusal]") {
  for (const auto& [stages, nearest] :
       {std::pair(1, "2"), std::pair(0, "2"), std::pair(17, "16")}) {
    Config config;
    config.stages = stages;
    const Error error = refusal(config);
    CHECK(error.code == ErrorCode::illegal_config);
    CHECK(error.operand == "stages");
    CHECK(error.value == std::to_string(stages));
    CHECK(error.nearest_legal == nearest);
  }
}

TEST_CASE("more shared memory than a block may have is refused", "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.stages = 8;
  const Error error = refusal(config);
  CHECK(error.operand == "stages");
  CHECK(error.value == "8");
  // 16 KiB of A and 16 KiB of B a stage, 227 KiB a block.
  CHECK(error.nearest_legal == "7");
  config.stages = 7;
  CHECK_NOTHROW(make_plan(problem_of(512, 512, 512, {DType::bf16, DType::bf16}),
                          device_preset("h200"), config));
}

TEST_CASE("a shared-memory layout of another shape is refused", "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.smem_a = ComposedLayout("(64,64):(64,1)");
  const Error error = refusal(config);
  CHECK(error.operand == "smem_a");
  CHECK(error.value == "(64,64):(64,1)");
  CHECK(mentions(error, "(128,64)"));
}

TEST_CASE("a shared-memory layout that puts two elements in one place is refused",
          "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.smem_b = ComposedLayout("(128,64):(32,1)");
  const Error error = refusal(config);
  CHECK(error.operand == "smem_b");
  CHECK(mentions(error, "share an offset"));
}

TEST_CASE("a raster group of no tiles is refused", "[plan][rules][refusal]") {
  Config config;
  config.raster_width = 0;
  const Error error = refusal(config);
  CHECK(error.operand == "raster_width");
  CHECK(error.nearest_legal == "1");
}

TEST_CASE("an atom of other types is refused", "[plan][rules][refusal]") {
  Config config;
  config.mma_atom = "SM80_16x8x16_F32F16F16F32_TN";
  const Error error = refusal(config);
  CHECK(error.operand == "mma_atom");
  CHECK(error.value == "SM80_16x8x16_F32F16F16F32_TN");
  CHECK(mentions(error, "A type"));
  CHECK(mentions(error, "B type"));
}

TEST_CASE("an atom that the architecture does not run is refused", "[plan][rules][refusal]") {
  Config config;
  config.mma_atom = "SM80_16x8x16_F32BF16BF16F32_TN";
  const Error error = refusal(config, DType::bf16, "t4");
  CHECK(error.operand == "mma_atom");
  CHECK(mentions(error, "sm_75"));
  CHECK(mentions(error, "sm_80"));
}

TEST_CASE("of an atom for operands that lie otherwise the one for these is offered",
          "[plan][rules][refusal]") {
  const auto offered = [](const char* atom, Order a, Order b) {
    Problem problem = problem_of(512, 512, 512, {DType::f16, DType::f16}, {a, b});
    Config config;
    config.mma_atom = atom;
    const Error error =
        refusal_of([&] { return make_plan(problem, device_preset("h200"), config); });
    CHECK(error.operand == "mma_atom");
    CHECK(mentions(error, "or the other order of"));
    config.mma_atom = error.nearest_legal.value_or("none");
    CHECK_NOTHROW(make_plan(problem, device_preset("h200"), config));
    return *config.mma_atom;
  };
  const std::string atom = "SM90_64x256x16_F32F16F16_SS";
  const std::string turned_b = atom + "<GMMA::Major::K,GMMA::Major::MN>";
  const std::string turned = atom + "<GMMA::Major::MN,GMMA::Major::MN>";
  CHECK(offered(atom.c_str(), Order::row, Order::row) == turned_b);
  CHECK(offered(atom.c_str(), Order::col, Order::row) == turned);
  CHECK(offered(turned.c_str(), Order::row, Order::col) == atom);
}

TEST_CASE("more threads than a block may have are refused", "[plan][rules][refusal]") {
  Config config;
  config.atom_layout = Layout("(8,8,1):(1,8,0)");
  const Error error = refusal(config);
  CHECK(mentions(error, "threads"));
  CHECK(refusal(config, DType::s8).code == ErrorCode::illegal_config);
}

TEST_CASE("8-bit floats are refused before sm_89", "[plan][rules][refusal]") {
  const Problem problem = problem_of(512, 512, 512, {DType::e4m3, DType::bf16});
  const Error error = refusal_of([&] { return make_plan(problem, device_preset("a100")); });
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.operand == "A.type");
  CHECK(error.value == "e4m3");
  CHECK(error.nearest_legal == "f16");
  CHECK(mentions(error, "B.type"));
  CHECK_NOTHROW(make_plan(problem, device_preset("l40s")));
}

TEST_CASE("more blocks than a grid may have are refused", "[plan][rules][refusal]") {
  const auto refused = [](Index m, Index n, DType type, Index batch, const std::string& preset,
                          const char* config = "") {
    Problem problem = problem_of(m, n, 8, {type, type});
    problem.batch = batch;
    return refusal_of(
        [&] { return make_plan(problem, device_preset(preset), parse_config(config)); });
  };
  for (const Error& error : {refused(70000, 70000, DType::f64, 65536, "a100"),
                             refused(2147479552, 2147479552, DType::bf16, 1, "a100"),
                             refused(2147479552, 2147479552, DType::f16, 1, "t4")}) {
    CHECK(error.code == ErrorCode::illegal_config);
    CHECK(error.operand == "grid");
    CHECK(mentions(error, "must have at most 2147483647 blocks"));
    CHECK(error.nearest_legal == "2147483647");
  }
  // Straight kernels count tiles along N and matrices by axes of their own; of matrices the first
  // may be the batch's.
  const Error across =
      refused(16, 16, DType::f16, 65536, "h200", "main_loop=straight matrices_per_block=0");
  CHECK(across.operand == "grid");
  CHECK(across.value == "65536");
  CHECK(mentions(across, "must have at most 65535 blocks along its third axis"));
  // What every plan may have: the planner takes another kernel.
  CHECK_NOTHROW(make_plan(
      [] {
        Problem problem = problem_of(16, 16, 8, {DType::f16, DType::f16});
        problem.batch = 65536;
        return problem;
      }(),
      device_preset("h200")));
}

TEST_CASE("an unknown atom is refused", "[plan][rules][refusal]") {
  Config config;
  config.mma_atom = "SM80_16x8x16_F32BF16BF16F32_TM";
  CHECK(refusal(config).code == ErrorCode::unknown_name);
}

TEST_CASE("all broken rules come together", "[plan][rules][refusal]") {
  Config config;
  config.tile = TileShape{100, 128, 24};
  config.stages = 99;
  config.raster_width = 0;
  const Error error = refusal(config);
  CHECK(error.operand == "tile.m");
  CHECK(error.violated_rules.size() == 4);
  CHECK(mentions(error, "tile.k"));
  CHECK(mentions(error, "stages"));
  CHECK(mentions(error, "raster"));
}

TEST_CASE("what the planner chooses breaks no rule", "[plan][rules][law]") {
  for (const DeviceInfo& device : device_presets())
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::tf32})
      for (const Index extent : {Index{1}, Index{33}, Index{4096}}) {
        INFO(device.name << " " << type << " " << extent);
        const DType out = type == DType::tf32 ? DType::f32 : type;
        const Plan plan = make_plan(problem_of(extent, extent, extent, {type, out}), device);
        CHECK(check(plan).empty());
        CHECK(gemm_step(plan).dynamic_smem_bytes <= device.smem_bytes_per_block);
      }
}

TEST_CASE("a plan changed by hand is checked again", "[plan][rules]") {
  Plan plan = make_plan(problem_of(512, 512, 512), device_preset("h200"));
  std::get<GemmStep>(plan.steps.back()).schedule.stages = 1;
  const std::vector<Error> errors = check(plan);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].operand == "stages");
}
