// Reads architecture, shape and types out of an atom's name.
#include "atom/told_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace jute::atom {
namespace {

/// Takes a number off the front.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

/// 16x8x16_
std::optional<std::array<int, 3>> take_shape(std::string_view& text) {
  std::array<int, 3> shape{};
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto extent = take_number(text);
    if (!extent || !take(text, i < 2 ? "x" : "_")) return std::nullopt;
    shape[i] = *extent;
  }
  return shape;
}

/// "F32BF16BF16F32" -> F32, BF16, BF16, F32; nothing where a part is no type's tag.
std::vector<std::string_view> tags_of(std::string_view word) {
  std::vector<std::string_view> tags;
  while (!word.empty()) {
    std::string_view longest;
    for (const ValueType& type : value_types())
      if (word.starts_with(type.tag) && type.tag.size() > longest.size()) longest = type.tag;
    if (longest.empty()) return {};
    tags.push_back(longest);
    word.remove_prefix(longest.size());
  }
  return tags;
}

void check_types(std::vector<std::string>& broken, const MmaAtom& atom, std::string_view word) {
  const std::vector<std::string_view> told = tags_of(word);
  if (told.size() != 3 && told.size() != 4) return;
  const std::array types{atom.d_type, atom.a_type, atom.b_type, atom.c_type};
  std::string said;
  bool is_same = true;
  for (size_t i = 0; i < told.size(); ++i) {
    if (types[i].tag.empty()) return;
    said += types[i].tag;
    is_same = is_same && types[i].tag == told[i];
  }
  if (!is_same) broken.push_back("the name must say the types, " + said);
}

}  // namespace

void check_told_name(std::vector<std::string>& broken, const MmaAtom& atom) {
  std::string_view name = atom.name;
  if (!take(name, "SM")) return;
  const auto arch = take_number(name);
  if (!arch || !take(name, "_")) return;
  const auto told = take_shape(name);
  if (!told) return;
  const ShapeMnk& shape = atom.shape;
  if (*told != std::array{shape.m, shape.n, shape.k})
    broken.push_back("the name must say the shape, " + std::to_string(shape.m) + "x" +
                     std::to_string(shape.n) + "x" + std::to_string(shape.k));
  if (atom.arch.number != 0 && *arch != atom.arch.number)
    broken.push_back("the name must say the architecture, SM" + std::to_string(atom.arch.number));
  check_types(broken, atom, name.substr(0, name.find('_')));
}

}  // namespace jute::atom
