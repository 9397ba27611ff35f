// What it takes to ask for a View's boxes, of which there are as many as its modes cut a tile into.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>

#include <string>
#include <utility>

#include "support/catch.hpp"

using namespace jute;

namespace {

constexpr double kIssue = 75;  // clocks, of the H200's row
constexpr int kTile = 128, kTiles = 960, kSms = 132;

/// Rows of A in runs, which tiles fill or do not.
Problem in_runs_of(Index rows) {
  const Index m = Index{kTile} * kTiles;
  return parse_problem("M=" + std::to_string(m) + " N=64 K=64 A=bf16:view[((" +
                       std::to_string(rows) + "," + std::to_string(m / rows) +
                       "),64):((64,16384),1)] B=bf16:col D=bf16:row");
}

Plan plan_of(Index run, const DeviceInfo& device) {
  return make_plan(in_runs_of(run), device,
                   parse_config("tile=128x64x64 cluster=1x1 main_loop=warp_specialised pad=off"));
}

}  // namespace

TEST_CASE("a View's boxes are counted in what a tile does, and take their clocks",
          "[plan][cost][view]") {
  const DeviceInfo device = device_preset("h200");
  for (const auto& [run, boxes] : {std::pair<Index, Index>{12, 32}, {24, 16}, {96, 4}, {128, 1}}) {
    INFO(run);
    const Plan plan = plan_of(run, device);
    const GemmStep& step = gemm_step(plan);
    REQUIRE(tma_of(step.a).boxed);
    // A box has the rows of a run that all runs and the tile have in common.
    CHECK(step.block.boxes == static_cast<double>(boxes + 1));  // and one of B
    // Each SM asks for its share of all tiles.
    const double least = static_cast<double>(boxes + 1) * kIssue * (kTiles / kSms);
    CHECK(prediction_of(plan).value().clocks >= least);
  }
}

TEST_CASE("twice the clocks of a box are felt where they are what tiles wait for",
          "[plan][cost][view]") {
  const DeviceInfo device = device_preset("h200");
  DeviceInfo slow = device;
  slow.own_figures.push_back({"tma_issue", 2 * kIssue, "measured"});
  const auto clocks = [](Index run, const DeviceInfo& on) {
    return prediction_of(plan_of(run, on)).value().clocks;
  };
  CHECK(clocks(12, slow) > 1.5 * clocks(12, device));
  CHECK(clocks(128, slow) == clocks(128, device));
}
