// Padding, grids, presets and the text of plans.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <set>

#include "support/catch.hpp"
#include "support/map_encoder.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

namespace {

Dim3 grid_of(const Plan& plan, size_t step, const RunValues& run) {
  test::RecordingEncoder encoder;
  return bind(plan, step, run, encoder).grid;
}
RunValues sizes(Index m, Index n, Index k, Index batch = 1) {
  return {.m = m, .n = n, .k = k, .batch = batch};
}

std::vector<std::string> texts(const std::vector<Considered>& candidates) {
  std::vector<std::string> result;
  for (const Considered& candidate : candidates) result.push_back(candidate.text);
  return result;
}

}  // namespace

TEST_CASE("operands with unaligned rows are copied before a tensor-core GEMM", "[plan][pad]") {
  const Plan plan =
      make_plan(problem_of(1000, 1511, 1513, {DType::bf16, DType::bf16}), device_preset("a100"));
  REQUIRE(plan.steps.size() == 2);
  const auto& step = std::get<MoveStep>(plan.steps[0]);
  REQUIRE(step.moves.size() == 2);
  const Move &a = step.moves[0], &b = step.moves[1];
  CHECK(a.tensor == TensorRole::a);
  CHECK(b.tensor == TensorRole::b);
  const RunValues run = run_values(plan.problem);
  CHECK(a.inner.evaluate(run) == 1513);
  CHECK(a.outer.evaluate(run) == 1000);
  CHECK(a.ld.evaluate(run) == 1536);
  REQUIRE(plan.workspace.size() == 2);
  CHECK(plan.workspace[0].name == a.region);
  CHECK(plan.workspace[0].bytes.evaluate(run) == (1000 * 1536 * 2 + 255) / 256 * 256);
  CHECK(workspace_bytes(plan) == plan.workspace[0].bytes.evaluate(run) + 1536 * 1513 * 2);
  CHECK(transfer_of(gemm_step(plan).a) == Transfer::cp_async);
  CHECK(gemm_step(plan).a.vector_elems == 8);
  CHECK(gemm_step(plan).b.ld.value == 1536);
  CHECK_FALSE(a.transposed);
  // A warp has 2048 elements of a row on their way.
  CHECK(grid_of(plan, 0, run).x == (1000 + 3) / 4 + (1513 + 3) / 4);
}

TEST_CASE("aligned rows, thread FMA and small problems need no copies", "[plan][pad]") {
  const auto steps = [](const Problem& problem, const std::string& preset, const Config& config) {
    return make_plan(problem, device_preset(preset), config).steps.size();
  };
  const Problem odd = problem_of(300, 511, 513, {DType::bf16, DType::bf16});
  CHECK(steps(problem_of(300, 512, 512, {DType::bf16, DType::bf16}), "a100", {}) == 1);
  CHECK(steps(problem_of(300, 511, 513), "a100", {}) == 1);
  CHECK(steps(problem_of(300, 111, 113, {DType::bf16, DType::bf16}), "a100", {}) == 1);
  CHECK(steps(odd, "t4", {}) == 1);
  Config config;
  config.pad = false;
  CHECK(steps(odd, "a100", config) == 1);
  config.pad = true;
  CHECK(steps(problem_of(30, 11, 13, {DType::bf16, DType::bf16}), "a100", config) == 2);
}

TEST_CASE("a copy of rows without elements, or of no rows, launches nothing", "[plan][pad]") {
  const Plan plan =
      make_plan(problem_of(1000, 1511, 1513, {DType::bf16, DType::bf16}), device_preset("a100"));
  CHECK(grid_of(plan, 0, sizes(1000, 1511, 0)).x == 0);
  CHECK(grid_of(plan, 0, sizes(0, 1511, 1513)).x == (1513 + 3) / 4);
  CHECK(grid_of(plan, 0, sizes(0, 0, 1513)).x == 0);
}

