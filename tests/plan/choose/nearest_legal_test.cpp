// What a refusal offers in place of an illegal choice is better than the choice.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/words.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

#include "support/catch.hpp"
#include "support/random_config.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::optional<Error> refusal_of_plan(const ConfigCase& one) {
  try {
    (void)make_plan(one.problem, device_preset(one.preset), one.config);
  } catch (const Exception& exception) {
    return exception.error();
  }
  return std::nullopt;
}

/// Makes the choice that the refusal offers. Returns whether it offers one of a config, or of a
/// problem's precision.
bool follow(ConfigCase& one, const Error& error) {
  if (!error.nearest_legal) return false;
  if (error.operand == "precision") {
    one.problem.precision = parse_precision(*error.nearest_legal);
    return true;
  }
  Config& config = one.config;
  const std::string& operand = error.operand;
  const std::string& offer = *error.nearest_legal;
  const size_t dot = operand.find('.');
  const std::string choice = operand.substr(0, dot);
  if (find_word(words_of_choices(), choice) == nullptr) return false;
  if (dot == std::string::npos) {
    choose(config, choice, offer);
    return true;
  }
  const size_t mode = std::string("mnk").find(operand.substr(dot + 1));
  REQUIRE(mode != std::string::npos);
  if (choice == "tile") {
    if (!config.tile) return false;  // the least that another choice leaves room for
    int* const extents[] = {&config.tile->m, &config.tile->n, &config.tile->k};
    *extents[mode] = std::stoi(offer);
  } else {
    REQUIRE(config.permutation);
    std::vector<Tiler> modes = config.permutation->modes();
    modes[mode] = Tiler(offer);
    config.permutation = Tiler(std::move(modes));
  }
  return true;
}

}  // namespace

TEST_CASE("following what refusals offer ends in a plan", "[plan][rules][law]") {
  int refused = 0, ended_in_a_plan = 0;
  for (int index = 0; index < 3000; ++index) {
    ConfigCase one = random_config(index);
    std::optional<Error> error = refusal_of_plan(one);
    if (!error || !error->nearest_legal || error->operand.ends_with(".type")) continue;
    ++refused;
    for (int tries = 0; error && tries < 12 && follow(one, *error); ++tries) {
      INFO(to_string(one) << "\n" << *error);
      std::optional<Error> next = refusal_of_plan(one);
      const bool is_better = !next || next->operand != error->operand ||
                             next->violated_rules.front() != error->violated_rules.front();
      CHECK(is_better);
      error = std::move(next);
    }
    if (!error) ++ended_in_a_plan;
  }
  INFO(refused << " refused, " << ended_in_a_plan << " of them end in a plan");
  CHECK(refused > 500);
  CHECK(ended_in_a_plan > refused * 94 / 100);
}
