// A Context plans for another chip than its device is, where the device can stand for it.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <string>

using namespace jute;
using namespace jute::test;

namespace {

ContextOptions planned_for(const DeviceInfo& chip) {
  ContextOptions options = with_kept_kernels();
  options.chip = chip;
  return options;
}

EmulatorOptions checked(std::string_view preset) {
  EmulatorOptions options;
  options.device = device_preset(preset);
  options.check = Check::full;
  return options;
}

struct StandInRow {
  const char* device;
  const char* chip;
  const char* problem;
};
constexpr StandInRow kStandIns[] = {
    // device  chip    problem
    {"h200", "a100", "M=200 N=136 K=328 A=bf16:row B=bf16:col D=bf16:row"},
    {"h200", "a100", "M=67 N=131 K=35 A=f16:row B=f16:row D=f32:row"},
    {"h200", "t4", "M=128 N=64 K=96 A=f16:row B=f16:col D=f16:row"},
    {"l40s", "l4", "M=96 N=80 K=0 A=f32:row B=f32:row D=f32:row"},
    {"rtx3090", "t4", "M=64 N=48 K=40 A=f16:row B=f16:row D=f16:row"},
};

/// All rules by which a chip is refused in place of a device.
std::string broken_rules(const char* device, const char* chip) {
  const Error error = refusal_of(
      [&] { return Context(open_emulator(checked(device)), planned_for(device_preset(chip))); });
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.value == chip);
  CHECK(error.nearest_legal == device);
  std::string text;
  for (const std::string& rule : error.violated_rules) text += rule + '\n';
  return text;
}

}  // namespace

TEST_CASE("a device runs what is planned for a lesser chip", "[gemm][chip]") {
  for (const StandInRow& row : kStandIns) {
    INFO(row.device << " as " << row.chip << ": " << row.problem);
    const DeviceInfo& chip = device_preset(row.chip);
    Context context(open_emulator(checked(row.device)), planned_for(chip));
    CHECK(context.device_info() == chip);
    CHECK(context.backend().device_info() == device_preset(row.device));
    GemmCase one;
    one.problem = parse_problem(row.problem);
    const Gemm gemm = prepare(context, one.problem);
    CHECK(gemm.plan() == make_plan(one.problem, chip));
    for (const Source& source : gemm.sources()) CHECK(source.arch == chip.arch);
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    CHECK(outcome.failures.empty());
  }
}

TEST_CASE("a chip's own file is a chip to plan for", "[gemm][chip]") {
  const std::string_view text =
      "jute-chip 1\ndevice NVIDIA A100 sm_80 132 SMs\nfigure\tmma_halves\t1364\tmeasured: loops\n";
  const DeviceInfo chip = device_of_chip_text(text);
  Context context(open_emulator(checked("h200")), planned_for(chip));
  const Problem problem = parse_problem("M=2048 N=2048 K=2048 A=bf16:row B=bf16:col D=bf16:row");
  CHECK(make_plan(problem, context.device_info(), {}, context.catalogue()).device == chip);
  CHECK(context.device_info().own_figures.size() == 1);
}

TEST_CASE("a chip that the device cannot stand for is refused", "[gemm][chip][refusal]") {
  CHECK(broken_rules("h200", "b200") ==
        "sm_100a must be code that the device runs, sm_90a\n"
        "its 148 SMs must be at most the device's, 132\n");
  CHECK(broken_rules("a100", "h100") ==
        "sm_90a must be code that the device runs, sm_80\n"
        "its 132 SMs must be at most the device's, 108\n"
        "its 232448 bytes of shared memory of a block must be at most the device's, 166912\n"
        "its 233472 bytes of shared memory of an SM must be at most the device's, 167936\n");
  // Code of an l40s runs on an h200; as many SMs as it has are not there.
  CHECK(broken_rules("h200", "l40s") == "its 142 SMs must be at most the device's, 132\n");
}
