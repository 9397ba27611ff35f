#pragma once
// The rows of the atom tables: families of atoms that differ in sizes and types only.
#include "atom/pattern.hpp"

namespace jute::atom {

inline constexpr std::array kPlain = {Modifier{"", ""}};
inline constexpr std::array kSaturating = {Modifier{"", ""}, Modifier{"_SATURATE", ".satfinite"}};

/// A family of MMA atoms. Patterns as in pattern.hpp; layouts see M, N, K and X = SF vector length.
struct MmaFamily {
  std::string_view name;
  Arch arch;
  PtxVersion isa;
  MmaForm form = MmaForm::mma;
  Range m, n, k;
  std::string_view d, a, b;  ///< type sets
  std::string_view a_tv, b_tv, c_tv;
  std::string_view ptx;
  std::string_view source;
  // The usual of most families.
  std::string_view c = "=D";
  std::span<const Modifier> modifiers = kPlain;
  std::string_view thr_id = "32:1";
  Range more_n{};                         ///< N may also be one of these
  std::string_view a_value = "{A.name}";  ///< value types, where they are not the types of the name
  std::string_view b_value = "{B.name}";
  std::string_view template_args{};  ///< not part of the name
  Major a_major = Major::k, b_major = Major::k;
  bool any_major_a = false, any_major_b = false;
  std::string_view e_tv{}, e_type{};         ///< sparse metadata
  std::string_view sfa_tv{}, sfb_tv{}, s{};  ///< scale factors and their type set
  Range v{};                                 ///< values that share one scale factor
  Range listed_n{};                          ///< a list shows these N only; empty: all
  bool listed = true;                        ///< false: found by name only, too many to list

  [[nodiscard]] HoleSets sets() const;
};

/// A family of copy atoms; layouts see X and the bits of the types T and S.
struct CopyFamily {
  std::string_view name;
  Arch arch;
  PtxVersion isa;
  CopyForm form = CopyForm::universal;
  std::string_view thr_id, src, dst, ref;
  std::string_view ptx;
  std::string_view source;
  std::string_view t{};       ///< type set
  std::string_view s = "=T";  ///< the type that is written
  Range x{};                  ///< legal X: powers of two from first to last
  std::span<const Modifier> modifiers = kPlain;
  bool listed = true;
  std::string_view executed_dst{};  ///< where `dst`, CuTe's, is not what the instruction does
  Range y{};                        ///< TMA: X and Y are the box; its layouts see its bits as Z
  Range listed_x{}, listed_y{};     ///< a list shows these alone; empty: all

  [[nodiscard]] HoleSets sets() const;
};

/// The atom that a family holds for one binding of its holes.
[[nodiscard]] MmaAtom instantiate(const MmaFamily& family, const Binding& binding);
[[nodiscard]] CopyAtom instantiate(const CopyFamily& family, const Binding& binding);

}  // namespace jute::atom
