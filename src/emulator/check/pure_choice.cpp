// All ways of a branch at once, by the order of the code, until one place is left.
#include "emulator/check/pure_choice.hpp"

#include <set>

namespace jute::emulator {

std::optional<PureChoice> pure_choice(const Program& program, std::uint32_t pc) {
  constexpr size_t kMostInstructions = 4096;
  PureChoice choice;
  std::set<std::uint32_t> ways{pc};
  for (size_t seen = 0; seen < kMostInstructions; ++seen) {
    const std::uint32_t at = *ways.begin();
    if (seen > 0 && ways.size() == 1) {
      choice.end = at;
      return choice;
    }
    ways.erase(ways.begin());
    if (at >= program.code.size()) return std::nullopt;
    const Instruction& instruction = program.code[at];
    const bool jumps = instruction.flow == Flow::branch;
    if (!jumps && (instruction.flow != Flow::plain || instruction.passing == Passing::uses))
      return std::nullopt;
    if (jumps && instruction.target <= at) return std::nullopt;
    if (jumps) ways.insert(instruction.target);
    if (!jumps || instruction.guard != kNoSlot) ways.insert(at + 1);
    for (const RegisterOperand& operand : program.operands_of(at))
      if (operand.is_write) choice.written.push_back(operand.slot);
  }
  return std::nullopt;
}

}  // namespace jute::emulator
