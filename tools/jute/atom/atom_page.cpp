// `jute atom page`: writes the generated part of docs/atoms.md.
#include "atom/atom_page.hpp"

#include <jute/draw/picture.hpp>

#include <algorithm>
#include <filesystem>

#include "command/command_line.hpp"
#include "files/files.hpp"

namespace jute::command {
namespace {

/// Pictures beyond this are no longer read.
constexpr Index kMostCellsOfAtom = 1024;

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
  return picture && cells(*picture) <= kMostCellsOfAtom ? picture : std::nullopt;
}

/// "18 of 18", or "-" where none can be executed.
std::string proved(const ProofRecord& record, const AtomFamily& family) {
  const auto found = record.families.find(family.atoms.front());
  if (found == record.families.end()) return "-";
  const auto& [proved, refuted, lacking, faulted] = found->second;
  if (proved + refuted + faulted == 0) return "-";
  return std::to_string(proved) + " of " + std::to_string(proved + refuted + lacking + faulted);
}

/// Families of one architecture and form, in the order of the tables.
struct Section {
  std::string title;
  std::vector<AtomFamily> families;
};

std::vector<Section> sections() {
  std::vector<Section> list;
  for (AtomFamily& family : built_in_families()) {
    if (family.atoms.empty()) continue;
    const std::string title = arch_text(family.arch) + ", " + std::string(family.form);
    auto found = std::ranges::find(list, title, &Section::title);
    if (found == list.end()) found = list.insert(list.end(), {title, {}});
    found->families.push_back(std::move(family));
  }
  return list;
}

/// File name and SVG of the first family that has a picture.
std::optional<std::pair<std::string, std::string>> picture_of(const Section& section) {
  for (const AtomFamily& family : section.families)
    if (const auto picture = picture_of(family))
      return std::pair(file_name_of(family.atoms.front()), to_svg(*picture));
  return std::nullopt;
}

/// The mnemonic of a family's first atom.
std::string mnemonic(const AtomFamily& family) {
  const std::string ptx =
      std::visit([](const auto& atom) { return atom.ptx; }, Catalogue().find(family.atoms.front()));
  return ptx.empty() ? "-" : "`" + ptx + "`";
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
  text += " | " + mnemonic(family) + " |";
  for (const ProofRecord& record : records) text += " " + proved(record, family) + " |";
  text += "\n";
}

void add_section(std::string& text, const Section& section,
                 const std::vector<ProofRecord>& records) {
  text += "\n### " + section.title + "\n\n| atoms | layouts | PTX |";
  for (const ProofRecord& record : records) text += " " + record.where + " |";
  text += "\n|---|---|---|";
  for (size_t i = 0; i < records.size(); ++i) text += "---|";
  text += "\n";
  for (const AtomFamily& family : section.families) add_row(text, family, records);
  if (const auto picture = picture_of(section))
    text += "\n![" + section.title + "](images/atoms/" + picture->first + ")\n";
}

std::string totals_text(const std::vector<ProofRecord>& records) {
  std::string text;
  for (const ProofRecord& record : records)
    text += "- " + record.where + ": " + std::to_string(record.totals[0]) + " atoms proved, " +
            std::to_string(record.totals[1] + record.totals[3]) + " refuted, " +
            std::to_string(record.totals[2]) + " that it cannot execute\n";
  return text;
}

}  // namespace

std::vector<ProofRecord> records_beside(const std::string& page) {
  const std::filesystem::path folder = std::filesystem::path(page).replace_extension();
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  std::vector<ProofRecord> records;
  for (const std::string& path : paths) records.push_back(read_record(path));
  return records;
}

std::string families_page(const std::vector<ProofRecord>& records) {
  std::string text =
      "## Every family\n\nA mnemonic is that of the first atom.\n\n" + totals_text(records);
  for (const Section& section : sections()) add_section(text, section, records);
  return text;
}

std::vector<std::pair<std::string, std::string>> page_pictures() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Section& section : sections())
    if (auto picture = picture_of(section)) list.push_back(*std::move(picture));
  return list;
}

std::string with_families(const std::string& path) {
  std::string text = read_text(path);
  const auto mark = text.find(kPageMark);
  if (mark == std::string::npos)
    refuse(ErrorCode::bad_file, path, "", "the page must have the line " + std::string(kPageMark));
  text.resize(mark + kPageMark.size());
  return text + "\n\n" + families_page(records_beside(path));
}

}  // namespace jute::command
