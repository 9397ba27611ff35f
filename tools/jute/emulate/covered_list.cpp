// What the emulator executes, as text and as data.
#include "emulate/covered_list.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/emulator/covered.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace jute::command {
namespace {

/// `ld` is an opcode and does not mean ldmatrix; `ldmat` is none and does; `ld.global` chooses
/// among the forms of one.
std::vector<CoveredOpcode> chosen(std::string_view begin) {
  std::vector<CoveredOpcode> all = covered_opcodes();
  if (begin.empty()) return all;
  const bool is_opcode = begin.find('.') != std::string_view::npos ||
                         std::ranges::find(all, begin, &CoveredOpcode::head) != all.end();
  std::vector<std::string> heads;
  std::vector<CoveredOpcode> result;
  for (CoveredOpcode& opcode : all) {
    heads.push_back(opcode.head);
    if (is_opcode ? begin.substr(0, begin.find('.')) != opcode.head
                  : !opcode.head.starts_with(begin))
      continue;
    if (is_opcode && begin != opcode.head)
      std::erase_if(opcode.forms, [&](const CoveredForm& form) {
        for (const std::string& spelling : spellings_of(form.spelling))
          if (spelling.starts_with(begin)) return false;
        return true;
      });
    if (!opcode.forms.empty()) result.push_back(std::move(opcode));
  }
  if (result.empty())
    refuse(ErrorCode::unknown_name, "--list", std::string(begin),
           "it must be the beginning of an opcode that the emulator "
           "executes: ldmatrix, or cp.async",
           nearest_name(begin, heads));
  return result;
}

std::string arch_name(Arch arch) { return arch.number == 0 ? "any" : to_string(arch); }

}  // namespace

std::string covered_text(std::string_view begin) {
  constexpr size_t kArchColumn = 8;
  std::string text;
  for (const CoveredOpcode& opcode : chosen(begin))
    for (const CoveredForm& form : opcode.forms) {
      const std::string arch = arch_name(form.arch);
      text += arch + std::string(kArchColumn - arch.size(), ' ') + form.spelling;
      if (!form.operands.empty()) text += "  " + form.operands;
      text += "\n";
    }
  return text;
}

Json covered_json(std::string_view begin) {
  Json opcodes = Json::array();
  for (const CoveredOpcode& opcode : chosen(begin)) {
    Json forms = Json::array();
    for (const CoveredForm& form : opcode.forms)
      forms.push_back({{"spelling", form.spelling},
                       {"operands", form.operands},
                       {"arch", arch_name(form.arch)}});
    opcodes.push_back({{"head", opcode.head}, {"forms", forms}});
  }
  return {{"opcodes", opcodes}};
}

}  // namespace jute::command
