#pragma once
// Texts with holes: how one line of a table stands for a family of atoms.
//
// Names, mnemonics and types have holes in braces: {M} {N} {K} {X} {V} {T} are numbers or types
// (see Binding), {A} is a type's tag ("F16"), {A.ptx}, {A.cute}, {A.name} its other spellings,
// {mod} and {mod.ptx} the two texts of a modifier, {major_a} and {major_b} "K" or "MN".
// Layouts hold bare capital letters, each with an optional *number or /number:
// "((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))".
#include <jute/atom/atom.hpp>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jute::atom {

/// A suffix of the name and what it adds to the mnemonic.
struct Modifier {
  std::string_view name;
  std::string_view ptx;
};

/// first, first + step, … last; with step 0 first, 2 first, 4 first, … last. Empty by default.
struct Range {
  int first = 0;
  int last = -1;
  int step = 1;
  [[nodiscard]] constexpr int after(int value) const { return step > 0 ? value + step : 2 * value; }
  [[nodiscard]] constexpr bool has(int value) const {
    for (int legal = first; legal <= last; legal = after(legal))
      if (legal == value) return true;
    return false;
  }
};

/// The values of a pattern's holes, by letter.
struct Binding {
  std::array<int, 26> numbers{};  ///< 0: not bound
  std::array<const ValueType*, 26> types{};
  std::array<std::string_view, 26> spellings{};  ///< the C++ text a type was written with
  Modifier modifier;
  Major major_a = Major::k;
  Major major_b = Major::k;

  [[nodiscard]] static constexpr std::size_t slot(char letter) {
    return static_cast<std::size_t>(letter - 'A');
  }
  [[nodiscard]] int number(char letter) const { return numbers[slot(letter)]; }
  [[nodiscard]] const ValueType* type(char letter) const { return types[slot(letter)]; }
};

/// The values that a hole may have.
struct HoleSets {
  std::array<std::array<Range, 2>, 26> numbers{};
  std::array<std::string_view, 26> types{};       ///< "s8 u8"; "=A": the type of hole A
  std::array<std::optional<DType>, 26> dtypes{};  ///< where one is wanted, a set's others are left
  std::span<const Modifier> modifiers;
  bool any_major_a = false;  ///< else K only
  bool any_major_b = false;
};

/// The text with every hole filled.
[[nodiscard]] std::string fill(std::string_view pattern, const Binding& binding);
[[nodiscard]] std::string fill_layout(std::string_view pattern, const Binding& binding);
/// Does `text` start as the pattern does before its first hole? A cheap test before match.
[[nodiscard]] inline bool starts_alike(std::string_view pattern, std::string_view text) {
  return text.starts_with(pattern.substr(0, pattern.find('{')));
}
/// The binding under which the pattern reads `text`, if there is one.
[[nodiscard]] std::optional<Binding> match(std::string_view pattern, std::string_view text,
                                           const HoleSets& sets);
/// Called for one binding after the other.
using BindingVisitor = std::function<void(const Binding&)>;
/// All combinations, majors K, in the order of the sets; the binding lives as long as the call.
void for_each_binding(const HoleSets& sets, const BindingVisitor& visit);

}  // namespace jute::atom