TEST_CASE("a broadcast operand is copied once", "[plan][pad]") {
  Problem problem = problem_of(10, 511, 513, {DType::bf16, DType::bf16});
  problem.batch = 7;
  Config copied;
  copied.pad = true;
  const Plan each = make_plan(problem, device_preset("a100"), copied);
  CHECK(grid_of(each, 0, run_values(each.problem)).x == 18 + (7 * 513 + 3) / 4);
  problem.a.broadcast = true;
  const Plan once = make_plan(problem, device_preset("a100"), copied);
  CHECK(std::get<MoveStep>(once.steps[0]).moves[0].matrices == Count(1));
  CHECK(grid_of(once, 0, run_values(once.problem)).x == 3 + (7 * 513 + 3) / 4);
  CHECK(workspace_bytes(once) < workspace_bytes(each));
}

TEST_CASE("an operand with aligned rows is left where it is", "[plan][pad]") {
  const Plan plan =
      make_plan(problem_of(300, 512, 513, {DType::bf16, DType::bf16}), device_preset("h200"));
  const auto& step = std::get<MoveStep>(plan.steps.front());
  REQUIRE(step.moves.size() == 1);
  CHECK(step.moves[0].tensor == TensorRole::a);
}

TEST_CASE("what wgmma cannot read along M or N is copied along K first", "[plan][transpose]") {
  constexpr Order kRow = Order::row, kCol = Order::col;
  const auto moves = [](DType type, Order a, Order b, const Config& config = {}) {
    const DType out = type == DType::s8 ? DType::s32 : type == DType::bf16 ? type : DType::f32;
    const Plan plan =
        make_plan(problem_of(2048, 2048, 2048, {type, out}, {a, b}), device_preset("h200"), config);
    std::string text;
    if (const auto* step = std::get_if<MoveStep>(&plan.steps.front()))
      for (const Move& move : step->moves)
        text += std::string(name(move.tensor)) + (move.transposed ? "^T" : "");
    CHECK(check(plan).empty());
    return text;
  };
  CHECK(moves(DType::tf32, kRow, kCol).empty());
  CHECK(moves(DType::tf32, kRow, kRow) == "b^T");
  CHECK(moves(DType::tf32, kCol, kCol) == "a^T");
  CHECK(moves(DType::e4m3, kCol, kRow) == "a^Tb^T");
  CHECK(moves(DType::s8, kCol, kRow) == "a^Tb^T");
  CHECK(moves(DType::bf16, kCol, kRow).empty());
  CHECK(moves(DType::tf32, kRow, kRow, parse_config("transpose=off")).empty());
  CHECK(moves(DType::tf32, kRow, kRow, parse_config("main_loop=multistage")).empty());
  CHECK(moves(DType::tf32, kRow, kRow, parse_config("cluster=2x1")) == "b^T");
}

TEST_CASE("a copy along K has rows of whole lines, whatever the operand's are",
          "[plan][transpose]") {
  Problem problem = problem_of(1000, 1001, 1003, {DType::tf32, DType::f32});
  problem.b.alignment_bytes = 4;
  const Plan plan = make_plan(problem, device_preset("h200"));
  const auto& step = std::get<MoveStep>(plan.steps.front());
  REQUIRE(step.moves.size() == 2);
  CHECK_FALSE(step.moves[0].transposed);
  const Move& b = step.moves[1];
  CHECK(b.transposed);
  CHECK(b.access_bytes == 4);
  const RunValues run = run_values(plan.problem);
  CHECK(b.inner.evaluate(run) == 1003);
  CHECK(b.outer.evaluate(run) == 1001);
  CHECK(b.ld.evaluate(run) == 1024);
  CHECK(gemm_step(plan).b.major == Major::k);
  CHECK(gemm_step(plan).b.ld.value == 1024);
}

TEST_CASE("copies are made where the model expects wgmma to gain more than they take",
          "[plan][pad][transpose]") {
  const auto copies = [](Index m, Index n, Index k) {
    const Plan plan =
        make_plan(problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
                  device_preset("h200"));
    return plan.steps.size() > 1;
  };
  CHECK(copies(1023, 1025, 1021));
  CHECK(copies(1024, 1024, 1028));  // rows begin at 8 bytes
  CHECK(copies(512, 4096, 4100));
  CHECK_FALSE(copies(1024, 1024, 1024));
}

