#pragma once
// Which instructions the emulator executes, read off its own tables.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// One spelling of an opcode, or several at once: `{a,b}` stands for one of its parts, `[.x]` for a
/// part that may be left out. The order of parts is the PTX ISA's.
struct CoveredForm {
  std::string spelling;
  std::string operands;  ///< "d, [a]{, n}": what is in braces may be left out
  Arch arch;             ///< the first that has it; number 0: all
  bool operator==(const CoveredForm&) const = default;
};
struct CoveredOpcode {
  std::string head;  ///< "ldmatrix"
  std::vector<CoveredForm> forms;
  bool operator==(const CoveredOpcode&) const = default;
};

/// Every opcode in alphabetical order.
[[nodiscard]] std::vector<CoveredOpcode> covered_opcodes();

/// The spellings that a form stands for.
///   example  spellings_of("vote.sync.{all,any}[.x]") == {"vote.sync.all", "vote.sync.all.x", …}
[[nodiscard]] std::vector<std::string> spellings_of(std::string_view form);

}  // namespace jute
