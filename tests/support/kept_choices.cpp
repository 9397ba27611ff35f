// Asks for the candidates of every kept problem.
#include "support/kept_choices.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include "plan/choose/candidates.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"
#include "support/kept_problems.hpp"

namespace jute::test {
namespace {

/// What a problem may be computed by, a line each; its refusal where the chip has nothing.
std::string choices_text(const Problem& problem, const DeviceInfo& device,
                         const Catalogue& catalogue) {
  std::string text;
  const Problem whole = completed(problem);
  const plan::Offers offers =
      plan::candidates(plan::kernel_problem(whole, Config{}), device, Config{}, catalogue);
  for (const auto& [clocks, candidate] : offers.list) text += plan::to_string(candidate) + "\n";
  return text;
}

}  // namespace

std::string kept_choices(KeptBlocks blocks) {
  const Catalogue catalogue;
  std::string lines;
  for (const char* chip : kKeptChips)
    for (const DType type : kKeptTypes)
      for (int block = blocks.first; block < blocks.end; ++block) {
        Hash hash;
        for (int i = block * kKeptInBlock; i < (block + 1) * kKeptInBlock; ++i)
          hash.add(choices_text(kept_problem(i, type), device_preset(chip), catalogue) + ";");
        lines += std::string(chip) + " " + std::string(name(type)) + " " + std::to_string(block) +
                 ": " + hash.text() + "\n";
      }
  return lines;
}

}  // namespace jute::test