TEST_CASE("the GEMM begins while the last copies are made, where chips allow it", "[plan][pad]") {
  const Problem problem = problem_of(1000, 1511, 1513, {DType::bf16, DType::bf16});
  const auto step = [&](const char* preset) {
    return std::get<MoveStep>(make_plan(problem, device_preset(preset)).steps.front());
  };
  CHECK(step("h200").order == LaunchOrder::overlap_previous);
  CHECK(step("h200").releases == Release::at_start);
  CHECK(step("a100").order == LaunchOrder::after_previous);
  CHECK(step("a100").releases == Release::never);
}

TEST_CASE("straight kernels let the next begin early where their blocks are few",
          "[plan][straight]") {
  const auto release = [](Index m, Index n, Index k, const char* config = "") {
    const test::ProblemOrders along_k{Order::row, Order::col};
    const KernelSchedule schedule =
        gemm_step(make_plan(problem_of(m, n, k, {DType::bf16, DType::bf16}, along_k),
                            device_preset("h200"), parse_config(config)))
            .schedule;
    CHECK(schedule.main_loop == MainLoop::straight);
    return schedule.releases;
  };
  CHECK(release(8, 8, 261) == Release::at_start);  // one block
  // More of them would be those of many kernels, side by side on an SM.
  CHECK(release(100, 100, 100) == Release::after_previous);
  CHECK(release(262, 408, 8) == Release::after_previous);
  CHECK(release(640, 640, 3) == Release::after_main_loop);  // more than three on each SM
  // Where problems share a kernel, launches of both can.
  CHECK(release(8, 8, 261, "specialize=generic") == Release::after_previous);
  const Error error = test::refusal_of(
      [&] { return release(8, 8, 261, "specialize=generic release=at_start main_loop=straight"); });
  CHECK(error.operand == "release");
  CHECK(error.nearest_legal == "after_previous");
}

TEST_CASE("straight kernels ask for nothing through barriers, nor ahead where none overlap",
          "[plan][straight][refusal]") {
  for (const auto& [preset, first] :
       {std::pair("h200", "by_initialiser"), std::pair("a100", "prefetched")}) {
    INFO(preset << " " << first);
    const Error error = test::refusal_of([&, preset = preset, first = first] {
      return make_plan(problem_of(100, 100, 200, {DType::bf16, DType::bf16}), device_preset(preset),
                       parse_config(std::string("main_loop=straight first_stages=") + first));
    });
    CHECK(error.operand == "first_stages");
    CHECK(error.value == first);
    CHECK(error.nearest_legal == "after_barrier");
  }
}

TEST_CASE("blocks that begin early have an SM each where they are nearly as many",
          "[plan][specialised]") {
  const auto smem = [](Index n, const char* release) {
    const Config config =
        parse_config(std::string("tile=64x40x64 split_k=1 swapped=off release=") + release);
    return gemm_step(make_plan(problem_of(192, n, 256, {DType::bf16, DType::bf16},
                                          {Order::row, Order::col}),
                               device_preset("h200"), config))
        .dynamic_smem_bytes;
  };
  const int of_sm = device_preset("h200").smem_bytes_per_sm;
  CHECK(2 * smem(1640, "at_start") > of_sm - 2 * 1024);  // 123 blocks
  CHECK(3 * smem(960, "at_start") < of_sm);              // 72: the next ones find free SMs
  CHECK(3 * smem(1640, "after_main_loop") < of_sm);      // those begin where one ends anyway
}

