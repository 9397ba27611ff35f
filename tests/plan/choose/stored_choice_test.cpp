// What kernels that convert stored elements in registers load of them, and what that makes of the
// choice.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/convert/conversion_way.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/words/summary.hpp>

#include <sstream>

#include "support/catch.hpp"

using namespace jute;

namespace {

GemmStep step_of(Index m, const char* b, const char* numbers, const char* config = "") {
  std::ostringstream text;
  text << "M=" << m << " N=4096 K=4096 A=bf16 B=" << b << " " << numbers;
  return gemm_step(
      make_plan(completed(parse_problem(text.str())), device_preset("h200"), parse_config(config)));
}

const OperandPlan& weights_of(const GemmStep& step) { return step.transposed ? step.a : step.b; }
Index rows_of_tile(const GemmStep& step) { return step.transposed ? step.tile.n : step.tile.m; }

StoredOperand stored(DType type, std::optional<DType> scale, double offset) {
  StoredOperand result;
  result.type = type;
  if (scale) {
    result.conversion.scale = MoveNumbers{};
    result.conversion.scale->type = *scale;
  }
  result.conversion.offset = offset;
  return result;
}

}  // namespace

TEST_CASE("stored elements are loaded by 16 bytes where blocks and rows allow it",
          "[plan][cost][scaled]") {
  struct Case {
    const char *b, *numbers;
    int elements;
  };
  for (const Index m : {1, 3, 16})
    for (const auto& [b, numbers, elements] :
         {Case{"s4:col", "scale_b=bf16:col:block1x128", 32},
          {"u4:col", "scale_b=bf16:col:block1x32 zero_b=8", 32},
          {"u4:col", "scale_b=bf16:col:block1x16 zero_b=8", 16},
          {"s4:col:ld4112", "scale_b=bf16:col:block1x128", 16},
          {"s4:col:align8", "scale_b=bf16:col:block1x128", 16},
          {"s8:col", "", 16},
          {"e4m3:col", "scale_b=f32:col:block128x128", 16}}) {
      INFO(m << " " << b << " " << numbers);
      const OperandPlan weights = weights_of(step_of(m, b, numbers));
      REQUIRE(weights.stored);
      CHECK(weights.vector_elems == elements);
    }
}

TEST_CASE("few rows leave weights as they are stored, many have them converted once",
          "[plan][cost][scaled]") {
  const char* const scales = "scale_b=bf16:col:block1x128";
  for (const Index m : {1, 2, 8, 16, 17, 32}) {
    const GemmStep step = step_of(m, "s4:col", scales);
    INFO(m);
    CHECK(weights_of(step).stored);
    CHECK(rows_of_tile(step) >= m);  // else weights are read more than once
  }
  CHECK_FALSE(weights_of(step_of(4096, "s4:col", scales)).stored);
}

TEST_CASE("of up to 16 rows stored elements are an instruction's A", "[plan][cost][scaled]") {
  for (const Index m : {1, 8, 16, 17}) {
    const GemmStep step = step_of(m, "s4:col", "scale_b=bf16:col:block1x128");
    INFO(m);
    REQUIRE(step.schedule.main_loop == MainLoop::straight);
    CHECK(step.transposed == (m <= 16));
    CHECK(step.a.stored.has_value() == step.transposed);
  }
  // A caller may have them as they are asked for.
  CHECK(step_of(8, "s4:col", "scale_b=bf16:col:block1x128", "swapped=off").b.stored);
}

TEST_CASE("up to 256 rows a plan moves little more than what must move", "[plan][cost][scaled]") {
  struct Weights {
    Index n, k;
  };
  for (const auto& [n, k] : {Weights{8192, 8192},
                             {16384, 8192},
                             {7168, 20480},
                             {28672, 4096},
                             {4096, 14336},
                             {6144, 4096}})
    for (const char* const b : {"u4:col", "s8:col", "e4m3:col"})
      for (const Index m : {1, 16, 33, 64, 100, 128, 200, 256}) {
        std::ostringstream text;
        text << "M=" << m << " N=" << n << " K=" << k << " A=bf16 B=" << b
             << " scale_b=bf16:col:block1x128";
        const Plan plan = make_plan(completed(parse_problem(text.str())), device_preset("h200"));
        INFO(text.str());
        REQUIRE(plan.steps.size() == 1);  // nothing is copied
        const GemmStep& step = gemm_step(plan);
        const OperandPlan& weights = weights_of(step);
        REQUIRE(weights.stored);
        // Blocks of a cluster that have the same weights load them once.
        const ClusterShape& cluster = step.schedule.cluster;
        const Index rows = Index{rows_of_tile(step)} * (step.transposed ? cluster.n : cluster.m),
                    times = (m + rows - 1) / rows;
        const auto bytes = static_cast<double>(n * k) * width_bits(weights.stored->type) / 8;
        const double least = least_bytes(plan.problem, 0);
        CHECK(least - bytes + bytes * static_cast<double>(times) <= 1.1 * least);
        // Sums of slices are written and read in the L2 cache, of which they take a part.
        CHECK(4 * workspace_bytes(plan) <= plan.device.l2_bytes);
      }
}

