#pragma once
// What planning makes of a held problem, small enough to keep: hashes, a price and the way.
#include <cstdint>
#include <string>

#include "support/held_problems.hpp"

namespace jute::test {

struct HeldPlan {
  std::uint32_t fields = 0;  ///< of the plan's text, but for what its price is made of
  std::uint32_t source = 0;  ///< of the texts of all kernels
  double price = 0;          ///< clocks of all kernels, of several ranks microseconds; 0: unknown
  std::string way;           ///< family, and how each operand gets there; `refused: ` and of what
  bool operator==(const HeldPlan&) const = default;
};
[[nodiscard]] HeldPlan held_plan(const HeldProblem& held);

}  // namespace jute::test
