#pragma once
// Atoms with one layout that is wrong: two strides exchanged, so that the row still covers its tile
// and breaks no rule, but says another place for some values.
#include <jute/atom/catalogue.hpp>
#include <jute/layout/layout.hpp>

#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "base/format.hpp"

namespace jute::test {

using AnyAtom = std::variant<MmaAtom, CopyAtom>;

struct WrongAtom {
  std::string what;  ///< "SM80_…: c_layout ((4,8),(2,2)):((1,32),(16,8))"
  AnyAtom atom;
};

/// The layout with the strides of leaves i and j exchanged.
inline Layout exchanged(const Layout& layout, size_t i, size_t j) {
  std::vector<Index> stride = layout.flat_stride();
  std::swap(stride[i], stride[j]);
  LayoutBuilder builder;
  size_t leaf = 0;
  const auto copy = [&](const auto& self, const Layout& mode) -> void {
    if (mode.is_leaf()) return builder.leaf(size(mode), stride[leaf++]);
    builder.open();
    for (int m = 0; m < mode.rank(); ++m) self(self, mode[m]);
    builder.close();
  };
  copy(copy, layout);
  return builder.take();
}

inline bool is_same_function(const Layout& left, const Layout& right) {
  for (Index i = 0; i < size(left); ++i)
    if (left(i) != right(i)) return false;
  return true;
}

/// The layouts of which a row is made, for changing one.
inline std::vector<std::pair<std::string, Layout*>> layouts_of(MmaAtom& atom) {
  std::vector<std::pair<std::string, Layout*>> list = {
      {"a_layout", &atom.a_layout}, {"b_layout", &atom.b_layout}, {"c_layout", &atom.c_layout}};
  if (atom.metadata) list.emplace_back("e_layout", &atom.metadata->layout);
  return list;
}
inline std::vector<std::pair<std::string, Layout*>> layouts_of(CopyAtom& atom) {
  return {{"src_layout", &atom.src_layout}, {"dst_layout", &atom.dst_layout}};
}

/// One layout changed; nothing when the change changes no function or breaks a rule.
template <class Atom>
std::optional<WrongAtom> spoiled(Atom atom, std::mt19937& random) {
  auto list = layouts_of(atom);
  auto& [field, layout] = list[random() % list.size()];
  const size_t leaves = layout->flat_shape().size();
  const Layout changed = exchanged(*layout, random() % leaves, random() % leaves);
  if (is_same_function(changed, *layout)) return std::nullopt;
  const std::string what = base::format("{}: {} {}", atom.name, field, to_string(changed));
  *layout = changed;
  if (!check(atom).empty()) return std::nullopt;
  return WrongAtom{what, std::move(atom)};
}

/// `count` wrong rows made of these atoms in turn, the same for the same seed.
inline std::vector<WrongAtom> wrong_atoms(const Catalogue& catalogue,
                                          const std::vector<std::string>& names, size_t count,
                                          unsigned seed) {
  std::mt19937 random(seed);
  std::vector<WrongAtom> result;
  for (size_t i = 0; result.size() < count; ++i) {
    const AnyAtom atom = catalogue.find(names[i % names.size()]);
    for (int attempt = 0; attempt < 100; ++attempt) {
      auto wrong = std::visit([&](const auto& one) { return spoiled(one, random); }, atom);
      if (!wrong) continue;
      result.push_back(*std::move(wrong));
      break;
    }
  }
  return result;
}

}  // namespace jute::test