TEST_CASE("a swapped tile leaves in subtiles of many columns, whatever divides its own",
          "[plan][subtile]") {
  const auto turns = [](const char* tile) {
    const Problem problem =
        problem_of(6825, 600, 368, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const Plan plan = make_plan(problem, device_preset("h200"),
                                parse_config(std::string("swapped=on cluster=1x1 tile=") + tile));
    return gemm_step(plan).epilogue.drain->turns;
  };
  CHECK(turns("128x128x64") == 2);
  CHECK(turns("128x136x64") == 1);  // 17 x 8
  CHECK(turns("128x176x64") == 2);  // 11 x 16
  CHECK(turns("128x168x64") == 3);
  // Stages of 256 rows leave no room for it, 17 times in each half.
  CHECK(turns("256x136x64") == 34);
}

TEST_CASE("elements of 32 bits leave by subtiles where storing them is most of the work",
          "[plan][subtile]") {
  const auto step_of = [](DType type, DType d, Index m, Index k) {
    const Problem problem = problem_of(m, 8192, k, {type, d}, {Order::row, Order::col});
    return gemm_step(make_plan(problem, device_preset("h200")));
  };
  for (const auto& [type, d] :
       {std::pair(DType::s8, DType::s32), std::pair(DType::bf16, DType::f32)}) {
    const GemmStep step = step_of(type, d, 8192, 64);
    REQUIRE(step.epilogue.drain);
    CHECK(step.epilogue.drain->store_atom.name == "UniversalCopy<uint64_t>");
    CHECK(step.epilogue.drain->exit == SubtileExit::boxes);
    CHECK_FALSE(step_of(type, d, 8192, 1024).epilogue.drain);  // products hide what threads store
    CHECK_FALSE(step_of(type, d, 1024, 64).epilogue.drain);    // the cache holds D
  }
}

TEST_CASE(
    "tiles follow each other along rows of a D of gigabytes, and where two read the same rows",
    "[plan][raster]") {
  const auto group = [](Index m, Index n, Index k) {
    const Problem problem =
        problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    return gemm_step(make_plan(problem, device_preset("h200"))).schedule.raster_width;
  };
  CHECK(group(32768, 20000, 64) == 1);
  CHECK(group(8192, 8192, 64) == 4);
  CHECK(group(220, 24576, 4096) == 1);  // two tiles of 112 columns of the transposed product
}

TEST_CASE("f32 by threads is cut into slices of K where tiles leave multiprocessors without work",
          "[plan][slices]") {
  const auto split_k = [](Index m, Index n, Index k) {
    const Problem problem = problem_of(m, n, k, {DType::f32, DType::f32}, {Order::row, Order::col});
    return gemm_step(make_plan(problem, device_preset("h200"))).schedule.split_k;
  };
  CHECK(split_k(1024, 1024, 1024) == 1);  // 128 tiles of 128x64
  CHECK(split_k(256, 256, 8192) == 8);    // 16 tiles of 64x64
  CHECK(split_k(1536, 1536, 1536) > 1);   // 144 tiles, of which 12 have a round for themselves
  CHECK(split_k(2048, 2048, 2048) == 1);  // two rounds, almost full
  CHECK(split_k(4096, 4096, 4096) == 1);
  CHECK(split_k(5888, 5888, 5888) > 1);  // 2116 tiles, 4 of them behind 16 rounds
  CHECK(split_k(1024, 1024, 96) == 1);   // nothing to cut
}

TEST_CASE("large rows that begin inside sectors are stored by threads where products are short",
          "[plan][subtile]") {
  const auto exit_of = [](Index m, Index n, Index k, const char* config) {
    const Problem problem = problem_of(m, n, k, {DType::bf16, DType::bf16});
    return gemm_step(make_plan(problem, device_preset("h200"), parse_config(config)))
        .epilogue.drain->exit;
  };
  constexpr const char* kTile = "tile=128x256x64 swapped=off";
  CHECK(exit_of(4464, 13848, 8, kTile) == SubtileExit::rows);
  CHECK(exit_of(4464, 13848, 128, kTile) == SubtileExit::rows);
  CHECK(exit_of(4464, 13848, 136, kTile) == SubtileExit::boxes);  // products hide more
  CHECK(exit_of(4464, 13856, 8, kTile) == SubtileExit::boxes);    // whole sectors
  CHECK(exit_of(200, 10008, 8, kTile) == SubtileExit::boxes);     // which the cache keeps
  CHECK(exit_of(40000, 504, 8, kTile) == SubtileExit::boxes);     // whose parts leave together
  CHECK(exit_of(4464, 13848, 8, "tile=128x256x64 swapped=on") == SubtileExit::boxes);
  CHECK(exit_of(4464, 13848, 8, "specialize=generic") == SubtileExit::boxes);
  CHECK(exit_of(4464, 13848, 8, "") == SubtileExit::rows);
}

TEST_CASE("C lands where threads find the rows of D", "[plan][subtile]") {
  const Plan plan = make_plan(problem_of(4464, 13848, 8, {DType::bf16, DType::bf16}),
                              device_preset("h200"), parse_config("tile=64x256x16 swapped=off"));
  const GemmStep step = gemm_step(plan);
  const SubtileDrain& drain = *step.epilogue.drain;
  CHECK(drain.turns == 1);
  CHECK(drain.c_atom);
  REQUIRE(drain.boxes);
  CHECK(size(drain.boxes->place) == 4);  // side by side, each with rows of 128 bytes
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(step.parameters,
                               [&](const KernelParameter& each) { return each.name == name; });
  };
  CHECK((has("map_c") && has("d") && has("ldd")));
  CHECK_FALSE((has("map_d") || has("ldc")));
}

