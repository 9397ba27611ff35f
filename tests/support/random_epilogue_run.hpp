#pragma once
// Runs random epilogues on the emulator.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/random_epilogue.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <map>
#include <memory>

namespace jute::test {

/// So many epilogues from a seed on, each compiled once and run with four sets of numbers.
[[nodiscard]] inline std::string failures_of_random_epilogues(std::uint64_t first, int count) {
  constexpr std::uint64_t kRuns = 4;
  std::map<std::string, std::unique_ptr<Context>> contexts;
  std::string failures;
  EpilogueJudgement all;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    EpilogueCase drawn = random_epilogue_case(seed);
    std::unique_ptr<Context>& context = contexts[drawn.chip];
    if (!context) {
      EmulatorOptions options;
      options.device = device_preset(drawn.chip);
      options.check = Check::full;
      options.schedule = Schedule::late;
      context = std::make_unique<Context>(open_emulator(options), with_kept_kernels());
    }
    for (std::uint64_t run = 0; run < kRuns; ++run) {
      draw_run(drawn, kRuns * seed + run);
      const CaseData data = make_data(drawn.gemm);
      CaseOutcome outcome = run_case(*context, drawn.gemm, data);
      if (!outcome.d.empty()) {
        const EpilogueJudgement judgement = judged(drawn, data, outcome);
        if (!judgement.wrong.empty()) outcome.failures.push_back("own reading: " + judgement.wrong);
        all.add(judgement);
      }
      if (outcome.failures.empty()) continue;
      failures += "seed " + std::to_string(seed) + " on " + drawn.chip + ": " +
                  drawn.epilogue.text() + "\n" + describe(drawn.gemm, outcome) + "\n";
      break;
    }
  }
  // Of most values the bound says something.
  if (all.skipped > all.judged / 8)
    failures += std::to_string(all.skipped) + " values were not judged\n";
  return failures;
}

}  // namespace jute::test
