// `jute atom page`: writes the generated part of docs/atoms.md.
#include "atom_page.hpp"

#include <jute/draw/picture.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "exit_status.hpp"
#include "files.hpp"

namespace jute::command {
namespace {

/// Pictures beyond this are no longer read.
constexpr Index kMostCells = 1024;

std::string file_name_of(const std::string& atom) {
  std::string text;
  for (const char c : atom) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text + ".svg";
}

Index cells(const Picture& picture) {
  Index count = 0;
  for (const PicturePanel& panel : picture.panels) count += Index{panel.rows} * panel.columns;
  return count;
}

/// A family's picture: of its first atom, where threads hold registers of it.
std::optional<Picture> picture_of(const AtomFamily& family) {
  if (family.atoms.empty() || family.arch.number < 70 || family.arch.number > 90)
    return std::nullopt;
  const Catalogue catalogue;
  std::optional<Picture> picture;
  if (family.kind == AtomKind::mma) {
    const MmaAtom atom = catalogue.mma(family.atoms.front());
    if (in_registers(atom.a_register) && in_registers(atom.b_register)) picture = mma_picture(atom);
  } else if (family.form == "ldmatrix" || family.form == "stmatrix") {
    picture = copy_picture(catalogue.copy(family.atoms.front()), 16);
  }
  return picture && cells(*picture) <= kMostCells ? picture : std::nullopt;
}

/// "18 of 18", or "-" where none can be executed.
std::string proved(const ProofRecord& record, const AtomFamily& family) {
  const auto found = record.families.find(family.atoms.front());
  if (found == record.families.end()) return "-";
  const auto& [proved, refuted, lacking] = found->second;
  if (proved + refuted == 0) return "-";
  return std::to_string(proved) + " of " + std::to_string(proved + refuted + lacking);
}

std::string section(const AtomFamily& family) {
  return arch_text(family.arch) + ", " + std::string(family.form);
}

void add_row(std::string& text, const AtomFamily& family, const std::vector<ProofRecord>& records) {
  const std::string& example = family.atoms.front();
  text += "| `" + (family.atoms.size() == 1 ? example : family.name) + "`";
  if (family.atoms.size() > 1)
    text += "<br>" + std::to_string(family.atoms.size()) + ", first `" + example + "`";
  text += " | ";
  bool first = true;
  for (const auto& [name, layout] : family.layouts) {
    text += std::string(first ? "" : "<br>") + std::string(name) + " `" + layout + "`";
    first = false;
  }
  text += " | " + (family.ptx.empty() ? "-" : "`" + family.ptx + "`") + " |";
  for (const ProofRecord& record : records) text += " " + proved(record, family) + " |";
  text += "\n";
}

void add_heading(std::string& text, const AtomFamily& family,
                 const std::vector<ProofRecord>& records) {
  text += "\n### " + section(family) + "\n\n| atoms | layouts | PTX |";
  for (const ProofRecord& record : records) text += " " + record.where + " |";
  text += "\n|---|---|---|";
  for (size_t i = 0; i < records.size(); ++i) text += "---|";
  text += "\n";
}

std::string totals_text(const std::vector<ProofRecord>& records) {
  std::string text;
  for (const ProofRecord& record : records)
    text += "- " + record.where + ": " + std::to_string(record.totals[0]) + " atoms proved, " +
            std::to_string(record.totals[1]) + " refuted, " + std::to_string(record.totals[2]) +
            " that it cannot execute\n";
  return text;
}

struct PageOptions {
  std::string page;
  std::vector<std::string> records;
};

int run_page(const PageOptions& options, const Session& session) {
  std::vector<ProofRecord> records;
  for (const std::string& path : options.records) records.push_back(read_record(path));
  std::string text = read_text(options.page);
  const auto mark = text.find(kPageMark);
  if (mark == std::string::npos)
    throw Exception({.code = ErrorCode::bad_file,
                     .operand = options.page,
                     .violated_rules = {"the page has the line " + std::string(kPageMark)}});
  text.resize(mark + kPageMark.size());
  OutputFile page(options.page);
  page.write(text + "\n\n" + families_page(records));
  page.commit();
  const auto folder = std::filesystem::path(options.page).parent_path() / "images" / "atoms";
  std::filesystem::create_directories(folder);
  for (const auto& [name, svg] : page_pictures()) {
    OutputFile picture((folder / name).string());
    picture.write(svg);
    picture.commit();
  }
  session.note("wrote " + options.page + " and its pictures");
  return kDone;
}

}  // namespace

std::string families_page(const std::vector<ProofRecord>& records) {
  std::string text = "## Every family\n\n" + totals_text(records);
  std::string open;
  std::string pictures;
  const auto close = [&] {
    if (!pictures.empty()) text += "\n" + pictures;
    pictures.clear();
  };
  for (const AtomFamily& family : built_in_families()) {
    if (family.atoms.empty()) continue;
    if (section(family) != open) {
      close();
      open = section(family);
      add_heading(text, family, records);
    }
    add_row(text, family, records);
    if (pictures.empty() && picture_of(family))
      pictures = "![" + family.atoms.front() + "](images/atoms/" +
                 file_name_of(family.atoms.front()) + ")\n";
  }
  close();
  return text;
}

std::vector<std::pair<std::string, std::string>> page_pictures() {
  std::vector<std::pair<std::string, std::string>> list;
  std::string done;
  for (const AtomFamily& family : built_in_families()) {
    if (family.atoms.empty() || section(family) == done) continue;
    const std::optional<Picture> picture = picture_of(family);
    if (!picture) continue;
    list.emplace_back(file_name_of(family.atoms.front()), to_svg(*picture));
    done = section(family);
  }
  return list;
}

void add_atom_page(CLI::App& atom, Invocation& invocation) {
  auto options = std::make_shared<PageOptions>();
  CLI::App& sub = add_subcommand(atom, invocation, "page", "Rewrite the generated part of a page",
                                 "jute atom page docs/atoms.md --record docs/atoms/h200.json");
  sub.add_option("page", options->page, "A Markdown file with the mark")->required();
  sub.add_option("--record", options->records, "What jute atom verify --record wrote");
  sub.callback([options, &invocation] {
    invocation.run = [options](const Session& session) { return run_page(*options, session); };
  });
}

}  // namespace jute::command
