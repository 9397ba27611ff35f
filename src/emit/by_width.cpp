// Writes each width's instruction and the loop over K around it.
#include <jute/emit/by_width.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/emit/piece.hpp>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/format.hpp"

namespace jute {
namespace {

// What specialised/place.cu (width) gives.
constexpr std::array kLaunched{"kBoxOuterB",   "kFullBytes", "kOffsetB",
                               "kStageBytesB", "kStages",    "kTileN"};

std::string name_of(const MmaAtom& atom) { return base::format("mma_{}", atom.shape.n); }

}  // namespace

std::string without_launched(const std::string& constants) {
  std::istringstream lines(constants);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool is_launched = std::ranges::any_of(kLaunched, [&](const char* name) {
      return line.starts_with(base::format("constexpr int {} =", name));
    });
    if (!is_launched) kept += line + "\n";
  }
  return kept;
}

std::string instructions_by_width(std::span<const MmaAtom> atoms, const TemplateSet& templates) {
  std::string text;
  if (atoms.size() == 1) return instruction_function(atoms.front(), {}, templates).text;
  for (const MmaAtom& atom : atoms)
    text += instruction_function(atom, {.name = name_of(atom)}, templates).text;
  return text;
}

std::string products_by_width(std::span<const MmaAtom> atoms, const std::string& ahead,
                              const TemplateSet& templates) {
  std::string cases;
  for (const MmaAtom& atom : atoms) {
    const std::string issue = Piece(templates, "specialised/products.cu (issue)")
                                  .fill("sums", "acc")
                                  .fill("adds", "k_tile > 0")
                                  .fill("mma", name_of(atom))
                                  .text();
    const std::string loop = Piece(templates, "specialised/products.cu")
                                 .fill("issue", issue)
                                 .fill("c_ahead", ahead)
                                 .text();
    cases += base::format("case {}:\n", atom.shape.n) +
             Piece(templates, "specialised/products.cu (of a width)")
                 .fill("width", atom.shape.n)
                 .fill("registers", registers(atom, Operand::c))
                 .fill("multiply", loop)
                 .text() +
             "break;\n";
  }
  return Piece(templates, "specialised/products.cu (widths)").fill("cases", cases).text();
}

std::string meeting_of_slices(Slices slices, Columns columns, const TemplateSet& templates) {
  const bool are_launched = slices == Slices::launched;
  const char* const count = are_launched ? "slices" : "kSlices";
  const auto piece = [&](const char* name) {
    return Piece(templates, base::format("specialised/slices.cu ({})", name));
  };
  const auto some = [&](const char* first, const char* parts, const char* used) {
    return piece("add some").fill("first", first).fill("count", parts).fill("used", used).text();
  };
  if (columns == Columns::all) {
    const std::string add =
        are_launched ? some("0", "kParts", "kParts") : piece("add").fill("slices", count).text();
    return piece("meet").fill("slices", count).fill("skip", "").fill("add", add).text();
  }
  const std::string add = piece("add columns")
                              .fill("few", some("0", "kFewParts", "used_parts"))
                              .fill("many", some("first", "kManyParts", "used_parts"))
                              .text();
  return piece("columns").text() + piece("meet")
                                       .fill("slices", count)
                                       .fill("skip", "if (i >= used_parts) continue;")
                                       .fill("add", add)
                                       .text();
}

std::string slab_of_width(const TemplateSet& templates) {
  return Piece(templates, "specialised/slabs.cu (width)").text() +
         "if (is_behind) break;\nif (is_past) continue;\n" +
         Piece(templates, "specialised/slabs.cu (wait ahead of the last)").text();
}

std::string slab_place(std::span<const int> widths) {
  const std::string usual = "group_slab + turn % kSlabCopies * kSlabBytes";
  return widths.empty() ? usual : "is_final ? last_slab + turn * kSlabBytes : " + usual;
}

std::string slab_store(std::span<const int> widths, std::string_view along,
                       const TemplateSet& templates) {
  return Piece(templates, "specialised/slabs.cu (store)")
      .fill("inner", std::string(along))
      .fill("outer", along == "col" ? "row" : "col")
      .fill("map",
            widths.empty() ? "map_d" : "slab_n(turn) + kSlabBoxOuter < kTileN ? map_d : map_d_last")
      .text();
}

}  // namespace jute
