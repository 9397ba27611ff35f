// Converted operands, many more than the quick tests draw.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/gpu_cases.hpp"
#include "support/scaled_problem.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("3000 random products of converted operands come out right", "[soak][scaled]") {
  for (const char* chip : {"h200", "l40s", "a100"}) {
    EmulatorOptions options;
    options.device = device_preset(chip);
    Context context(open_emulator(options), with_kept_kernels());
    for (int index = 150; index < 1150; ++index) {
      const GemmCase one = scaled_case(index);
      const CaseOutcome outcome = run_case(context, one, make_data(one));
      INFO(chip << " " << index << ": " << describe(one, outcome));
      CHECK(outcome.failures.empty());
    }
  }
}

TEST_CASE("400 more products that are scaled as they are summed come out right",
          "[soak][scaled][products]") {
  Context context(open_emulator(), with_kept_kernels());
  for (int index = 90; index < 490; ++index) {
    const GemmCase one = scaled_product_case(index);
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(index << ": " << describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

TEST_CASE("1000 more products of weights in fragments come out right",
          "[soak][scaled][fragments]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  for (int index = 45; index < 1045; ++index) {
    const GemmCase one = fragments_case(index);
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(index << ": " << describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

TEST_CASE("what judges random scaled problems on a GPU finds nothing wrong on the emulator",
          "[soak][scaled][gpu_cases]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  CHECK(failures_of_cases(context, 600, 640, scaled_case) == "");
  CHECK(failures_of_cases(context, 0, 20, scaled_product_case) == "");
  CHECK(failures_of_cases(context, 0, 20, fragments_case) == "");
}

TEST_CASE("1000 more converted operands of groups, and with epilogues, come out right",
          "[soak][scaled][groups]") {
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  for (int index = 40; index < 540; ++index)
    for (const auto case_of : {converted_group_case, copied_group_case, converted_epilogue_case}) {
      const GemmCase one = case_of(index);
      const CaseOutcome outcome = run_case(context, one, make_data(one));
      INFO(index << ": " << describe(one, outcome));
      CHECK(outcome.failures.empty());
    }
}
