#pragma once
// What holds of every Config: it is planned, and then its kernels are right, or it is refused by a
// rule.
#include <string>
#include <vector>

namespace jute::test {

struct ConfigOutcome {
  int refused = 0, ran = 0;
  std::vector<std::string> failures;  ///< a paragraph each
};
/// Plans the configs of random_config from `first` on; runs on the emulator those that are
/// accepted, on whole numbers, and demands their exact results and an emulator with nothing to say.
[[nodiscard]] ConfigOutcome run_random_configs(int first, int count);

}  // namespace jute::test
