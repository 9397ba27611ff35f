// What an epilogue makes of a plan: sums of operands, kernels that suit what it writes.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/map_encoder.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

namespace {

Plan plan_of(Problem problem, const char* text, const char* preset = "h200",
             const Config& config = {}) {
  problem.epilogue = Epilogue{parse_epilogue(text)};
  return make_plan(problem, device_preset(preset), config);
}

}  // namespace

TEST_CASE("a matrix that lies as D does lands in D's subtiles while the tile is multiplied",
          "[plan][epilogue]") {
  const auto planned = [](Index extent, const char* text, Order order = Order::row,
                          const char* config = "") {
    Problem problem =
        problem_of(extent, extent, extent, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    problem.epilogue = Epilogue{parse_epilogue(text)};
    for (const EpilogueInput& input : problem.epilogue->expression.inputs) {
      problem.epilogue->inputs.push_back(usual_operand(problem, input));
      if (input.extent == EpilogueExtent::elements) problem.epilogue->inputs.back().order = order;
    }
    return make_plan(problem, device_preset("h200"), parse_config(config));
  };
  const auto has_map = [](const Plan& plan, const char* name) {
    return std::ranges::any_of(gemm_step(plan).parameters, [&](const KernelParameter& parameter) {
      return parameter.name == name && parameter.kind == ParameterKind::tensor_map;
    });
  };
  const Plan residual = planned(4096, "acc + s*bias[n] + x[m,n]");
  CHECK(gemm_step(residual).epilogue.drain->input == 2);
  CHECK(has_map(residual, "map_c"));
  // Four stages leave room for two subtiles of each group, three for one of every turn.
  CHECK(smem_region(gemm_step(residual), "c_full").copies == 4);
  CHECK(gemm_step(residual).schedule.stages == 4);
  CHECK(gemm_step(residual).epilogue.drain->by_ring == 2);
  CHECK(check(residual).empty());
  const Plan three = planned(4096, "acc + x[m,n]", Order::row, "stages=3");
  CHECK(smem_region(gemm_step(three), "c_full").copies == 8);
  CHECK(gemm_step(three).epilogue.drain->by_ring == 0);
  // One matrix lands; C does where it is named.
  CHECK(gemm_step(planned(4096, "select(x[m,n] > 0, acc, z[m,n])")).epilogue.drain->input == 0);
  const Plan with_c = planned(4096, "acc + beta*c + x[m,n]");
  CHECK_FALSE(gemm_step(with_c).epilogue.drain->input);
  CHECK(has_map(with_c, "map_c"));
  // The only tile of a block: subtiles beside its stages, not in their place.
  const GemmStep one = gemm_step(planned(2048, "acc + x[m,n]"));
  REQUIRE_FALSE(walks(one.schedule));
  CHECK(one.epilogue.drain->apart);
  CHECK(smem_region(one, "subtile").alive == Alive::whole_kernel);
  CHECK(smem_region(gemm_step(planned(2048, "relu(acc)")), "subtile").alive == Alive::epilogue);
  CHECK_FALSE(gemm_step(planned(4096, "acc + x[m,n]", Order::col)).epilogue.drain->input);
}

TEST_CASE("a thread asks for C of as many stores as its registers hold", "[plan][epilogue]") {
  const auto together = [](Index extent, Index k, const char* expression) {
    const Plan plan =
        plan_of(problem_of(extent, extent, k, {DType::bf16, DType::f32}, {Order::row, Order::col}),
                expression);
    CHECK(gemm_step(plan).epilogue.store == Store::direct);
    return gemm_step(plan).epilogue.stores_together;
  };
  CHECK(together(4096, 256, "alpha*acc + beta*c") >= 8);
  CHECK(together(64, 64, "alpha*acc + beta*c") > 1);
  CHECK(together(4096, 256, "alpha*acc") == 1);
}

TEST_CASE("8-bit floats leave by subtiles where TMA stores their rows", "[plan][epilogue]") {
  const auto planned = [](DType d, Index n, const char* config) {
    Problem problem = problem_of(4096, n, 4096, {DType::e4m3, d}, {Order::row, Order::col});
    return gemm_step(
               plan_of(problem, "y := acc; d = y*s; a = amax(y)", "h200", parse_config(config)))
        .epilogue;
  };
  const EpiloguePlan whole = planned(DType::e4m3, 4096, "tile=128x176x128");
  REQUIRE(whole.drain);
  CHECK(whole.drain->turns == 1);
  CHECK(whole.drain->store_atom.form == CopyForm::universal);
  CHECK(whole.drain->exit == SubtileExit::boxes);
  CHECK(planned(DType::e5m2, 4096, "tile=128x96x128").drain->turns == 2);
  // Threads store what TMA cannot: parts of 16 bytes, rows that begin anywhere.
  CHECK(planned(DType::e4m3, 4096, "tile=256x72x128").store == Store::direct);
  CHECK(planned(DType::e4m3, 4090, "tile=128x176x128").store == Store::direct);
  // Tiles that leave so are planned.
  CHECK(planned(DType::e4m3, 4096, "").drain);
}

TEST_CASE("only a matrix that lies as D does may land in its subtiles",
          "[plan][epilogue][refusal]") {
  Plan plan =
      plan_of(problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
              "acc + bias[n]");
  std::get<GemmStep>(plan.steps[0]).epilogue.drain->input = 0;
  CHECK(std::ranges::any_of(check(plan),
                            [](const Error& error) { return error.operand == "drain.input"; }));
}

TEST_CASE("a block that drains while nothing hides it has a subtile for every turn that fits",
          "[plan][epilogue]") {
  const auto drain_of = [](Index k, const char* config) {
    const Problem problem =
        problem_of(8448, 768, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    return *gemm_step(plan_of(problem, "relu(acc)", "h200", parse_config(config))).epilogue.drain;
  };
  const SubtileDrain alone = drain_of(512, "tile=64x192x64 stages=5 blocks=132");
  CHECK(alone.turns == 3);
  CHECK(alone.copies == 3);
  // Stages come first, and turns take equally many each.
  CHECK(drain_of(512, "tile=64x192x64 stages=6 blocks=132").copies == 3);
  CHECK(drain_of(512, "tile=256x192x64 stages=3 blocks=132").turns == 6);
  CHECK(drain_of(512, "tile=256x192x64 stages=3 blocks=132").copies == 3);
  // A team's drain lies under the other's products, if there are some.
  CHECK(drain_of(512, "tile=64x192x64 stages=4 ping_pong=2 blocks=132").copies == 1);
  CHECK(drain_of(64, "tile=64x192x64 stages=4 ping_pong=2 blocks=132").copies == 3);
}

TEST_CASE("C comes by the ring where B's part of a stage holds what subtiles do not",
          "[plan][epilogue][refusal]") {
  const auto drain_of = [](const char* text, const char* config) {
    const Problem problem =
        problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    return *gemm_step(plan_of(problem, text, "h200", parse_config(config))).epilogue.drain;
  };
  CHECK(drain_of("acc + c", "").by_ring == 2);
  CHECK(drain_of("acc + x[m,n]", "cluster=2x1").by_ring == 2);
  // A run may do without C.
  CHECK(drain_of("relu(alpha*acc + beta*c)", "").by_ring == 0);
  CHECK(drain_of("relu(acc)", "").by_ring == 0);
  // Nobody but the last block of a tile would read it.
  CHECK(drain_of("acc + x[m,n]", "split_k=2").by_ring == 0);
  CHECK(drain_of("acc + x[m,n]", "tile=64x256x64 ping_pong=2 stages=5").by_ring == 0);
  // Two groups' subtiles of 64x200 are longer than the 200 rows of B.
  const SubtileDrain large = drain_of("acc + x[m,n]", "tile=256x200x64");
  CHECK(large.copies < large.turns);
  CHECK(large.by_ring == 0);
  Plan plan =
      plan_of(problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
              "acc + x[m,n]");
  std::get<GemmStep>(plan.steps[0]).epilogue.drain->by_ring = 1;
  const std::vector<Error> errors = check(plan);
  const auto found = std::ranges::find(errors, "drain.by_ring", &Error::operand);
  REQUIRE(found != errors.end());
  CHECK(found->nearest_legal == "2");
}

TEST_CASE("vectors of a drain by subtiles come to shared memory once a tile", "[plan][epilogue]") {
  const Problem problem =
      problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  Plan plan = plan_of(problem, "acc*scale[m] + s*bias[n]");
  const GemmStep& step = gemm_step(plan);
  const std::vector<EpilogueOperandPlan>& inputs = step.epilogue.inputs;
  CHECK(inputs.at(0).staged == 0);
  CHECK_FALSE(inputs.at(1).staged);
  CHECK(inputs.at(2).staged == 2 * step.tile.m);  // behind the scales of the tile's rows
  const SmemRegion& vectors = smem_region(step, "vectors");
  CHECK(vectors.copies == 2);
  CHECK(vectors.bytes == 2 * 2 * (step.tile.m + step.tile.n));
  CHECK(vectors.alive == Alive::whole_kernel);
  CHECK(check(plan).empty());
  std::get<GemmStep>(plan.steps[0]).epilogue.inputs[2].staged = 0;
  REQUIRE_FALSE(check(plan).empty());
  CHECK(check(plan)[0].operand == "bias.staged");
  // They cost no stage: where there is no room, threads read them where they lie.
  const Plan crowded = plan_of(
      problem, "acc*a[n] + b[n]*c0[n] + c1[n]*c2[n] + c3[n]*c4[n] + c5[n]*c6[n] + c7[n]*c8[n]");
  CHECK(gemm_step(crowded).schedule.stages == step.schedule.stages);
  CHECK_FALSE(gemm_step(crowded).epilogue.inputs.at(0).staged);
  CHECK(check(crowded).empty());
}

TEST_CASE("warps raise one value to the largest magnitude; sums are left tile by tile",
          "[plan][epilogue]") {
  const Problem problem =
      problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const Plan plan = plan_of(problem, "d = acc; a = amax(acc); s = sum(acc)");
  const auto region = [&](const char* name) {
    return *std::ranges::find(plan.workspace, name, &WorkspaceRegion::name);
  };
  CHECK(region("partials1").zeroed);  // whoever ends the matrix takes it and leaves zero
  CHECK(region("partials1").bytes.evaluate(run_values(problem)) == 256);
  CHECK_FALSE(region("partials2").zeroed);
  CHECK(region("partials2").bytes.evaluate(run_values(problem)) > 512 * 8 * 4);
}

TEST_CASE("sums of operands are formed ahead of the product, which reads them as vectors",
          "[plan][epilogue]") {
  const Plan plan =
      plan_of(problem_of(300, 512, 512, {DType::bf16, DType::bf16}, {Order::row, Order::row}),
              "d = acc - a_sum[m]*b_sum[n]; dbias = a_sum[m]");
  REQUIRE(plan.steps.size() == 2);
  const auto& step = std::get<MoveStep>(plan.steps[0]);
  CHECK(step.moves.empty());
  REQUIRE(step.sums.size() == 2);
  const OperandSum &a = step.sums[0], &b = step.sums[1];
  CHECK(a.sum == DType::f32);
  CHECK(a.major == Major::k);
  CHECK(b.major == Major::mn);
  // A warp a row of A; four threads of 8 elements beside each other for B.
  test::RecordingEncoder encoder;
  CHECK(bind(plan, 0, run_values(plan.problem), encoder).grid.x == 300 / 4 + 512 / 32);
  REQUIRE(plan.workspace.size() == 2);
  CHECK(workspace_bytes(plan) == 1280 + 2048);  // of 304 and of 512 sums
  const EpiloguePlan& epilogue = gemm_step(plan).epilogue;
  REQUIRE(epilogue.inputs.size() == 2);
  CHECK(epilogue.inputs[0].name == "a_sum");
  CHECK(epilogue.inputs[1].name == "b_sum");
  CHECK(epilogue.outputs.size() == 1);  // who forms the sums stores dbias
  REQUIRE(a.outputs.size() == 1);
  CHECK(to_string(a.outputs[0].value) == "dbias = a_sum[m]");
  CHECK(b.outputs.empty());
  CHECK(check(plan).empty());
}

TEST_CASE("sums that the product does not read are formed behind it, on SMs that it leaves idle",
          "[plan][epilogue]") {
  const Problem problem =
      problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const Plan plan = plan_of(problem, "d = acc; dbias = 2*b_sum[n]*s");
  REQUIRE(plan.steps.size() == 2);
  const auto& step = std::get<MoveStep>(plan.steps[1]);
  CHECK(step.follows);
  CHECK(step.order == LaunchOrder::overlap_previous);
  CHECK(step.releases == Release::never);
  CHECK(step.sums.at(0).region.empty());
  CHECK(step.scalars.at(0).name == "s");
  CHECK(plan.workspace.empty());
  CHECK(gemm_step(plan).schedule.releases == Release::after_previous);
  CHECK(gemm_step(plan).schedule.persistent_blocks < plan.device.sm_count);
  CHECK(gemm_step(plan).epilogue.outputs.empty());
  CHECK(check(plan).empty());
}

TEST_CASE("a step stands where the rest of the plan makes it right", "[plan][epilogue][refusal]") {
  Plan plan =
      plan_of(problem_of(512, 512, 512, {DType::bf16, DType::bf16}), "d = acc; r = a_sum[m]");
  REQUIRE(std::get<MoveStep>(plan.steps.back()).follows);
  Plan turned = plan;
  std::swap(turned.steps[0], turned.steps[1]);
  REQUIRE_FALSE(check(turned).empty());
  CHECK(check(turned)[0].operand == "steps");
  for (Step& step : plan.steps)
    if (auto* gemm = std::get_if<GemmStep>(&step)) gemm->schedule.releases = Release::at_start;
  CHECK(std::ranges::any_of(check(plan), [](const Error& error) {
    return error.operand.find("sums") != std::string::npos;
  }));
}

TEST_CASE("a sum lies along the kernel's rows, whichever way the kernel computes D",
          "[plan][epilogue]") {
  Problem problem = problem_of(300, 512, 512, {DType::bf16, DType::bf16});
  problem.c.order = problem.d.order = Order::col;
  const Plan plan = plan_of(problem, "acc + b_sum[n]", "a100");
  REQUIRE(gemm_step(plan).transposed);
  CHECK(gemm_step(plan).epilogue.inputs.at(0).extent == EpilogueExtent::rows);
}

TEST_CASE("sums are formed in the type of whole numbers, of doubles, of floats",
          "[plan][epilogue]") {
  const auto sum_of = [](DType type, DType out) {
    const Plan plan = plan_of(problem_of(64, 64, 64, {type, out}), "acc + a_sum[m]");
    return std::get<MoveStep>(plan.steps[0]).sums.at(0).sum;
  };
  CHECK(sum_of(DType::s8, DType::s32) == DType::s32);
  CHECK(sum_of(DType::f64, DType::f64) == DType::f64);
  CHECK(sum_of(DType::f16, DType::f16) == DType::f32);
}

TEST_CASE("an operand that is copied and summed has a step for each", "[plan][epilogue]") {
  const Plan plan =
      plan_of(problem_of(1000, 1511, 1513, {DType::bf16, DType::bf16}), "acc + a_sum[m]", "a100");
  REQUIRE(plan.steps.size() == 3);
  CHECK(std::get<MoveStep>(plan.steps[0]).sums.size() == 1);
  CHECK(std::get<MoveStep>(plan.steps[1]).moves.size() == 2);
  CHECK(check(plan).empty());
}

TEST_CASE("what is planned by itself suits an epilogue that gathers or packs bits",
          "[plan][epilogue]") {
  struct Row {
    Index m, n, k;
    const char* text;
  };
  for (const Row& row : {Row{256, 256, 65536, "y := acc; d = relu(y); aux = bit(y > 0)"},
                         Row{100, 50257, 768, "d = acc; a = amax(acc)"}}) {
    INFO(row.text);
    const Problem problem =
        problem_of(row.m, row.n, row.k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    CHECK(check(plan_of(problem, row.text)).empty());
  }
}

TEST_CASE(
    "bits are moved in the longest words that lanes have between them, within rows' alignment",
    "[plan][epilogue]") {
  struct Row {
    Index n;
    const char *tile, *text;
    int written, read;
  };
  constexpr const char* kBoth = "d = select(k[m,n], acc, 0); b = bit(acc > 0)";
  for (const Row& row :
       {Row{4096, "128x256x64", kBoth, 32, 32},
        Row{4096, "128x176x64", kBoth, 16, 8},  // turns end between bytes
        Row{4096, "128x72x64", kBoth, 8, 8}, Row{4080, "128x256x64", kBoth, 16, 16}}) {
    INFO(row.tile);
    const Problem problem =
        problem_of(4096, row.n, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const Plan plan = plan_of(problem, row.text, "h200",
                              parse_config(std::string("cluster=1x1 tile=") + row.tile));
    const EpiloguePlan& out = gemm_step(plan).epilogue;
    REQUIRE(out.outputs.at(1).packed);
    REQUIRE(out.inputs.at(0).packed);
    CHECK(out.outputs[1].packed->bits == row.written);
    CHECK(out.inputs[0].packed->bits == row.read);
    CHECK(out.outputs[1].packed->lanes == 3);
    CHECK(check(plan).empty());
  }
}

TEST_CASE("bits in D's order are planned however few rows and columns there are",
          "[plan][epilogue]") {
  for (const char* chip : {"h200", "a100"})
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::s8})
      for (const Order order : {Order::row, Order::col})
        for (const Index m : {1, 2, 5, 33, 256})
          for (const Index n : {1, 2, 5, 33, 256}) {
            Problem problem = problem_of(m, n, 64, {type, type});
            problem.c.order = problem.d.order = order;
            problem.epilogue = Epilogue{parse_epilogue("d = acc; k = bit(acc > 0)")};
            INFO(chip << " " << name(type) << " " << m << "x" << n);
            CHECK(check(make_plan(problem, device_preset(chip))).empty());
          }
}

TEST_CASE("bits that lie across the rows which D leaves in are refused in the problem's words",
          "[plan][epilogue][refusal]") {
  for (const Order order : {Order::row, Order::col}) {
    Problem problem = problem_of(2048, 2048, 2048, {DType::f16, DType::f16});
    problem.c.order = problem.d.order = order;
    problem.epilogue = Epilogue{parse_epilogue("d = acc; k = bit(acc > 0)")};
    problem.epilogue->outputs.resize(2);
    problem.epilogue->outputs[1].type = DType::u8;
    const bool by_rows = order == Order::row;
    problem.epilogue->outputs[1].order = by_rows ? Order::col : Order::row;
    const Error error = test::refusal_of([&] { return make_plan(problem, device_preset("a100")); });
    CHECK(error.operand == "k");
    CHECK(error.value == (by_rows ? "by columns" : "by rows"));
    CHECK(error.nearest_legal == (by_rows ? "by rows" : "by columns"));
    CHECK(error.violated_rules.at(0).find("must have D's order") != std::string::npos);
  }
}
