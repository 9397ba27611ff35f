#pragma once
// All known atoms: the built-in families and the rows that a user adds.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// A user's row as text: the keys of `fields` and their values, in any order.
struct AtomText {
  std::vector<std::pair<std::string, std::string>> fields;
  bool operator==(const AtomText&) const = default;
};

enum class AtomKind : std::uint8_t { mma, copy };

/// A line of `jute atom list`.
struct AtomSummary {
  std::string name;
  AtomKind kind = AtomKind::mma;
  std::string_view form;
  Arch arch;
  bool operator==(const AtomSummary&) const = default;
};

/// One built-in family: atoms that differ in sizes and types only. Texts have holes: {A} a type, N
/// a number.
struct AtomFamily {
  std::string name;
  AtomKind kind = AtomKind::mma;
  std::string_view form;
  Arch arch;
  std::vector<std::pair<std::string_view, std::string>> layouts;  ///< "a_layout", its notation
  std::string ptx;
  PtxVersion isa;
  std::string source;
  std::vector<std::string> atoms;  ///< those that a list shows
};
/// In the order of the tables; a family that no list shows is there without atoms.
[[nodiscard]] std::vector<AtomFamily> built_in_families();

/// The types that an MMA atom multiplies, and that it adds to.
struct MmaTypes {
  DType a = DType::f32, b = DType::f32, accumulate = DType::f32;
  int n = 0;  ///< of its shape; 0: any
  /// How operands lie in shared memory, for atoms that read them there.
  Major a_major = Major::k, b_major = Major::k;
};

/// A regular value. Built-in rows are families: an atom is composed when it is asked for, so an
/// empty catalogue costs nothing and finds every built-in name.
class Catalogue {
 public:
  Catalogue() = default;
  /// The same as a default one; for readers.
  [[nodiscard]] static Catalogue built_in();

  /// An MMA atom by CuTe's name, with or without template arguments.
  ///   example  mma("SM90_64x128x16_F32BF16BF16_SS")
  ///   example  mma("SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>")
  ///   throws   unknown_name: offers the nearest name
  [[nodiscard]] MmaAtom mma(std::string_view name) const;
  [[nodiscard]] CopyAtom copy(std::string_view name) const;
  /// Whichever kind has that name.
  [[nodiscard]] std::variant<MmaAtom, CopyAtom> find(std::string_view name) const;
  [[nodiscard]] std::optional<MmaAtom> try_mma(std::string_view name) const;
  [[nodiscard]] std::optional<CopyAtom> try_copy(std::string_view name) const;

  /// Every name in order of architecture; user rows last.
  [[nodiscard]] std::vector<AtomSummary> list() const;
  /// The atoms that code for `target` can run.
  [[nodiscard]] std::vector<AtomSummary> list(Arch target) const;

  /// The MMA atoms of one form that code for `target` can run and that multiply such types, in the
  /// order of `list`.
  [[nodiscard]] std::vector<MmaAtom> mmas(MmaForm form, Arch target, const MmaTypes& types) const;
  /// The copy atoms of one form that code for `target` can run, in the order of `list`.
  [[nodiscard]] std::vector<CopyAtom> copies(CopyForm form, Arch target) const;

  /// This catalogue and one more row; one that is given away grows in place.
  ///   throws  illegal_atom: every broken rule (`check`), or a name that is taken; syntax
  [[nodiscard]] Catalogue with(const AtomText& row) const& { return Catalogue(*this).with(row); }
  [[nodiscard]] Catalogue with(MmaAtom atom) const& {
    return Catalogue(*this).with(std::move(atom));
  }
  [[nodiscard]] Catalogue with(CopyAtom atom) const& {
    return Catalogue(*this).with(std::move(atom));
  }
  [[nodiscard]] Catalogue with(const AtomText& row) &&;
  [[nodiscard]] Catalogue with(MmaAtom atom) &&;
  [[nodiscard]] Catalogue with(CopyAtom atom) &&;

  bool operator==(const Catalogue&) const = default;

 private:
  std::vector<MmaAtom> mma_;
  std::vector<CopyAtom> copies_;
};

/// Every rule that an atom breaks, as sentences; empty for a sound one. Rules: a register fragment
/// covers its tile exactly once, an operand in memory is covered too; thr_id maps to distinct
/// lanes and has as many threads as the fragments; the values of a thread fill whole registers;
/// the mnemonic matches [a-z0-9_.:]+ and starts with a known instruction of the form.
[[nodiscard]] std::vector<std::string> check(const MmaAtom& atom);
[[nodiscard]] std::vector<std::string> check(const CopyAtom& atom);

}  // namespace jute
