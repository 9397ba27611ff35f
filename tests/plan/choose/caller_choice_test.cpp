// What a caller may choose: every illegal choice is refused with its rule and the nearest legal
// value, before anything is built from it.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/shares.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;
using test::refusal_of;

namespace {

struct For {
  DType type = DType::f16;
  const char* preset = "h200";
};

GemmStep planned_for(const std::string& config, const For& target = {}) {
  const DType out = is_integer(target.type) ? DType::s32 : target.type;
  return gemm_step(make_plan(problem_of(64, 64, 64, {target.type, out}),
                             device_preset(target.preset), parse_config(config)));
}

/// A refusal, each of whose rules says what must hold.
Error refused(const std::string& config, const For& target = {}) {
  INFO(config);
  const Error error = refusal_of([&] { return planned_for(config, target); });
  CHECK(error.code == ErrorCode::illegal_config);
  for (const std::string& rule : error.violated_rules) {
    INFO(rule);
    const bool is_rule =
        rule.find("must") != std::string::npos || rule.find("need") != std::string::npos;
    CHECK(is_rule);
  }
  return error;
}

struct Answer {
  const char *operand, *nearest;
};
void check_refused(const std::string& config, const Answer& answer, const For& target = {}) {
  const Error error = refused(config, target);
  INFO(to_string(error));
  CHECK(error.operand == answer.operand);
  CHECK(error.nearest_legal == answer.nearest);
}

}  // namespace

TEST_CASE("groups of consumers that share out K are refused", "[plan][rules][refusal]") {
  check_refused("atom_layout=(2,1,2) main_loop=warp_specialised",
                {"atom_layout", "(2,1,1):(1,0,0)"});
  check_refused("atom_layout=(8,8,2) main_loop=warp_specialised",
                {"atom_layout", "(8,8,1):(1,8,0)"}, {DType::f32});
}

TEST_CASE("atoms that share threads, leave gaps or count backwards are refused",
          "[plan][rules][refusal]") {
  for (const char* layout : {"(2,4,1):(0,1,0)", "(2,4,1):(1,4,0)", "(2,4,1):(-1,2,0)",
                             "(2,4,1):(1,-2,0)", "(2,4,1):(1,1,0)", "(2,4,1):(4294967296,1,0)",
                             "(2,4,1):(1,9223372036854775807,0)", "(2,4,1):(1@0,1@1,0)"})
    check_refused("atom_layout=" + std::string(layout), {"atom_layout", "(2,4,1):(1,2,0)"});
  CHECK_NOTHROW(planned_for("atom_layout=(2,4,1):(4,1,0)"));
  CHECK_NOTHROW(planned_for("atom_layout=(2,(2,2),1):(2,(1,4),7)"));
}

TEST_CASE("atoms that are no whole warps, or more than a block, are refused",
          "[plan][rules][refusal]") {
  check_refused("atom_layout=(1,8,4294967296)", {"atom_layout", "(1,8,1):(0,1,0)"});
  check_refused("atom_layout=(65536,1048576,1)", {"atom_layout", "(8,4,1):(1,8,0)"});
  check_refused("atom_layout=(5,5,1)", {"atom_layout", "(4,8,1):(1,4,0)"}, {DType::f32});
  check_refused("mma_atom=SM70_8x8x4_F32F16F16F32_TN atom_layout=(1,1,1)",
                {"atom_layout", "(1,4,1):(0,1,0)"});
}

TEST_CASE("a permutation that is no multiple of what the atoms cover is refused",
          "[plan][rules][refusal]") {
  const For a100{DType::f16, "a100"};
  check_refused("permutation=(_,_,8)", {"permutation.k", "16"}, a100);
  check_refused("permutation=(_,16,_)", {"permutation.n", "32"}, a100);
  check_refused("permutation=(16,_,_)", {"permutation.m", "32"}, a100);
  check_refused("permutation=(_,40,_)", {"permutation.n", "32"}, a100);
  check_refused("permutation=(_,(3,8):(8,1),_)", {"permutation.n", "32"}, a100);
  check_refused("permutation=(4294967296,_,_)", {"permutation.m", "65536"}, a100);
}

