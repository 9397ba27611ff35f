#pragma once
// The spellings of opcodes that are decoded part by part; those of the lane functions are rows of
// the opcode table.
#include <span>
#include <string>
#include <string_view>

namespace jute::emulator {

/// Forms of one head as CoveredForm has them, but for shorthands such as <space>.
struct FamilyForms {
  std::string_view head;
  std::span<const std::string_view> forms;
};
[[nodiscard]] std::span<const FamilyForms> family_forms();
/// A form without shorthands.
[[nodiscard]] std::string written_out(std::string_view form);

}  // namespace jute::emulator
