// Threads that share out K over tiles in shared memory: right whatever the order, and silent under
// every check of the emulator.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/refusal.hpp"
#include "support/shared_k_cases.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

using namespace jute;
using namespace jute::test;

namespace {

Context checked_context(std::string_view preset, Schedule schedule) {
  EmulatorOptions options;
  options.device = device_preset(preset);
  options.check = Check::full;
  options.schedule = schedule;
  options.seed = 3;
  return Context(open_emulator(options), without_disk_cache());
}

/// Of the row's own main loop, with threads that share out K.
void check_is_as_asked(const Plan& plan, const StraightRow& row) {
  const GemmStep& step = gemm_step(plan);
  CHECK(size(step.mma.atom_layout()[2]) > 1);
  CHECK(step.schedule.main_loop == parse_config(row.config).main_loop);
  CHECK(check(plan).empty());
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
