#pragma once
// Configs drawn at random, legal and illegal, with small problems of every type and chips of every
// kind to plan them for.
#include "support/random_problem.hpp"

#include <string_view>

namespace jute::test {

struct ConfigCase : GemmCase {
  std::string_view preset;  ///< the chip
};
/// Most choices of most cases are legal by themselves, so that many cases are planned and the
/// others break one or two rules; a few are as wild as their types allow.
[[nodiscard]] ConfigCase random_config(int index);
/// The problem, the chip and the choices in one line.
[[nodiscard]] std::string to_string(const ConfigCase& config_case);

}  // namespace jute::test