TEST_CASE("a permutation that reaches elements twice or never is refused",
          "[plan][rules][refusal]") {
  for (const char* mode :
       {"32:2", "(16,2):(1,0)", "32:-1", "32:4611686018427387904", "(16,2):(1,8)"})
    check_refused("permutation=(" + std::string(mode) + ",_,_)", {"permutation.m", "32"});
  CHECK_NOTHROW(planned_for("permutation=((16,2):(2,1),_,_)"));
  // The 16 elements of an atom would end inside a group of three.
  check_refused("permutation=((3,32):(32,1),_,_)", {"permutation.m", "96"});
}

TEST_CASE("a shared layout that leaves the shared memory is refused before it is walked",
          "[plan][rules][refusal]") {
  for (const char* layout :
       {"Sw<3,4,3>o9223372036854775807o(128,64):(64,1)", "Sw<3,55,3>o0o(128,64):(64,1)",
        "Sw<3,4,3>o-1o(128,64):(64,1)", "(128,64):(4503599627370496,1)",
        "(128,64):(9223372036854775807,1)", "(128,64):(-9223372036854775808,1)", "(128,64):(64,-1)",
        "(128,64):(4096,1)", "(128,64):(32,1)", "(128,32):(64,1)", "(9223372036854775807,64):(0,1)",
        "(128,64):(1@0,1@1)", "8192:1"})
    check_refused("tile=128x128x64 stages=16 smem_a=" + std::string(layout),
                  {"smem_a", "(128,64):(64,1)"});
}

TEST_CASE("a shared layout whose modes threads or fragments straddle is refused",
          "[plan][rules][refusal]") {
  check_refused("tile=48x64x64 atom_layout=(1,2,1) smem_a=((3,16),64):((1024,64),1)",
                {"smem_a", "(48,64):(64,1)"});
}

TEST_CASE("a tile beyond the chip is refused before it is walked", "[plan][rules][refusal]") {
  check_refused("tile=65536x65536x64", {"tile", "64x64x64"});
  check_refused("tile=32x32x1048576", {"tile.k", "65536"});
  check_refused("tile=32x32x65536", {"tile", "32x32x64"});
  check_refused("tile=1024x1024x64", {"tile", "64x64x64"});
  check_refused("tile=65536x65536x8", {"tile", "64x64x8"}, {DType::f32});
  check_refused("tile=2147483647x64x64", {"tile.m", "65536"});
  check_refused("tile=-2147483647x-2147483647x-2147483647", {"tile.m", "32"});
  // Registers of the block would hold it, those of its 256 threads do not.
  check_refused("tile=256x256x64", {"tile", "256x128x64"});
}

TEST_CASE("numbers that no kernel has are refused before tiles are searched and ranked by them",
          "[plan][rules][refusal]") {
  for (const DType type : {DType::f32, DType::bf16}) {
    for (const auto& [cluster, nearest] :
         {std::pair("0x0", "1x1"), std::pair("0x1", "1x1"), std::pair("1x0", "1x1"),
          std::pair("-1x-1", "1x1"), std::pair("0x3", "1x4"), std::pair("16x1", "8x1"),
          std::pair("1x9", "1x8"), std::pair("4x4", "4x2"), std::pair("3x7", "1x8"),
          std::pair("5x2", "4x2"), std::pair("65536x65536", "8x1"),
          std::pair("-2147483648x2147483647", "1x8")})
      check_refused("cluster=" + std::string(cluster), {"cluster", nearest}, {type});
    check_refused("ping_pong=2147483647", {"ping_pong", "2"}, {type});
    check_refused("ping_pong=-2147483648", {"ping_pong", "1"}, {type});
    check_refused("tile=64x2147483647x64 main_loop=warp_specialised", {"tile.n", "65536"}, {type});
  }
}

TEST_CASE("a cluster among whose blocks a tile cannot be shared out evenly is refused by its name",
          "[plan][rules][refusal]") {
  for (const auto& [cluster, nearest] :
       {std::pair("1x3", "1x2"), std::pair("1x7", "1x4"), std::pair("5x1", "4x1")})
    check_refused("tile=64x64x64 cluster=" + std::string(cluster), {"cluster", nearest});
}

TEST_CASE("a tile that the threads cannot share out is refused", "[plan][rules][refusal]") {
  check_refused("atom_layout=(8,32,1) permutation=(_,_,_) tile=8x32x1", {"tile", "8x32x32"},
                {DType::f32});
}

