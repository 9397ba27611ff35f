#pragma once
// Counts as the lists that a launcher evaluates.
#include <jute/plan/values/count.hpp>

#include <string>
#include <vector>

namespace jute::bundle {

/// Operands before their operation; `what` is a name of the launcher's enumerations.
struct CountNode {
  std::string what;    ///< N_NUMBER, N_VALUE, N_ADD, …
  std::string number;  ///< of a number; of a value which one: "V_M", "V_STRIDES + 2 * 1"
};
/// Copies are made in every run, so that `copied_a` is 1.
[[nodiscard]] std::vector<CountNode> nodes_of(const Count& count);

}  // namespace jute::bundle
