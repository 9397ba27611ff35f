#pragma once
// What the pieces of a text need of each other, and what they give.
#include <jute/base/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

enum class DeclarationKind : std::uint8_t { type, constant, function, variable };

/// A name that one piece gives and others need.
struct Declaration {
  DeclarationKind kind = DeclarationKind::variable;
  std::string name;          ///< "kStages"
  std::string type;          ///< "int"; of a function "void(unsigned,int)"; of a type nothing
  bool is_template = false;  ///< or an overloaded function

  bool operator==(const Declaration&) const = default;
};

/// The interface of a piece, below its first line:
///   //   needs: int kStages, kTileK; void wait_for(unsigned, int); FragmentC acc; type Vector<>
///   //   gives: int k_tiles
/// A constant's name begins with k and a capital, `<>` marks templates and overloaded functions,
/// and a const of the variable itself is left out.
struct PieceInterface {
  std::vector<Declaration> needs, gives;

  bool operator==(const PieceInterface&) const = default;
};
/// throws  illegal_template: a declaration that cannot be read
[[nodiscard]] PieceInterface interface_of(std::string_view text);

/// The text without those lines, after a look at every piece in it: each of its needs is met by
/// what pieces before it give, or by a constant, a type, a function or a parameter that the text
/// itself declares, in a scope that is still open.
///   throws  illegal_template: nobody gives what a piece needs, or gives it with another type
[[nodiscard]] std::string composed(std::string_view text);

/// The pieces, in their order and a blank line before each, that give something which the
/// text or one behind them names or needs.
[[nodiscard]] std::string needed_by(std::string_view text, const std::vector<std::string>& pieces);

/// The text without those lines.
[[nodiscard]] std::string without_interfaces(std::string_view text);

}  // namespace jute