TEST_CASE("atoms of forms that no kernel is generated from are refused", "[plan][rules][refusal]") {
  for (const auto& [type, mma] :
       {std::pair(DType::f16, "SM90_64x16x16_F32F16F16_RS"), std::pair(DType::s8, "SM61_DP4A")}) {
    const Error error = refused("mma_atom=" + std::string(mma), {type});
    CHECK(error.operand == "mma_atom");
    CHECK(error.value == mma);
  }
}

TEST_CASE("an atom of a quadpair fills warps by default", "[plan][rules]") {
  const GemmStep step = planned_for("mma_atom=SM70_8x8x4_F32F16F16F32_TN");
  CHECK(step.threads == 256);
  CHECK(step.mma.atom_layout() == Layout("(4,8,1):(1,4,0)"));
}

TEST_CASE("wishes that only a producer and consumers can keep are kept or refused",
          "[plan][rules][refusal]") {
  for (const auto& [choice, wish, instead] :
       {std::tuple("cluster", "2x1", "1x1"), std::tuple("blocks", "64", "0"),
        std::tuple("split_k", "3", "1"), std::tuple("read_once", "both", "none"),
        std::tuple("producer_warps", "1", "4"), std::tuple("k_starts", "4", "1"),
        std::tuple("ping_pong", "2", "1"), std::tuple("swapped", "on", "off"),
        std::tuple("edge_rows", "left_out", "zeros"),
        std::tuple("first_stages", "by_initialiser", "after_barrier"),
        std::tuple("first_stages", "prefetched", "after_barrier"),
        std::tuple("release", "at_start", "never")}) {
    const std::string config = std::string(choice) + "=" + wish;
    INFO(config);
    const Error error = refused(config, {DType::f32, "a100"});
    CHECK(error.operand == choice);
    CHECK(error.value == wish);
    CHECK(error.nearest_legal == instead);
    CHECK_NOTHROW(planned_for(config, {DType::bf16}));
  }
  // Whoever wishes for a cluster is told what keeps TMA from it, not given another kernel.
  CHECK(refused("cluster=2x1 tile=128x256x64 smem_a=(128,64):(72,1)", {DType::bf16}).operand ==
        "smem_a");
}

TEST_CASE("blocks that wait for each other all run together, and store parts of D",
          "[plan][rules][refusal]") {
  CHECK(planned_for("split_k=2 reduction=all_add", {DType::bf16}).residency ==
        Residency::whole_grid);
  CHECK(planned_for("split_k=2 reduction=last_adds", {DType::bf16}).residency == Residency::any);
  for (const char* config :
       {"reduction=all_add split_k=1", "reduction=all_add split_k=2 swapped=on tile=128x64x64",
        "reduction=all_add split_k=200 tile=64x64x64"}) {
    INFO(config);
    const Error error = refused(config, {DType::bf16});
    CHECK(error.operand == "reduction");
    CHECK(error.value == "all_add");
    CHECK(error.nearest_legal == "last_adds");
  }
}

TEST_CASE("blocks of a cluster of slices each drain an equal share of their tile",
          "[plan][rules][slices]") {
  const auto share = [](const std::string& config) {
    const GemmStep step = planned_for("reduction=distributed " + config, {DType::bf16});
    CHECK(step.cluster == Dim3{1, 1, step.schedule.split_k});
    CHECK(step.residency == Residency::any);
    CHECK(smem_region(step, "parts").copies == shares(step));
    CHECK(smem_region(step, "parts").bytes == Index{step.tile.m} * step.tile.n * 4);
    return shares(step);
  };
  CHECK(share("split_k=2 tile=128x128x64") == 2);
  CHECK(share("split_k=8 tile=64x64x64") == 8);
  CHECK(share("split_k=4 tile=64x72x64 atom_layout=(1,1,1)") == 3);
  CHECK(share("split_k=5 tile=64x64x64 atom_layout=(1,1,1)") == 4);
  // Nothing of theirs lies in the workspace.
  const Plan plan =
      make_plan(problem_of(64, 64, 64, {DType::bf16, DType::bf16}), device_preset("h200"),
                parse_config("split_k=4 reduction=distributed"));
  CHECK(plan.workspace.empty());
}

TEST_CASE("slices meet in a cluster of their own, of up to eight", "[plan][rules][refusal]") {
  for (const char* config :
       {"reduction=distributed split_k=1", "reduction=distributed split_k=9 tile=64x64x64",
        "reduction=distributed split_k=2 cluster=2x1 tile=128x128x64"}) {
    INFO(config);
    const Error error = refused(config, {DType::bf16});
    CHECK(error.operand == "reduction");
    CHECK(error.value == "distributed");
    CHECK(error.nearest_legal == "last_adds");
  }
}

