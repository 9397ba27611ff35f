// Random configs through planning, generation, the compiler and the emulator.
#include "support/config_property.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/random_config.hpp"

namespace jute::test {
namespace {

/// A rule says what must hold, and so does every further one.
std::string fault_of(const Error& error) {
  const bool is_refusal =
      error.code == ErrorCode::illegal_config || error.code == ErrorCode::unknown_name ||
      error.code == ErrorCode::wrong_arity || error.code == ErrorCode::wrong_type;
  if (!is_refusal) return "refused as " + std::string(code_name(error.code));
  if (error.violated_rules.empty()) return "refused without a rule";
  for (const std::string& rule : error.violated_rules)
    if (rule.find("must") == std::string::npos && rule.find("need") == std::string::npos)
      return "refused by what is no rule: " + rule;
  return {};
}

/// One context for each chip, so that kernels are compiled once.
class Contexts {
 public:
  Context& of(std::string_view preset) {
    std::optional<Context>& context = contexts_[preset];
    if (!context) {
      EmulatorOptions options;
      options.device = device_preset(preset);
      options.check = Check::full;
      context.emplace(open_emulator(options), with_kept_kernels());
    }
    return *context;
  }

 private:
  std::map<std::string_view, std::optional<Context>> contexts_;
};

void judge(ConfigOutcome& outcome, Contexts& contexts, const ConfigCase& config_case) {
  const auto fail = [&](const std::string& what) {
    outcome.failures.push_back(to_string(config_case) + "\n  " + what);
  };
  std::vector<Error> broken;
  try {
    broken = check(
        make_plan(config_case.problem, device_preset(config_case.preset), config_case.config));
  } catch (const Exception& exception) {
    ++outcome.refused;
    const std::string fault = fault_of(exception.error());
    if (!fault.empty()) fail(fault + "\n  " + exception.what());
    return;
  }
  if (!broken.empty()) return fail("planned, though it breaks: " + to_string(broken.front()));
  ++outcome.ran;
  const CaseOutcome run =
      run_case(contexts.of(config_case.preset), config_case, make_data(config_case));
  for (const std::string& failure : run.failures) fail(failure);
}

}  // namespace

ConfigOutcome run_random_configs(int first, int count) {
  ConfigOutcome outcome;
  Contexts contexts;
  for (int index = first; index < first + count; ++index)
    judge(outcome, contexts, random_config(index));
  return outcome;
}

}  // namespace jute::test