TEST_CASE("blocks with stored elements share an SM's registers in turns", "[plan][cost][scaled]") {
  const DeviceInfo device = device_preset("h200");
  for (const Index m : {1, 16}) {
    std::ostringstream text;
    text << "M=" << m << " N=8192 K=8192 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8";
    const GemmStep step = gemm_step(make_plan(completed(parse_problem(text.str())), device));
    INFO(text.str());
    REQUIRE(step.schedule.main_loop == MainLoop::straight);
    // Each thread may then have what a k-tile, the next one where no stage has it, sums and
    // addresses take.
    const int blocks = step.schedule.blocks_per_sm, threads = step.threads * blocks;
    CHECK(threads >= 256);
    CHECK(device.registers_per_sm / threads >= (step.schedule.stages > 1 ? 64 : 96));
  }
  const GemmStep plain =
      gemm_step(make_plan(completed(parse_problem("M=1 N=4096 K=64 A=bf16 B=bf16:col")), device,
                          parse_config("main_loop=straight")));
  CHECK(plain.schedule.blocks_per_sm == 1);
}

TEST_CASE("more rows have them converted on their way to shared memory", "[plan][cost][scaled]") {
  for (const char* const config : {"", "main_loop=register_staged", "main_loop=multistage"}) {
    const GemmStep step = step_of(48, "s4:col", "scale_b=bf16:col:block1x128", config);
    INFO(config);
    REQUIRE(weights_of(step).stored);
    CHECK(step.schedule.main_loop != MainLoop::straight);
    CHECK(weights_of(step).vector_elems >= 8);
  }
  const GemmStep step =
      step_of(48, "s4:col", "scale_b=bf16:col:block1x128", "main_loop=multistage");
  const OperandPlan& weights = weights_of(step);
  CHECK(has_stored_stages(weights));
  // A stage has what is stored, without gaps; two places have what is multiplied of it.
  const char* const x = step.transposed ? "a" : "b";
  const SmemRegion &stored = smem_region(step, std::string("stored_") + x),
                   &multiplied = smem_region(step, x);
  CHECK(stored.bytes == size(stage_of(weights).smem.layout()) / 2 * step.schedule.stages);
  CHECK(multiplied.bytes == size(stage_of(weights).smem.layout()) * 2 * 2);
  // No vector of elements lies along K, or in one block.
  for (const auto& [b, numbers] : {std::pair("s4:row", "scale_b=bf16:col:block1x128"),
                                   std::pair("s4:col", "scale_b=bf16:col:block1x4")})
    CHECK_FALSE(weights_of(step_of(48, b, numbers)).stored);
}

TEST_CASE("many rows have them made fragments of, where TMA brings them in whole parts",
          "[plan][cost][scaled]") {
  for (const Index m : {64, 256})
    for (const char* const b : {"s4:col", "u8:col", "e4m3:col"}) {
      const GemmStep step = step_of(m, b, "scale_b=bf16:col:block1x128");
      INFO(m << " " << b);
      CHECK(step.mma.atom().form == MmaForm::wgmma_rs);
      REQUIRE(step.transposed);
      REQUIRE(has_stored_boxes(step.a));
      // A row of a stage has what is stored of a k-tile.
      CHECK(size(stage_of(step.a).smem.layout()[1]) ==
            step.tile.k * width_bits(step.a.stored->type) / 8);
      CHECK(signal_of(step, "full").bytes ==
            size(stage_of(step.a).smem.layout()) + 2 * size(stage_of(step.b).smem.layout()));
      // What one wait of a thread frees, no other warp still reads.
      CHECK(signal_of(step, "free").arrivals % 4 == 0);
    }
  // Blocks that end inside a part, rows that TMA cannot take, a K that leaves a k-tile short.
  for (const auto& [b, numbers] : {std::pair("s4:col", "scale_b=bf16:col:block1x16"),
                                   std::pair("s4:col:ld4112", "scale_b=bf16:col:block1x128"),
                                   std::pair("s4:col:align8", "scale_b=bf16:col:block1x128")})
    CHECK(step_of(256, b, numbers).mma.atom().form != MmaForm::wgmma_rs);
  const Plan plan = make_plan(completed(parse_problem("M=256 N=4096 K=4128 A=bf16 B=s4:col")),
                              device_preset("h200"));
  CHECK(gemm_step(plan).mma.atom().form != MmaForm::wgmma_rs);
}

