// The atom that was probably meant by a name that the catalogue does not have.
#include "atom/unknown_atom.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace jute::atom {
namespace {

using Names = std::vector<std::string>;

std::string kind_of(std::optional<AtomKind> kind) {
  if (!kind) return "an atom";
  return *kind == AtomKind::mma ? "an MMA atom" : "a copy atom";
}

bool has(const Catalogue& catalogue, std::string_view name, AtomKind kind) {
  return kind == AtomKind::mma ? catalogue.try_mma(name).has_value()
                               : catalogue.try_copy(name).has_value();
}

Names names_of(const Catalogue& catalogue, std::optional<AtomKind> kind) {
  Names names;
  for (AtomSummary& atom : catalogue.list())
    if (!kind || *kind == atom.kind) names.push_back(std::move(atom.name));
  return names;
}

/// The names that begin with an unfinished one.
Names begun_by(std::string_view name, const Names& names) {
  constexpr std::size_t kLeastBeginning = 4;  // SM80
  Names begun;
  for (const std::string& known : names)
    if (name.size() >= kLeastBeginning && known.starts_with(name)) begun.push_back(known);
  return begun;
}

/// `3 begin so: A, B, C`
std::string told(const Names& begun) {
  constexpr std::size_t kShown = 6;
  const std::size_t shown = std::min(begun.size(), kShown);
  std::string text = std::to_string(begun.size()) + (begun.size() == 1 ? " begins" : " begin") +
                     " so: " + joined(std::span(begun.data(), shown));
  return shown == begun.size() ? text : text + ", …";
}

/// The first atom with an instruction: `ldmatrix.sync.aligned.m8n8.x4.shared.b16`, part of it, or
/// its opcode.
std::optional<std::string> of_instruction(const Catalogue& catalogue, const Names& names,
                                          std::string_view text) {
  if (text.find('.') == std::string_view::npos) {
    constexpr std::size_t kLeastOpcode = 3;
    if (text.size() < kLeastOpcode) return std::nullopt;
    for (const AtomFamily& family : built_in_families())
      if (family.ptx.starts_with(text) && !family.atoms.empty() &&
          std::ranges::find(names, family.atoms.front()) != names.end())
        return family.atoms.front();
    return std::nullopt;
  }
  Names instructions;
  for (const std::string& name : names) {
    const auto found = catalogue.find(name);
    instructions.push_back(std::visit([](const auto& atom) { return atom.ptx; }, found));
    if (instructions.back().find(text) != std::string::npos) return name;
  }
  const auto near = nearest_name(text, instructions);
  if (!near) return std::nullopt;
  return names[static_cast<std::size_t>(std::ranges::find(instructions, *near) -
                                        instructions.begin())];
}

/// An atom of the same architecture and tile before all others: `SM90_64x128x16_` says more than
/// the rest of a name.
std::optional<std::string> nearest_atom(std::string_view name, const Names& names) {
  const std::size_t second = name.find('_', name.find('_') + 1);
  if (second != std::string_view::npos)
    if (auto near = nearest_name(name, begun_by(name.substr(0, second + 1), names))) return near;
  return nearest_name(name, names);
}

}  // namespace

void refuse_unknown(const Catalogue& catalogue, std::string_view name,
                    std::optional<AtomKind> kind) {
  Error error{.code = ErrorCode::unknown_name,
              .operand = kind_of(kind).substr(kind_of(kind).find(' ') + 1),
              .value = std::string(name)};
  std::string rule = "the catalogue must have " + kind_of(kind) + " of that name";
  const AtomKind other = kind == AtomKind::mma ? AtomKind::copy : AtomKind::mma;
  const Names names = names_of(catalogue, kind);
  const Names begun = begun_by(name, names);
  if (kind && has(catalogue, name, other)) {
    rule = "it must be the name of " + kind_of(kind) + ": this is " + kind_of(other);
  } else if (!begun.empty()) {
    rule += "; " + told(begun);
    error.nearest_legal = begun.front();
  } else if (auto meant = of_instruction(catalogue, names, name)) {
    rule += "; " + *meant + " has such an instruction";
    error.nearest_legal = std::move(meant);
  } else {
    error.nearest_legal = nearest_atom(name, names);
  }
  error.violated_rules.push_back(std::move(rule));
  throw Exception(std::move(error));
}

}  // namespace jute::atom
