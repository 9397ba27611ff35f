#pragma once
// Conditions at the edges of a product, without those that hold of every tile: none is written
// that has one value whatever a launch says.
#include <jute/plan/values/plan.hpp>

#include <initializer_list>
#include <string>

namespace jute::codegen {

/// Does no tile reach past the edge along M (of A) or N (of B); along K?
[[nodiscard]] bool has_whole_tiles(const GemmStep& step, Operand across);
[[nodiscard]] bool has_whole_k_tiles(const GemmStep& step);
/// May a block have no k-tile: of a slice, of a group, of a launch? `if_any`: only where it has.
[[nodiscard]] bool may_lack_k_tiles(const GemmStep& step);
[[nodiscard]] std::string if_any(const GemmStep& step);

/// M or N as all tiles lie in it: of groups that have parts of it, the most that they may have.
[[nodiscard]] std::string extent_of_all(const GemmStep& step, Operand across);
/// Both: `m, n`.
[[nodiscard]] std::string extents_of_all(const GemmStep& step);

struct Condition {
  bool always;  ///< nobody need ask
  std::string text;
};
/// The conditions that must be asked for, by && or by ||; empty where none is left.
[[nodiscard]] std::string joined(std::initializer_list<Condition> conditions,
                                 const char* join = " && ");
/// `condition ? value : otherwise`, and the value alone without a condition.
[[nodiscard]] std::string where(const std::string& condition, const std::string& value,
                                const std::string& otherwise = "0");
/// Does all of the tile lie inside D?
[[nodiscard]] std::string inside_tile(const GemmStep& step);
/// The condition ahead of others: `condition && `, or of a statement: `if (condition) `.
[[nodiscard]] std::string ahead_of_others(const std::string& condition);
[[nodiscard]] std::string only_if(const std::string& condition);

}  // namespace jute::codegen