TEST_CASE("rows that begin anywhere leave in subtiles of whole rows, where stages have room",
          "[plan][subtile]") {
  const auto columns = [](Index k, const char* tile) {
    const Problem problem =
        problem_of(3965, 9023, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const GemmStep step = gemm_step(
        make_plan(problem, device_preset("h200"), parse_config(std::string("tile=") + tile)));
    REQUIRE(step.epilogue.drain->exit == SubtileExit::rows);
    return size(step.epilogue.drain->subtile.layout()[1]);
  };
  CHECK(columns(4096, "128x168x64") == 168);
  CHECK(columns(4096, "128x216x64") == 216);
  CHECK(columns(4096, "128x256x64") == 128);  // four stages of it leave no room for more
  CHECK(columns(95, "128x256x64") == 256);    // two k-tiles need no four stages
}

TEST_CASE("blocks of one tile that share the larger operand lie side by side", "[plan][grid]") {
  const auto grid = [](const Problem& problem, const char* config) {
    return grid_of(make_plan(problem, device_preset("h200"), parse_config(config)), 0,
                   {.m = problem.m, .n = problem.n, .k = problem.k});
  };
  const Problem few =
      problem_of(96, 4096, 512, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const std::string tile = "swapped=on cluster=1x1 split_k=1 tile=64x48x64 raster_width=";
  CHECK(grid(few, (tile + "64").c_str()) == Dim3{64, 2, 1});
  CHECK(grid(few, (tile + "1").c_str()) == Dim3{2, 64, 1});
  // As planned: of two tiles of few rows for each tile of weights, and of slices.
  const Problem planned =
      problem_of(198, 3600, 1120, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  CHECK(grid(planned, "swapped=on cluster=1x1 split_k=1").x == 2);
  CHECK(grid(planned, "swapped=on cluster=1x1 split_k=1").y > 50);
  CHECK(grid(planned, "swapped=off cluster=1x1 split_k=1").y >
        grid(planned, "swapped=off cluster=1x1 split_k=1").x);
  // A cluster keeps the order of its blocks.
  CHECK(grid(few, "swapped=on cluster=2x1 split_k=1 tile=64x48x64 raster_width=1") ==
        Dim3{64, 2, 1});
}

TEST_CASE("blocks of one tile that begin one after the other load few rows", "[plan][grid]") {
  const auto group = [](Index m, Index n) {
    const Problem problem =
        problem_of(m, n, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    const GemmStep step = gemm_step(
        make_plan(problem, device_preset("h200"), parse_config("swapped=off cluster=1x1")));
    REQUIRE(step.schedule.persistent_blocks == 0);
    return step.schedule.raster_width;
  };
  CHECK(group(1024, 1024) == 4);           // of sixteen blocks four lie beside each other
  CHECK(group(256, 4096) == kMostRaster);  // as many rows of tiles as there are
  CHECK(group(320, 3072) == kMostRaster);  // one left over would load all columns
  CHECK(group(2048, 512) == 1);            // as many columns
}

TEST_CASE("few rows of tiles run together where D is most of what is moved", "[plan][grid]") {
  const auto group = [](Index m, Index n, Index k) {
    const Problem problem =
        problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    return gemm_step(make_plan(problem, device_preset("h200"), parse_config("swapped=off")))
        .schedule.raster_width;
  };
  CHECK(group(7928, 3688, 48) == 4);
  CHECK(group(8192, 8192, 256) == 4);
  CHECK(group(4096, 24576, 1536) > 4);  // the cache does not keep B
  CHECK(group(4096, 2048, 2048) > 4);   // operands are more
}

TEST_CASE("a grid has one block a tile and matrix", "[plan][grid]") {
  Config config;
  config.specialize = Specialize::none;
  config.main_loop = MainLoop::register_staged;
  const Plan plan = make_plan(problem_of(300, 512, 512), device_preset("a100"), config);
  REQUIRE(gemm_step(plan).tile == TileShape{128, 128, 8});
  CHECK(to_string(gemm_step(plan).grid[0]) == "ceil_div(m,128)*ceil_div(n,128)*batch");
  CHECK(grid_of(plan, 0, sizes(300, 512, 8)) == Dim3{12, 1, 1});
  CHECK(grid_of(plan, 0, sizes(1, 1, 8, 5)) == Dim3{5, 1, 1});
  CHECK(grid_of(plan, 0, sizes(128, 129, 8, 2)) == Dim3{4, 1, 1});
  CHECK(grid_of(plan, 0, sizes(0, 512, 8)).x == 0);
  CHECK(grid_of(plan, 0, sizes(300, 512, 8, 0)).x == 0);
}

TEST_CASE("a transposed step swaps the extents of its grid", "[plan][grid]") {
  Problem problem = problem_of(300, 4096, 512);
  problem.c.order = problem.d.order = Order::col;
  const Plan plan = make_plan(problem, device_preset("h200"));
  const GemmStep& step = gemm_step(plan);
  CHECK(step.transposed);
  CHECK(step.m.value == 4096);
  CHECK(to_string(step.n.count) == "m");
  CHECK(grid_of(plan, 0, sizes(1, 4096, 512)).x == 4096 / step.tile.m);
}

TEST_CASE("a grid of more blocks than a launch has is refused", "[plan][grid][refusal]") {
  const Plan plan = make_plan(problem_of(300, 4096, 512), device_preset("a100"),
                              parse_config("main_loop=register_staged"));
  const Error error =
      test::refusal_of([&] { return grid_of(plan, 0, sizes(Index{1} << 38, 4096, 512)); });
  CHECK(error.code == ErrorCode::illegal_problem);
  CHECK(error.operand == "blocks");
  CHECK(error.nearest_legal == "2147483647");
}

TEST_CASE("clusters that launches give have powers of two of blocks", "[plan][shared][refusal]") {
  const auto planned = [](const char* cluster) {
    return make_plan(problem_of(4096, 4096, 512, {DType::bf16, DType::bf16}), device_preset("h200"),
                     parse_config(std::string("specialize=generic cluster=") + cluster));
  };
  const Error error = test::refusal_of([&] { return planned("3x1"); });
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.operand == "cluster");
  CHECK(error.nearest_legal == "2x1");
  for (const char* legal : {"1x1", "2x1", "1x4", "2x2", "8x1", "2x4"})
    CHECK_NOTHROW(planned(legal));
}

TEST_CASE("presets have names of their own and the limits of their architecture",
          "[plan][presets]") {
  std::set<std::string> names;
  for (const DeviceInfo& info : device_presets()) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK(info.smem_bytes_per_block == limits(info.arch).smem_bytes_per_block);
    CHECK(info.smem_bytes_per_block <= info.smem_bytes_per_sm);
    CHECK(info.sm_count > 0);
    CHECK(device_preset(info.name) == info);
    CHECK(preset_for(info.arch).arch == info.arch);
  }
  CHECK(preset_for({90, 'a'}).name == "h200");
  CHECK(preset_for({90, '\0'}).name == "h200");
  for (const Arch arch : known_arches()) CHECK(preset_for(arch).arch == arch);
  CHECK(preset_for({89, '\0'}).name == "l40s");
}

TEST_CASE("what planning chooses from is told in order of preference", "[plan][candidates]") {
  const Problem bf16 = problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16});
  const std::vector<std::string> lines = texts(considered(bf16, device_preset("h200")));
  REQUIRE(lines.size() > 3);
  CHECK(lines[0] ==
        "SM90_64x256x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::MN> by 2x1 groups on 128x256, "
        "TMA, clusters of 1x1");
  const std::vector<std::string> by_warps =
      texts(considered(bf16, device_preset("h200"), parse_config("main_loop=multistage")));
  CHECK(by_warps[0] ==
        "SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, 4 stages of 64 bytes "
        "of K");
  const std::string threads =
      "UniversalFMA<float,bfloat16_t,bfloat16_t,float> by threads of 8x8 elements on 128x128";
  CHECK(lines[lines.size() - 2] == threads);
  CHECK(lines.back() == threads + ", cp.async, 3 stages of 16 of K");
  // Turing has no cp.async.
  CHECK(considered(problem_of(2048, 2048, 2048, {DType::s8, DType::s32}), device_preset("a100"))[0]
            .text ==
        "SM80_16x8x32_S32S8S8S32_TN by 2x4 warps on 128x256, cp.async, 4 stages of "
        "64 bytes of K, 5 slices of K behind 108 whole tiles");
  CHECK(considered(problem_of(2048, 2048, 2048, {DType::f16, DType::f16}), device_preset("t4"))[0]
            .text ==
        "SM75_16x8x8_F32F16F16F32_TN by 2x4 warps on 64x128, through registers, 2 stages of "
        "64 bytes of K");
  // Tiny problems, and what is planned where no straight kernel is wanted.
  CHECK(texts(considered(problem_of(100, 100, 100, {DType::bf16, DType::bf16}),
                         device_preset("h200")))[0] ==
        "SM80_16x8x16_F32BF16BF16F32_TN straight from global memory, 1x1 of a warp, 7 parts of K");
  // The caller's atom is the only one.
  Config config;
  config.mma_atom = "SM80_16x8x8_F32BF16BF16F32_TN";
  for (const std::string& line : texts(considered(bf16, device_preset("h200"), config)))
    CHECK(line.starts_with(*config.mma_atom + " "));
}