TEST_CASE("a caller's tile is shared by as many groups as its rows suit", "[plan]") {
  const auto groups = [](const std::string& config) {
    const GemmStep step = planned_for(config, {DType::bf16});
    return step.schedule.main_loop == MainLoop::warp_specialised ? size(step.mma) / 128 : 0;
  };
  CHECK(groups("tile=64x128x64") == 1);
  CHECK(groups("tile=128x256x64") == 2);
  CHECK(groups("tile=192x128x64") == 3);
  // A team of its own holds 128 rows of up to 200 columns.
  CHECK(groups("tile=128x200x64 ping_pong=2") == 1);
}

TEST_CASE("a caller who names the tile that the planner chose is given the same kernel", "[plan]") {
  struct Shape {
    Index m, n, k;
  };
  for (const auto& [m, n, k] : {Shape{4096, 4096, 4096},
                                {768, 1024, 4096},
                                {896, 1024, 8192},
                                {8192, 8192, 8192},
                                {64, 4096, 7168},
                                {198, 3600, 1120}}) {
    INFO(m << "x" << n << "x" << k);
    const Problem problem = problem_of(m, n, k, {DType::bf16, DType::bf16});
    const DeviceInfo h200 = device_preset("h200");
    const GemmStep chosen = gemm_step(make_plan(problem, h200));
    const KernelSchedule& free = chosen.schedule;
    REQUIRE(free.main_loop == MainLoop::warp_specialised);
    Config named;
    named.tile = chosen.tile;
    named.swapped = chosen.transposed;
    named.cluster = free.cluster;
    named.ping_pong = free.ping_pong;
    named.split_k = free.split_k;
    named.reduction = free.reduction;
    const KernelSchedule again = gemm_step(make_plan(problem, h200, named)).schedule;
    CHECK(again.raster_width == free.raster_width);
    CHECK(again.stages == free.stages);
    CHECK(again.releases == free.releases);
  }
}

TEST_CASE("a tile that wgmma alone may have is given it, where operands are copied for that too",
          "[plan]") {
  // Rows of A begin anywhere: without a copy warps multiply, and one has no room for such a tile.
  const Problem problem =
      problem_of(70, 125, 72, {DType::bf16, DType::bf16}, {Order::col, Order::col});
  const Plan plan = make_plan(problem, device_preset("h200"),
                              parse_config("tile=64x128x64 atom_layout=(1,1,1) cluster=1x1"));
  CHECK(gemm_step(plan).schedule.main_loop == MainLoop::warp_specialised);
  CHECK(check(plan).empty());
}

TEST_CASE("runs of less than 4 bytes, which no asynchronous copy has, come through registers",
          "[plan]") {
  // Elements of two bytes along K go one by one to rows along M.
  const Config config =
      parse_config("mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> main_loop=multistage");
  for (const Order a : {Order::row, Order::col}) {
    const Problem problem = problem_of(64, 64, 64, {DType::bf16, DType::bf16}, {a, Order::row});
    const GemmStep step = gemm_step(make_plan(problem, device_preset("h200"), config));
    const bool is_short = a == Order::row;
    CHECK(step.schedule.main_loop == (is_short ? MainLoop::register_staged : MainLoop::multistage));
    CHECK((transfer_of(step.a) == Transfer::registers) == is_short);
  }
}

TEST_CASE("a thread's multiply-add, which sums in no 16 bits, is neither chosen nor taken for f16",
          "[plan][refusal]") {
  Problem problem = problem_of(2, 7, 95, {DType::f16, DType::f16});
  problem.accumulate = DType::f16;
  problem.batch = 3;
  problem.groups = Groups{.kind = GroupKind::masked_rows, .expected = 2};
  for (const DeviceInfo& device : device_presets())
    CHECK(gemm_step(make_plan(problem, device)).mma.atom().form != MmaForm::fma);
  const Error error = refusal_of([&] {
    (void)make_plan(problem, device_preset("t4"), parse_config("mma_atom=UniversalFMA<half_t>"));
  });
  CHECK(error.operand == "mma_atom");
  CHECK(error.violated_rules.front().find("must be f32, f64 or s32") != std::string::npos);
}
