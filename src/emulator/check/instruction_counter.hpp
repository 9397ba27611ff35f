#pragma once
// Counts what a launch's instructions do, before they do it.
#include "emulator/check/operand_trace.hpp"
#include "emulator/run/machine.hpp"

#include <jute/emulator/profile.hpp>

#include <cstdint>
#include <vector>

namespace jute::emulator {

class InstructionCounter {
 public:
  explicit InstructionCounter(const Program& program);

  /// A warp is about to execute instruction `pc` with these lanes.
  void count(const Warp& warp, std::uint32_t pc, std::uint32_t mask);
  [[nodiscard]] LaunchProfile profile(const LaunchSpec& spec, const DeviceInfo& device) const;

 private:
  /// The list that `Instruction::extra` is an index of.
  enum class Kind : std::uint8_t { plain, memory, atomic, matrix, copy, bulk, product, wgmma };
  [[nodiscard]] static Kind kind_of(const Instruction& instruction);

  const Program* program_;
  std::vector<Kind> kinds_;
  std::vector<InstructionCounts> counts_;
  OperandTrace operands_;
};

}  // namespace jute::emulator
