// Groups' parts of K that TMA brings by maps which a kernel makes: whatever lies behind a part, in
// rows of the next group's or of none, is not multiplied.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <random>

#include "base/format.hpp"
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kByMaps = "main_loop=warp_specialised carry_a=tma carry_b=tma";

/// Ends of groups, of which some are empty, some one row and some end where a k-tile does. Behind
/// the last lie rows of no group.
std::vector<Index> drawn_ends(std::mt19937_64& engine, int groups, Index k) {
  constexpr Index kParts[] = {0, 1, 7, 33, 64, 65, 128, 130};
  std::vector<Index> ends;
  Index end = 0;
  for (int i = 0; i < groups; ++i)
    ends.push_back(end = std::min(end + kParts[engine() % std::size(kParts)], k));
  return ends;
}

/// A and B are contiguous along M and N; extents, types, orders of D, factors, blocks and stages
/// are drawn.
GemmCase drawn_parts(int index) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15ull + 3);
  const auto one_of = [&]<size_t kCount>(const std::array<const char*, kCount>& all) {
    return all.at(engine() % kCount);
  };
  const auto below = [&](Index count) {
    return static_cast<Index>(engine() % static_cast<std::uint64_t>(count));
  };
  constexpr std::array kTypes{"bf16 B=bf16 D=bf16", "bf16 B=bf16 D=f32", "f16 B=f16 D=f16",
                              "f16 B=f16 D=f32",    "f32 B=f32 D=f32",   "tf32 B=tf32 D=f32"};
  constexpr std::array kTiles{"", " tile=64x64x64", " tile=128x64x32", " tile=128x128x64"};
  constexpr std::array kOrders{"row", "col"}, kAlphas{"1", "run-time"};
  constexpr std::array kBetas{"0", "1", "run-time"};
  const int groups = static_cast<int>(1 + below(13));
  const Index m = 1 + below(200), n = 1 + below(200), k = 1 + below(700);
  const auto ld = [&](Index extent) { return (extent + 7) / 8 * 8 + 8 * below(3); };
  std::string types = one_of(kTypes);
  types.replace(types.find(" B="), 0, base::format(":col:ld{}", ld(m)));
  types.replace(types.find(" D="), 0, base::format(":row:ld{}", ld(n)));
  GemmCase one;
  one.problem = parse_problem(
      base::format("M={} N={} K={} batch={} A={}:{} alpha={} beta={} groups=k", m, n, k, groups,
                   types, one_of(kOrders), one_of(kAlphas), one_of(kBetas)));
  if (one.problem.alpha == Factor::run_time) one.alpha = 1.5;
  if (one.problem.beta == Factor::run_time) one.beta = -0.5;
  if (one.problem.beta == Factor::one) one.beta = 1;
  const bool is_of_warpgroups = width_bytes(one.problem.a.type) == 2;
  one.config = parse_config(base::format("{} blocks={} stages={}{}", kByMaps, 1 + below(3),
                                         2 + below(3), is_of_warpgroups ? one_of(kTiles) : ""));
  one.ends = drawn_ends(engine, groups, k);
  one.fill = below(2) == 0 ? Fill::special : Fill::normal;
  one.seed = static_cast<std::uint64_t>(index + 1);
  return one;
}

}  // namespace

TEST_CASE("zeros lie behind a group's part of K in what TMA brings", "[gemm][groups][parts_of_k]") {
  int index = 0;
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    Context context = context_of(schedule, 3);
    for (const int end = index + draws(12); index < end; ++index) {
      const GemmCase one = drawn_parts(index);
      INFO(to_string(one.problem) << " | " << to_string(one.config));
      CHECK(makes_maps(
          gemm_step(make_plan(one.problem, context.backend().device_info(), one.config))));
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
  }
}

TEST_CASE("parts of K that TMA cannot find are refused with their rule",
          "[gemm][groups][parts_of_k][refusal]") {
  struct Refused {
    const char *operands, *choices, *chip, *operand, *nearest;
  };
  for (const auto& [operands, choices, chip, operand, nearest] :
       {Refused{"A=bf16:col B=bf16:row", "ping_pong=2", "h200", "ping_pong", "1"},
        Refused{"A=bf16:col B=bf16:row", "cluster=2x1", "h200", "cluster", "1x1"},
        Refused{"A=bf16:col B=bf16:row", "carry_b=cp_async", "h200", "carry_a", "cp_async"}}) {
    INFO(operands << " " << choices);
    const Error error = refusal_of([&] {
      (void)make_plan(
          parse_problem(base::format("M=200 N=136 K=512 batch=8 {} D=f32 groups=k", operands)),
          device_preset(chip),
          parse_config(base::format("main_loop=warp_specialised carry_a=tma {}", choices)));
    });
    CHECK(error.operand == operand);
    CHECK(error.nearest_legal == nearest);
  }
}
