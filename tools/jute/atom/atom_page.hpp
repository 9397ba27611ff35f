#pragma once
// The generated part of docs/atoms.md, and its pictures.
#include <string>
#include <utility>
#include <vector>

#include "atom/atom_proofs.hpp"

namespace jute::command {

/// The line after which a page is generated.
inline constexpr std::string_view kPageMark = "<!-- from here on: tools/docs -->";

/// The proofs recorded in the folder of a page's name: docs/atoms/*.json of docs/atoms.md.
[[nodiscard]] std::vector<ProofRecord> records_beside(const std::string& page);
/// Every built-in family as Markdown: names, layouts, mnemonic, and where it is proved.
[[nodiscard]] std::string families_page(const std::vector<ProofRecord>& records);
/// The pictures that the page shows: file name inside images/atoms, and SVG.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> page_pictures();

/// The page with its generated part as it must be today.   throws  bad_file: it has no mark
[[nodiscard]] std::string with_families(const std::string& path);

}  // namespace jute::command
