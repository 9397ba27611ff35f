// The atom tables against outside facts, and the laws that every row obeys.
#include <jute/atom/catalogue.hpp>

#include "atom/golden_lines.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <fmt/format.h>

#include <set>

using namespace jute;
using jute::test::golden_lines;
using jute::test::GoldenLine;

namespace {

std::string field_text(const std::vector<AtomField>& fields, const std::string& key) {
  for (const AtomField& field : fields)
    if (field.key == key) return field.text.value_or("null");
  return "(absent)";
}

/// Fields of a golden line that the atom's own fields contradict.
std::string differences(const std::vector<AtomField>& fields, const GoldenLine& line) {
  std::string text;
  for (const auto& [key, wanted] : line) {
    if (key == "id" || key == "upstream_defect") continue;
    // The one row whose outside fact is wrong: a stride that is not congruent with its shape.
    if (key == "a_layout" && line.contains("upstream_defect")) continue;
    const std::string found = field_text(fields, key);
    if (found != wanted) text += fmt::format("{}: {} instead of {}; ", key, found, wanted);
  }
  return text;
}

}  // namespace

TEST_CASE("MMA atoms agree with CuTe's traits", "[atom][catalogue][golden]") {
  const Catalogue catalogue;
  for (const GoldenLine& line : golden_lines("mma_atoms.jsonl")) {
    INFO(line.at("name"));
    CHECK(differences(fields(catalogue.mma(line.at("name"))), line).empty());
  }
}

TEST_CASE("copy atoms agree with CuTe's traits", "[atom][catalogue][golden]") {
  const Catalogue catalogue;
  for (const GoldenLine& line : golden_lines("copy_atoms.jsonl")) {
    INFO(line.at("name"));
    CHECK(differences(fields(catalogue.copy(line.at("name"))), line).empty());
  }
}

TEST_CASE("every listed name is found again under its own name", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  std::set<std::string> names;
  for (const AtomSummary& summary : catalogue.list()) {
    INFO(summary.name);
    CHECK(names.insert(summary.name).second);
    if (summary.kind == AtomKind::mma) {
      CHECK(catalogue.mma(summary.name).name == summary.name);
    } else {
      CHECK(catalogue.copy(summary.name).name == summary.name);
    }
  }
}

TEST_CASE("copy atoms of a form are those of the list, composed", "[atom][catalogue][law]") {
  CopyAtom row = Catalogue().copy("SM75_U32x2_LDSM_N");
  row.name = "my_matrix_load";
  const Catalogue catalogue = Catalogue().with(row);
  for (const Arch arch : {Arch{70}, Arch{75}, Arch{90, 'a'}, Arch{120, 'a'}})
    for (const CopyForm form : {CopyForm::ldmatrix, CopyForm::cp_async, CopyForm::universal}) {
      std::vector<CopyAtom> expected;
      for (const AtomSummary& summary : catalogue.list(arch))
        if (summary.kind == AtomKind::copy && summary.form == name(form))
          expected.push_back(catalogue.copy(summary.name));
      INFO(to_string(arch) << " " << name(form));
      CHECK(catalogue.copies(form, arch) == expected);
    }
}

TEST_CASE("every built-in atom keeps every rule", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    INFO(summary.name);
    const auto broken = summary.kind == AtomKind::mma ? check(catalogue.mma(summary.name))
                                                      : check(catalogue.copy(summary.name));
    if (!broken.empty()) FAIL_CHECK(broken.front());
  }
}
