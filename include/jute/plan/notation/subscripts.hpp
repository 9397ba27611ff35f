#pragma once
// Einstein's notation: what the letters of `abk,kcd->acdb` say, before any extent is known.
#include <jute/base/export.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A letter for each axis of each operand and of the result, outermost first. Axes that an ellipsis
/// stands for are the digits 0 to 9, which `...` becomes once the operands' ranks are known; until
/// then it is one `.`.
struct Subscripts {
  std::vector<std::string> operands{};
  std::string result{};
  bool operator==(const Subscripts&) const = default;
};

/// Operands that one text may name, and axes that an ellipsis may stand for.
inline constexpr std::size_t kMostContracted = 12, kMostEllipsisAxes = 10;

/// Reads `abk,kcd->acdb`, spaces or none. Without an arrow the result is what einsum makes it: the
/// axes of an ellipsis, then the letters that stand once, in the alphabet's order, capitals first.
///   throws  syntax: what is no letter, comma, arrow or ellipsis; a letter that the result repeats
///           or that no operand has; too many operands
[[nodiscard]] Subscripts parse_subscripts(std::string_view text);

/// Each ellipsis as the axes that it stands for, the last of them the same in all operands.
///   throws  wrong_arity: an operand with another number of axes than letters; too many axes
[[nodiscard]] Subscripts with_ranks(const Subscripts& subscripts,
                                    std::span<const std::size_t> ranks);

/// `abk,kcd->acdb`: what parse_subscripts reads.
[[nodiscard]] std::string to_string(const Subscripts& subscripts);

}  // namespace jute