TEST_CASE("elements go by pairs where nothing is lost, else by f32, else one by one",
          "[plan][scaled]") {
  using enum DType;
  const auto way = [](const StoredOperand& from, DType to, int arch = 90) {
    return conversion_way(from, to, Arch{arch});
  };
  CHECK(way(stored(s4, bf16, 0), bf16).by == ConvertedBy::pairs);
  CHECK(way(stored(u4, bf16, 8), bf16).by == ConvertedBy::pairs);
  CHECK(way(stored(u4, bf16, 8), bf16).at_once);
  // A scale of f32 is rounded with the product alone, and 7.5 has no place below 136 in bf16.
  CHECK(way(stored(s4, f32, 0), bf16).by == ConvertedBy::floats);
  CHECK(way(stored(u4, {}, 7.5), bf16).by == ConvertedBy::floats);
  CHECK_FALSE(way(stored(u4, {}, 7.5), bf16).at_once);
  CHECK(way(stored(e4m3, {}, 0), f16).by == ConvertedBy::pairs);
  CHECK(way(stored(e4m3, {}, 0), f16, 80).by == ConvertedBy::elements);
  CHECK(way(stored(s8, {}, 0), tf32).by == ConvertedBy::elements);
  CHECK(way(stored(s4, bf16, 0), bf16).instructions < way(stored(s4, f32, 0), bf16).instructions);
  CHECK(way(stored(s4, f32, 0), bf16).instructions < way(stored(s4, f32, 0), tf32).instructions);
}

TEST_CASE("few rows of long weights come by stages of each thread, others by registers",
          "[plan][cost][scaled]") {
  const auto planned = [](const char* text, const char* preset = "h200", const char* config = "") {
    return gemm_step(
        make_plan(completed(parse_problem(text)), device_preset(preset), parse_config(config)));
  };
  const auto has_ring = [](const GemmStep& step) {
    return has_stored_ring(step.schedule, weights_of(step));
  };
  for (const char* const b : {"u4:col", "s4:col", "s8:col", "e4m3:col"})
    for (const Index m : {1, 8, 16}) {
      const GemmStep step = step_of(m, b, "scale_b=bf16:col:block1x128");
      INFO(m << " " << b);
      CHECK(has_ring(step));
      CHECK(step.schedule.stages == 2);
      // Of shared memory each thread has its own vectors alone.
      CHECK(stored_stage_bytes(weights_of(step)) ==
            Index{step.tile.m} * step.tile.k * width_bits(weights_of(step).stored->type) / 8);
    }
  // No further k-tile is on its way; the caller has none; the chip has no cp.async.
  CHECK_FALSE(has_ring(planned("M=1 N=4096 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x128")));
  CHECK_FALSE(
      has_ring(step_of(1, "u4:col", "scale_b=bf16:col:block1x128", "main_loop=straight stages=1")));
  CHECK_FALSE(
      has_ring(planned("M=1 N=4096 K=4096 A=f16 B=u4:col scale_b=f16:col:block1x128", "t4")));
}

TEST_CASE("stages of straight main loops are refused where no thread fills them alone",
          "[plan][rules][scaled]") {
  const auto refusal = [](const char* text) {
    try {
      (void)make_plan(completed(parse_problem(text)), device_preset("h200"),
                      parse_config("main_loop=straight stages=3"));
    } catch (const Exception& refused) {
      return std::string(refused.what());
    }
    return std::string("none");
  };
  CHECK(refusal("M=1 N=4096 K=4096 A=bf16 B=bf16:col")
            .find("a straight main loop must hold one k-tile, in registers") != std::string::npos);
}
