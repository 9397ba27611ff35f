// Kernels of the kept problems are what they were, to the byte, and so is what they are expected to
// take.
#include <jute/codegen/generate.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>

#include <array>
#include <cstdio>

#include "support/catch.hpp"
#include "support/kept_problems.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kSources = 300;

struct Made {
  std::string source, clocks;
};

/// The texts of all steps, and the clocks of the plan to ten digits.
Made made(int index) {
  const DType type = kKeptTypes[static_cast<size_t>(index) % kKeptTypes.size()];
  const DeviceInfo& chip =
      device_preset(kKeptChips[static_cast<size_t>(index) / kKeptTypes.size() % kKeptChips.size()]);
  try {
    const Plan plan = make_plan(kept_problem(index, type), chip);
    Made result;
    for (const Source& source : generate(plan)) result.source += source.text;
    if (const auto prediction = prediction_of(plan)) {
      std::array<char, 40> text{};
      (void)std::snprintf(text.data(), text.size(), "%.10g", prediction->clocks);
      result.clocks = text.data();
    }
    return result;
  } catch (const Exception& refusal) {
    return {std::string("refused: ") + refusal.what(), ""};
  }
}

}  // namespace

TEST_CASE("generated kernels and predictions are the kept ones", "[codegen][golden]") {
  std::string lines;
  for (int i = 0; i < kSources; ++i) {
    const Made each = made(i);
    Hash hash;
    hash.add(each.source);
    lines += std::to_string(i) + " source: " + hash.text() + "\n";
    lines += std::to_string(i) + " clocks: " + each.clocks + "\n";
  }
  check_kept_lines("sources.hashes", lines, KeptPart::all);
}
