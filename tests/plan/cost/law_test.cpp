// The law of predictions: never below what the chip's row allows, and true to each of its fields.
#include "plan/cost/law.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using namespace jute::plan;

namespace {

KernelProblem staged_problem(DType type, Index m, Index n, Index k) {
  const DType out = type == DType::f64 ? DType::f64 : type == DType::s8 ? DType::s32 : DType::f32;
  return kernel_problem(test::problem_of(m, n, k, {type, out}), Config());
}

Tile warp_tile(int m, int n, int stages, int warps_k = 1) {
  return {.m = m,
          .n = n,
          .k_bytes = 128,
          .groups_m = 2,
          .groups_n = 2,
          .groups_k = warps_k,
          .stages = stages};
}

struct SomeBlock {
  FamilyLaw law;
  Block block;
  Grid grid;
};

SomeBlock some_block(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const Block block = warp_tile_block(tile, Transfer::cp_async, problem);
  return {law_of(Family::warps_async, MmaForm::mma, problem.a.type, problem.accumulate, device),
          block, grid_of(block, problem)};
}

/// Of a chip: tiles and problems from a launch's length to a second's, bound by each of its rates.
std::vector<SomeBlock> some_blocks(const DeviceInfo& device) {
  std::vector<SomeBlock> list;
  for (const DType type : {DType::f64, DType::f16, DType::tf32, DType::s8})
    for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{64, 64, 64},
                                  {16, 4096, 8192},
                                  {4096, 4096, 4096},
                                  {100, 300, 20000},
                                  {20000, 64, 16}})
      for (const auto& tile :
           {warp_tile(32, 32, 4), warp_tile(64, 128, 3), warp_tile(32, 64, 4, 2)}) {
        const KernelProblem problem = staged_problem(type, m, n, k);
        list.push_back(some_block(tile, problem, device));
      }
  return list;
}

double law_clocks_of(const SomeBlock& one, const Cut& cut = {}) {
  return clocks(one.block, one.grid, cut, one.law.rates, one.law.of).clocks;
}

}  // namespace

TEST_CASE("coefficients are few, and every family has some", "[plan][cost][law]") {
  std::set<std::pair<Family, int>> rows;
  for (const Coefficients& of : coefficients()) {
    CHECK(rows.emplace(of.family, of.width).second);
    for (const double value :
         {of.launch, of.product, of.read, of.copy, of.turn, of.end, of.store, of.sum})
      CHECK(value > 0);
  }
  CHECK(coefficients().size() * 8 <= 200);
  for (const Family family :
       {Family::warps_async, Family::warps_registers, Family::warp_groups, Family::threads_async,
        Family::thread_groups, Family::lane_tiles, Family::dot_products, Family::straight_tiles,
        Family::line_warps, Family::line_threads})
    for (const int width : {1, 2, 4, 8}) CHECK(coefficients_of(family, width, {}).family == family);
  CHECK(coefficients_of(Family::warps_async, 2, {}).width == 2);
}

TEST_CASE("nothing is expected below what units and memory take, and terms make the sum",
          "[plan][cost][law]") {
  for (const char* preset : {"h200", "a100", "l40s", "rtx4090", "t4"})
    for (const SomeBlock& one : some_blocks(device_preset(preset)))
      for (const int split_k : {1, 3}) {
        const Prediction result = clocks(one.block, one.grid, {split_k}, one.law.rates, one.law.of);
        const Busy busy = busy_of(one.block, one.grid, one.law.rates);
        INFO(preset << " " << one.grid.tiles << " tiles, " << to_string(one.block) << ", "
                    << split_k);
        const double multiplied = one.grid.tiles * one.grid.k_tiles * busy.products /
                                  one.law.rates.sms * one.law.rates.of_fastest_clock;
        CHECK(result.clocks >= multiplied);
        CHECK(result.clocks >= busy.memory);
        double sum = 0;
        for (const Term& term : terms(result)) {
          CHECK(term.clocks >= 0);
          sum += term.clocks;
        }
        CHECK(std::abs(sum - result.clocks) <= 0.005 * result.clocks);
      }
}

TEST_CASE("a greater rate is never slower, and each of a row's changes something",
          "[plan][cost][law]") {
  const DeviceInfo device = device_preset("h200");
  // Of fewer slots for the same units each warp has more.
  struct Change {
    const char* name;
    double ChipRates::*rate;
    double by;
  };
  constexpr Change kChanges[] = {{"issue_slots", &ChipRates::issue_slots, 0.5},
                                 {"load_latency", &ChipRates::load_latency, 0.5},
                                 {"launch_gap", &ChipRates::launch_gap, 0.5},
                                 {"block_start", &ChipRates::block_start, 0.5},
                                 {"sms", &ChipRates::sms, 2},
                                 {"memory_bytes", &ChipRates::memory_bytes, 2},
                                 {"l2_bytes", &ChipRates::l2_bytes, 2},
                                 {"smem_bytes", &ChipRates::smem_bytes, 2},
                                 {"of_fastest_clock", &ChipRates::of_fastest_clock, 0.5}};
  for (const Change& change : kChanges) {
    INFO(change.name);
    bool is_felt = false;
    for (const DType type : {DType::f64, DType::f16, DType::s8})
      for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{64, 64, 512},
                                    {16, 4096, 8192},
                                    {4096, 4096, 4096},
                                    {30000, 64, 64}})
        for (const int edge : {32, 128}) {
          const Tile tile = warp_tile(edge, edge, 3);
          const KernelProblem problem = staged_problem(type, m, n, k);
          SomeBlock one = some_block(tile, problem, device);
          one.law.of.product = 0.5;  // units that multiply take no less than the row says
          const double before = law_clocks_of(one);
          one.law.rates.*change.rate *= change.by;
          const double now = law_clocks_of(one);
          CHECK(now <= before * (1 + 1e-12));
          is_felt = is_felt || now < 0.999 * before;
        }
    CHECK(is_felt);
  }
}

TEST_CASE("a last wave that would be short is shorter where slices share it out",
          "[plan][cost][law]") {
  const DeviceInfo device = device_preset("h200");
  const KernelProblem problem = staged_problem(DType::f64, 128 * 44, 128 * 4, 8192);
  const Tile tile = warp_tile(128, 128, 4);
  const SomeBlock one = some_block(tile, problem, device);
  REQUIRE(one.grid.tiles == 176);
  CHECK(law_clocks_of(one, {3, 132}) < 0.8 * law_clocks_of(one));
  // One slice of each is what they are whole.
  CHECK(law_clocks_of(one, {1, 132}) == Approx(law_clocks_of(one)).epsilon(1e-9));
  // No more than the limit is sure beyond it.
  const double all = law_clocks_of(one);
  const auto within = [&](double limit) {
    return clocks(one.block, one.grid, {}, one.law.rates, one.law.of, limit).clocks;
  };
  CHECK(within(all + 1) == all);
  CHECK(within(all / 2) >= all / 2);
}
