// Lists the registers that each instruction reads and writes, for the checks that follow values.
#include "emulator/async/queues.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace jute::emulator {

namespace {

/// Is it moved as it is, by a store or a shuffle, or added to by a product?
bool is_data(const Program& program, const Instruction& instruction, Slot slot) {
  const auto is_among = [&](const auto& slots) {
    return std::ranges::find(slots, slot) != slots.end();
  };
  if (instruction.run == &run_shuffle) return slot == instruction.src[0];
  if (instruction.run == &run_wgmma) return is_among(program.use_of<WgmmaUse>(instruction).d_slots);
  if (instruction.run == &run_store_matrix) {
    const MatrixUse& use = program.use_of<MatrixUse>(instruction);
    return slot != use.access.base && is_among(use.slots);
  }
  if (instruction.run != &store_memory) return false;
  const MemoryAccess& access = program.use_of<MemoryAccess>(instruction);
  const auto end = access.data.begin() + access.count;
  return slot != access.base && std::find(access.data.begin(), end, slot) != end;
}

}  // namespace

void Decoder::list_operands() {
  std::vector<std::vector<RegisterOperand>> found(program_.code.size());
  for (const FunctionState& state : functions_) {
    const auto base = static_cast<std::int32_t>(program_.register_names.size());
    const auto& declared = state.function->registers;
    for (size_t i = 0; i < state.registers.kinds.size(); ++i)
      program_.register_names.push_back(i < declared.size() ? "register " + declared[i].name
                                                            : "a part of a register");
    for (const RegisterUse& use : state.registers.uses) {
      if (use.is_echo) continue;
      const Slot slot = state.registers.slots[static_cast<size_t>(use.reg)];
      const Instruction& instruction = program_.code[use.instruction];
      found[use.instruction].push_back({slot, use.only_if, base + use.reg, use.is_write,
                                        !use.is_write && is_data(program_, instruction, slot),
                                        state.registers.kinds[static_cast<size_t>(use.reg)]});
    }
  }
  program_.first_operand.push_back(0);
  for (const auto& operands : found) {
    program_.operands.insert(program_.operands.end(), operands.begin(), operands.end());
    program_.first_operand.push_back(static_cast<std::uint32_t>(program_.operands.size()));
  }
}

namespace {

/// A read of the slot; of what a selp chooses from, where it chooses that.
UnsetTracking::Read read_of(const Instruction& instruction, Slot slot) {
  UnsetTracking::Read read;
  const auto& src = instruction.src;
  if (instruction.passing != Passing::selects || src[0] == src[1] || slot == src[2]) return read;
  (slot == src[0] ? read.only_if : read.except_if) = src[2];
  return read;
}

}  // namespace

// Reading such a register is no error: compilers compute what is never used.
void Decoder::track_unset() {
  std::map<std::uint32_t, UnsetTracking> found;
  for (const FunctionState& state : functions_) {
    for (const RegisterUse& use : state.registers.uses) {
      const Slot mask = state.registers.set_masks[static_cast<size_t>(use.reg)];
      if (mask == kNoSlot) continue;
      const auto reg = static_cast<size_t>(use.reg);
      if (use.is_write) {
        found[use.instruction].writes.push_back(mask);
      } else if (!use.is_echo) {
        UnsetTracking::Read read =
            read_of(program_.code[use.instruction], state.registers.slots[reg]);
        read.mask = mask;
        if (use.only_if != kNoSlot) read.only_if = use.only_if;
        read.slot = state.registers.slots[reg];
        read.is_guard = read.slot == program_.code[use.instruction].guard;
        const auto& declared = state.function->registers;
        read.name = reg < declared.size() ? declared[reg].name : "the carry flag";
        found[use.instruction].reads.push_back(std::move(read));
      }
    }
  }
  for (auto& [instruction, tracking] : found) {
    program_.code[instruction].tracks_unset = true;
    program_.unset.emplace_back(instruction, std::move(tracking));
  }
}

}  // namespace jute::emulator
