// Forms and kinds of atoms as words of the command line.
#include "atom/atom_form.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>

#include "command/command_line.hpp"

namespace jute::command {
namespace {

std::vector<std::string> known_forms(const Catalogue& catalogue) {
  std::vector<std::string> forms;
  const auto note = [&](std::string_view form) {
    if (std::ranges::find(forms, form) == forms.end()) forms.emplace_back(form);
  };
  for (const AtomSummary& atom : catalogue.list()) {
    note(kind_name(atom.kind));
    note(atom.form);
  }
  return forms;
}

}  // namespace

std::string_view kind_name(AtomKind kind) { return kind == AtomKind::mma ? "mma" : "copy"; }

std::vector<AtomSummary> of_form(const std::string& form, std::vector<AtomSummary> atoms,
                                 const Catalogue& catalogue) {
  if (form.empty()) return atoms;
  const std::vector<std::string> forms = known_forms(catalogue);
  if (std::ranges::find(forms, form) == forms.end())
    refuse(ErrorCode::unknown_name, "--form", form, "a form must be one of " + joined(forms),
           nearest_name(form, forms));
  std::erase_if(atoms, [&](const AtomSummary& atom) {
    return atom.form != form && kind_name(atom.kind) != form;
  });
  return atoms;
}

}  // namespace jute::command
