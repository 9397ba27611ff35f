// 3,000 random problems of groups, and 600 of groups with operands of their own, through the
// emulator.
#include <jute/emulator/emulator.hpp>

#include <jute/launch/device_presets.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/each_cases.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/grouped_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("3,000 products of random groups come out right", "[soak][gemm][groups]") {
  constexpr int kCases = 3000, kOfType = kCases / static_cast<int>(kTypeFamilies.size()) + 1;
  for (const TypeFamily& family : kTypeFamilies)
    for (int index = 0; index < kOfType; ++index) {
      Context context(open_emulator(), with_kept_kernels());
      const GemmCase one = grouped_case(family.types, index);
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
}

TEST_CASE("600 products of random groups with operands of their own come out right",
          "[soak][gemm][groups][each]") {
  constexpr int kOwnCases = 600 / static_cast<int>(kTypeFamilies.size()) + 1;
  for (const TypeFamily& family : kTypeFamilies)
    for (int index = 0; index < kOwnCases; ++index) {
      Context context(open_emulator(), with_kept_kernels());
      const EachCase one = each_case(family.types, index);
      INFO(family.name << ", case " << index << ": " << to_string(one.problem));
      EachRun run(context, one.problem, one.groups);
      run.run(one.alpha, one.beta);
      CHECK(run.failures() == "");
    }
}

TEST_CASE("500 random converted operands of groups of their own come out right",
          "[soak][scaled][groups]") {
  constexpr int kFirst = 40, kLast = 540;
  for (int index = kFirst; index < kLast; ++index) {
    Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
    const EachCase one = scaled_each_case(index);
    INFO(index << ": " << to_string(one.problem));
    EachRun run(context, one.problem, one.groups);
    run.run(one.alpha, one.beta);
    CHECK(run.failures() == "");
  }
}