TEST_CASE("an atom of the caller's own is planned where no other multiplies the types",
          "[plan][candidates]") {
  const Problem mixed = [] {
    Problem problem = problem_of(64, 64, 64, {DType::u8, DType::s32});
    problem.b.type = DType::s8;
    return problem;
  }();
  const DeviceInfo t4 = device_preset("t4");
  CHECK(gemm_step(make_plan(mixed, t4)).mma.atom().form == MmaForm::fma);
  MmaAtom mine = Catalogue().mma("SM75_8x8x16_S32S8S8S32_TN");
  mine.name = "MINE_8x8x16_S32U8S8S32";
  mine.a_type = value_type(DType::u8);
  mine.ptx = "mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32";
  CHECK(gemm_step(make_plan(mixed, t4, {}, Catalogue().with(mine))).mma.atom() == mine);
}

TEST_CASE("an unknown preset is refused, and the nearest one offered", "[plan][presets][refusal]") {
  const Error error = test::refusal_of([] { return device_preset("h20O"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.nearest_legal == "h200");
}

TEST_CASE("the text of a plan is stable and has a fact a line", "[plan][text]") {
  const Problem problem = problem_of(300, 512, 512, {DType::bf16, DType::bf16});
  const Plan plan = make_plan(problem, device_preset("h200"));
  const std::string text = to_string(plan);
  CHECK(text == to_string(make_plan(completed(problem), device_preset("h200"))));
  for (const char* line :
       {"device h200 sm_90a 132 SMs", "  m 512 (literal n)\n", "  n 300 (run-time m)\n",
        "  schedule.main_loop warp_specialised\n", "  accumulate f32\n", "  a.type bf16\n"}) {
    INFO(line);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(text.ends_with("\n"));
  CHECK(text.find("  \n") == std::string::npos);
  CHECK(to_string(make_plan(problem_of(300, 512, 513), device_preset("h200"))) != text);
}
