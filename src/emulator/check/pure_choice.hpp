#pragma once
// Branches around nothing but computation: what they decide is which values registers get.
#include "emulator/decode/program.hpp"

#include <optional>
#include <vector>

namespace jute::emulator {

struct PureChoice {
  std::uint32_t end = 0;      ///< where all its ways meet, behind the branch
  std::vector<Slot> written;  ///< on some way
};

/// The choice of the branch at `pc`; nothing where a way does more than compute, or goes back.
[[nodiscard]] std::optional<PureChoice> pure_choice(const Program& program, std::uint32_t pc);

}  // namespace jute::emulator
