#pragma once
// Follows values from shared memory through registers to the operands of matrix instructions.
#include "emulator/run/machine.hpp"

#include <jute/emulator/profile.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace jute::emulator {

/// One warp of a launch: the first of its first block, as long as that runs.
class OperandTrace {
 public:
  explicit OperandTrace(const Program& program);

  /// A warp is about to execute instruction `pc` with these lanes.
  void before(const Warp& warp, std::uint32_t pc, std::uint32_t mask);
  /// The sources of an instruction's first execution; empty if there was none, or nothing to tell.
  [[nodiscard]] const std::vector<OperandSources>& of(std::uint32_t pc) const;

 private:
  /// Where the low and the high half of a 32-bit register come from.
  static constexpr std::int32_t kElsewhere = -1;

  [[nodiscard]] bool follows(const Warp& warp) const;
  void forget_results(std::uint32_t pc, std::uint32_t mask);
  void move(const Instruction& instruction, int bytes, std::uint32_t mask);
  void load(const Warp& warp, const MemoryAccess& access, std::uint32_t mask);
  void load_matrix(const Warp& warp, const MatrixUse& use, std::uint32_t mask);
  [[nodiscard]] OperandSources sources_of(std::string operand, std::span<const Slot> slots,
                                          int register_bytes, int value_bits) const;
  void record(std::uint32_t pc);
  std::int32_t& half(Slot slot, int lane, int register_bytes, int index);
  [[nodiscard]] std::int32_t half(Slot slot, int lane, int register_bytes, int index) const;

  const Program& program_;
  std::vector<std::int32_t> halves_;  ///< by byte of the register file / 2: offset in shared memory
  std::map<std::uint32_t, std::vector<OperandSources>> found_;
};

}  // namespace jute::emulator
