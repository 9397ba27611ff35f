// K that threads share out over tiles in shared memory, or blocks by slices: right whatever the
// order, and silent under every check of the emulator.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"
#include "support/shared_k_cases.hpp"
#include "support/staged_slices_cases.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/derive/sum_order.hpp>

using namespace jute;
using namespace jute::test;

namespace {

Context checked_context(std::string_view preset, Schedule schedule) {
  EmulatorOptions options;
  options.device = device_preset(preset);
  options.check = Check::full;
  options.schedule = schedule;
  options.seed = 3;
  return Context(open_emulator(options), with_kept_kernels());
}

/// Of the row's own main loop, with threads that share out K.
void check_is_as_asked(const Plan& plan, const StraightRow& row) {
  const GemmStep& step = gemm_step(plan);
  CHECK(size(step.mma.atom_layout()[2]) > 1);
  CHECK(step.schedule.main_loop == parse_config(row.config).main_loop);
  CHECK(check(plan).empty());
}

Error refusal_of_row(const StraightRow& row) {
  const GemmCase one = case_of(row, 1);
  return refusal_of([&] { return make_plan(one.problem, device_preset(row.preset), one.config); });
}

}  // namespace

TEST_CASE("threads that share out K add what they found, in whatever order warps run",
          "[gemm][shared_k]") {
  for (const StraightRow& row : kSharedK)
    for (const Schedule schedule : {Schedule::late, Schedule::random}) {
      INFO(row.config);
      GemmCase one = case_of(row, 17);
      const bool is_late = schedule == Schedule::late;
      one.fill = is_integer(row.types.a) ? Fill::integers : is_late ? Fill::special : Fill::normal;
      check_is_as_asked(make_plan(one.problem, device_preset(row.preset), one.config), row);
      Context context = checked_context(row.preset, schedule);
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
}

TEST_CASE("sums of 16 bits are not shared out", "[gemm][shared_k][refusal]") {
  StraightRow row = kSharedK[11];
  row.types = kF16InF16;
  const GemmCase one = case_of(row, 1);
  const Error error =
      refusal_of([&] { return make_plan(one.problem, device_preset("h200"), one.config); });
  CHECK(error.operand == "atom_layout");
  CHECK(error.nearest_legal == "(1,2,1):(0,1,0)");
}

TEST_CASE("the last block of a tile adds what all slices found, in whatever order blocks run",
          "[gemm][slices]") {
  for (const StraightRow& row : kStagedSlices)
    for (const Schedule schedule : {Schedule::late, Schedule::random}) {
      INFO(row.config);
      GemmCase one = case_of(row, 19);
      const bool is_late = schedule == Schedule::late;
      one.fill = is_integer(row.types.a) ? Fill::integers : is_late ? Fill::special : Fill::normal;
      const Plan plan = make_plan(one.problem, device_preset(row.preset), one.config);
      CHECK(gemm_step(plan).schedule.main_loop == one.config.main_loop);
      CHECK(gemm_step(plan).schedule.split_k == one.config.split_k);
      CHECK(check(plan).empty());
      Context context = checked_context(row.preset, schedule);
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
}

TEST_CASE("slices without a producer are planned again by their choices",
          "[gemm][slices][config]") {
  const GemmCase one = case_of(kStagedSlices[4], 1);
  const DeviceInfo device = device_preset(kStagedSlices[4].preset);
  const Considered first = considered(one.problem, device, one.config).front();
  CHECK(first.prediction);
  CHECK(to_string(make_plan(one.problem, device, first.config)) ==
        to_string(make_plan(one.problem, device, one.config)));
}

TEST_CASE("a last wave that tiles would not fill is shared out by slices of them",
          "[plan][slices][choice]") {
  for (const DType type : {DType::f64, DType::f32}) {
    INFO(name(type));
    const Problem problem = problem_of(3328, 3328, 3328, {type, type});
    const Plan plan = make_plan(problem, device_preset("h200"));
    const KernelSchedule& schedule = gemm_step(plan).schedule;
    CHECK(schedule.split_k > 1);
    CHECK(schedule.whole_tiles % 132 == 0);
    CHECK(schedule.whole_tiles > 0);
    CHECK(sum_order(plan).empty());  // an element's place decides how its sum is cut
    CHECK(explain(plan).find("are cut into") != std::string::npos);
  }
}

TEST_CASE("what cannot be added slice by slice is refused", "[gemm][slices][refusal]") {
  StraightRow row = kStagedSlices[0];
  row.config = "main_loop=multistage split_k=3 reduction=all_add";
  CHECK(refusal_of_row(row).operand == "reduction");
  row.config = "main_loop=straight split_k=3";
  CHECK(refusal_of_row(row).operand == "split_k");
  row.config =
      "main_loop=multistage split_k=2 atom_layout=(8,8,(2,2)):(2,32,(1,16)) "
      "permutation=(32,32,_) tile=32x32x8";
  CHECK(refusal_of_row(row).operand == "split_k");  // lanes share out K
  for (const char* config :
       {"main_loop=multistage split_k=3 whole_tiles=-1",
        "main_loop=multistage split_k=1 whole_tiles=4", "main_loop=straight whole_tiles=4",
        "main_loop=warp_specialised cluster=2x1 split_k=2 whole_tiles=4"}) {
    row.config = config;
    INFO(config);
    CHECK(refusal_of_row(row).operand == "whole_tiles");
  }
  StraightRow halves = kStagedSlices[4];
  halves.types = kF16InF16;
  halves.config = "main_loop=multistage split_k=3";
  CHECK(refusal_of_row(halves).operand == "split_k");
}
