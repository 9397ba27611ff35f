// `jute atom`: the catalogue of instructions.
#include <jute/atom/asm_operands.hpp>
#include <jute/atom/catalogue.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/cute_text.hpp>

#include <memory>
#include <ostream>
#include <utility>
#include <variant>

#include "atom/atom_form.hpp"
#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

std::string lines(const MmaAtom& atom) {
  const ShapeMnk& shape = atom.shape;
  return "MMA_Atom\n  ThrID:      " + cute_text(atom.thr_id) + "\n  Shape_MNK:  (_" +
         std::to_string(shape.m) + ",_" + std::to_string(shape.n) + ",_" + std::to_string(shape.k) +
         ")\n  LayoutA_TV: " + cute_text(atom.a_layout) +
         "\n  LayoutB_TV: " + cute_text(atom.b_layout) +
         "\n  LayoutC_TV: " + cute_text(atom.c_layout) + "\n";
}

std::string lines(const CopyAtom& atom, int bits) {
  const auto values = [bits](const Layout& layout) {
    return cute_text(recast_layout(layout, 1, bits));
  };
  return "Copy_Atom\n  ThrID:        " + cute_text(atom.thr_id) +
         "\n  ValLayoutSrc: " + values(atom.src_layout) +
         "\n  ValLayoutDst: " + values(atom.dst_layout) +
         "\n  ValLayoutRef: " + values(atom.ref_layout) +
         "\n  ValueType:    " + std::to_string(bits) + "b\n";
}

/// `type`: of a copy atom's values, whose layouts then count values; empty: f16.
///   throws  unknown_name; not_divisible: the atom moves no whole number of such values
std::string cute_print(const std::string& name, const std::string& type,
                       const Catalogue& catalogue) {
  const int bits = parse_value_type(type.empty() ? "f16" : type).bits;
  const auto found = catalogue.find(name);
  const auto* copy = std::get_if<CopyAtom>(&found);
  if (copy != nullptr) return lines(*copy, bits);
  if (!type.empty()) throw UsageError("--type", "it needs a copy atom; a product has types");
  return lines(std::get<MmaAtom>(found));
}

/// A text's name in JSON, and the text.
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

/// The functions that kernels and proofs call, with the types they need.
///   throws  unsupported: no single instruction
void show_source(const std::string& name, const Catalogue& catalogue, const Session& session) {
  const Functions functions =
      std::visit([](const auto& atom) { return functions_of(atom); }, catalogue.find(name));
  if (session.common.json) {
    Json json = Json::object();
    json.add("name", name);
    for (const auto& [key, text] : functions) json.add(key, text);
    session.print(json);
    return;
  }
  bool first = true;
  for (const auto& [key, text] : functions)
    session.out << (std::exchange(first, false) ? "" : "\n") << text;
}

struct AtomOptions {
  std::string arch, form;
  std::vector<std::string> names;
  bool source = false, cute = false;
  std::string type;
};

int run_list(const AtomOptions& options, const Session& session) {
  const Catalogue catalogue = session.catalogue();
  auto atoms = options.arch.empty() ? catalogue.list() : catalogue.list(parse_arch(options.arch));
  for (const AtomSummary& atom : of_form(options.form, std::move(atoms), catalogue)) {
    if (session.common.json) {
      session.print({{"name", atom.name},
                     {"kind", kind_name(atom.kind)},
                     {"form", atom.form},
                     {"arch", arch_text(atom.arch)}});
      continue;
    }
    session.out << bench::left(arch_text(atom.arch) + " ", 8)
                << bench::left(std::string(atom.form) + " ", 14) << atom.name << '\n';
  }
  return kDone;
}

/// Field texts that are no JSON by themselves are quoted.
Json fields_json(const std::vector<AtomField>& fields) {
  Json json = Json::object();
  for (const AtomField& field : fields) {
    json.add(field.key, !field.text || field.quoted ? Json(field.text)
                                                    : to_json(parse_json(*field.text, field.key)));
  }
  return json;
}

void show(const std::vector<AtomField>& fields, const Session& session) {
  if (session.common.json) {
    session.print(fields_json(fields));
    return;
  }
  size_t width = 0;
  for (const AtomField& field : fields) width = std::max(width, field.key.size());
  for (const AtomField& field : fields)
    session.out << bench::left(field.key, width + 2) << field.text.value_or("-") << '\n';
}

int run_show(const AtomOptions& options, const Session& session) {
  const Catalogue catalogue = session.catalogue();
  std::vector<std::string> names = options.names;
  if (options.source && names.empty()) throw UsageError("--source", "it needs the name of an atom");
  if (options.cute && names.empty()) throw UsageError("--cute", "it needs the name of an atom");
  if (options.cute && session.common.json)
    throw UsageError("--cute", "it must be left out with --json, which has every field");
  if (!options.type.empty() && !options.cute) throw UsageError("--type", "it needs --cute");
  if (names.empty())
    for (const AtomSummary& atom : catalogue.list()) names.push_back(atom.name);
  for (const std::string& name : options.names) (void)catalogue.find(name);  // before any is told
  bool first = true;
  for (const std::string& name : names) {
    if (!first && !session.common.json) session.out << '\n';
    first = false;
    if (options.cute)
      session.out << cute_print(name, options.type, catalogue);
    else if (options.source)
      show_source(name, catalogue, session);
    else
      std::visit([&](const auto& atom) { show(fields(atom), session); }, catalogue.find(name));
  }
  return kDone;
}

}  // namespace

void add_atom(Command& jute) {
  auto options = std::make_shared<AtomOptions>();
  Command& atom = jute.add("atom", "The catalogue of instructions",
                           "jute atom show SM80_16x8x16_F32F16F16F32_TN");
  Command& list = atom.add("list", "Name every atom", "jute atom list --arch sm_80");
  list.option("--arch", &options->arch, "Those that code for this architecture can run");
  list.option("--form", &options->form, "Those of one form (mma, wgmma_ss, ldmatrix, …) or kind")
      .takes(Strays::word);
  list.reads = {"--atoms"};
  list.run = [options](const Session& session) { return run_list(*options, session); };
  list.judge = judged_by(list.run);
  Command& show = atom.add("show", "Print everything about atoms",
                           "jute atom show SM80_16x8x16_F32F16F16F32_TN --json");
  show.option("names ATOM", &options->names, "CuTe's names; none: all");
  show.option("--cute", &options->cute, "Print it as CuTe's print does, copies in values, not bits")
      .without({"--source"});
  show.option("--type", &options->type, "With --cute: of a copy atom's values (default f16)");
  show.option("--source", &options->source,
              "Print the instruction as CUDA instead: registers, constraints, assembly");
  show.reads = {"--atoms"};
  show.run = [options](const Session& session) { return run_show(*options, session); };
  show.judge = judged_by(show.run);
  add_atom_verify(atom);
}

}  // namespace jute::command
