// An atom's instruction as CUDA: D in C's registers, and apart where the instruction allows it.
#include "atom/atom_source.hpp"

#include <jute/atom/asm_operands.hpp>
#include <jute/atom/catalogue.hpp>
#include <jute/emit/instruction.hpp>

#include <ostream>
#include <utility>

#include "files/json_writer.hpp"

namespace jute::command {
namespace {

/// What a text is called in JSON, and the text.
using Functions = std::vector<std::pair<std::string_view, std::string>>;

std::string text_of(const InstructionFunction& function) { return function.types + function.text; }

bool can_stay_apart(const MmaAtom& atom) {
  const std::vector<AsmOperand> operands = asm_operands(atom);
  return !operands.empty() && operands.front().role == AsmRole::output;
}

Functions functions_of(const MmaAtom& atom) {
  Functions functions;
  if (can_stay_apart(atom))
    functions.emplace_back("apart",
                           text_of(instruction_function(atom, {.accumulate = Accumulate::apart})));
  functions.emplace_back("in_place", text_of(instruction_function(atom)));
  return functions;
}
Functions functions_of(const CopyAtom& atom) {
  return {{"copy", text_of(instruction_function(atom))}};
}

}  // namespace

void show_source(const std::string& name, const Catalogue& catalogue, const Session& session) {
  const Functions functions =
      std::visit([](const auto& atom) { return functions_of(atom); }, catalogue.find(name));
  if (session.common.json) {
    Json json = Json::object();
    json.add("name", name);
    for (const auto& [key, text] : functions) json.add(key, text);
    session.out << one_line(json) << '\n';
    return;
  }
  bool first = true;
  for (const auto& [key, text] : functions) {
    session.out << (std::exchange(first, false) ? "" : "\n") << text;
  }
}

}  // namespace jute::command
