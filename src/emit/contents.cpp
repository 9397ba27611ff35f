// Finds the parts of a kernel's text by the lines that open them.
#include <jute/emit/contents.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

struct Part {
  std::string_view opening;  ///< of its first line
  std::string_view meaning;
};
constexpr std::array kParts{
    Part{"// convert/", "types"},
    Part{"// The block: ", "constants: the tile, the ways of A and B, the accumulators"},
    Part{"// ---- What the kernel calls", "what the kernel calls"},
    Part{"// kernel/", "the kernel"},
    Part{"// ---- How it is done", "conversions, accesses to memory, instructions"},
    Part{"// ---- A: ", "where threads find A"},
    Part{"// ---- B: ", "where threads find B"},
    Part{"// ---- D: ", "how D leaves; the multiplication"},
};

}  // namespace

std::string contents_of(const std::string& text) {
  std::vector<std::pair<int, std::string_view>> found;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto part = std::ranges::find_if(
        kParts, [&](const Part& each) { return line.starts_with(each.opening); });
    const auto is_it = [&](const auto& row) { return row.second == part->meaning; };
    if (part == kParts.end() || std::ranges::any_of(found, is_it)) continue;
    found.emplace_back(number, part->meaning);
  }
  std::string table = "// Lines:\n";
  const int added = static_cast<int>(found.size()) + 1;
  for (const auto& [line, meaning] : found)
    table += base::format("//   {:>4}  {}\n", line + added, meaning);
  return table;
}

}  // namespace jute
