#pragma once
// One row an instruction: how it is spelled, from which architecture on, its operands, who decodes
// it and what executes it. Decoding, `jute emulate --list` and the manual read these rows; an
// opcode that fits none is refused. Lane functions have rows of their own, in the opcode table.
#include "emulator/decode/instruction.hpp"

#include <jute/base/arch.hpp>

#include <span>
#include <string>
#include <string_view>

namespace jute::emulator {

class Decoder;
class Opcode;

/// Turns one instruction of its row into Instructions.
using RowDecoder = void (*)(Decoder& decoder, Opcode& opcode);

struct InstructionRow {
  /// As CoveredForm has it, with shorthands such as <space>. What stands outside of brackets must
  /// be there; modifiers may stand in any order, as compilers do not agree on one.
  std::string_view form;
  Arch arch;                  ///< the first that has it; number 0: all
  std::string_view operands;  ///< "d, [a]{, n}": what is in braces may be left out
  RowDecoder decode;
  LaneFunction run = nullptr;  ///< none: its flow is all it does, or other rows do it
  Flow flow = Flow::plain;

  [[nodiscard]] std::string_view head() const { return form.substr(0, form.find_first_of(".[<")); }
};

/// In the order of their tables; rows of one head follow each other.
[[nodiscard]] std::span<const InstructionRow> instruction_rows();
/// A form without shorthands.
[[nodiscard]] std::string written_out(std::string_view form);
/// A row whose opcodes are the lane functions of its head: it lists none of its own.
[[nodiscard]] constexpr bool lists_lane_rows(const InstructionRow& row) {
  return row.form.ends_with("<lanes>");
}

struct OperandCount {
  size_t least = 0;
  size_t most = 0;
};
[[nodiscard]] OperandCount operands_named(std::string_view operands);

/// The row of an opcode, or what is wrong with it.
struct RowMatch {
  const InstructionRow* row = nullptr;
  std::string broken_rule;
  std::string nearest_form;  ///< of an opcode without a row; empty if its head is unknown
};
[[nodiscard]] RowMatch find_row(std::string_view opcode);

}  // namespace jute::emulator
