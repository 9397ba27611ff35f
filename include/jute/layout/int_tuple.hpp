#pragma once
// Nested tuples of integers: shapes, strides, coordinates, profiles.
#include <jute/base/error.hpp>
#include <jute/base/types.hpp>

#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace jute {

/// A regular value: a leaf or a tuple of IntTuples. A leaf is an integer, an integer on a unit
/// vector (`2@0@1`: 2 times mode 0 of mode 1) or the wildcard `_`. `(4)` is a tuple of one mode,
/// not 4. Up to 16 leaves live inline, more go to the heap; nesting deeper than 64 is refused.
class IntTuple {
 public:
  IntTuple() = default;  ///< the empty tuple `()`
  IntTuple(Index value);  // NOLINT: an integer is an IntTuple
  IntTuple(int value) : IntTuple(Index{value}) {}
  IntTuple(std::initializer_list<IntTuple> modes);
  /// throws  syntax (with the column), overflow, too_deep
  explicit IntTuple(std::string_view text);
  explicit IntTuple(const char* text) : IntTuple(std::string_view(text)) {}

  [[nodiscard]] static IntTuple wildcard();
  [[nodiscard]] static IntTuple basis(Index value, std::vector<int> path);  ///< path read right to left
  [[nodiscard]] static IntTuple tuple(const std::vector<IntTuple>& modes);

  [[nodiscard]] bool is_leaf() const;
  [[nodiscard]] bool is_tuple() const { return !is_leaf(); }
  [[nodiscard]] bool is_integer() const;   ///< a plain integer leaf
  [[nodiscard]] bool is_wildcard() const;
  [[nodiscard]] bool is_basis() const;
  /// Modes of a tuple; 1 for a leaf, as CuTe's rank.
  [[nodiscard]] int rank() const;
  /// Mode i; mode 0 of a leaf is the leaf.   throws  out_of_range
  [[nodiscard]] IntTuple operator[](int mode) const;
  /// The integer of a leaf (of a basis element its coefficient).   throws  wrong_type
  [[nodiscard]] Index value() const;
  [[nodiscard]] int leaf_count() const;
  /// The integers of the leaves from left to right.
  [[nodiscard]] std::vector<Index> leaves() const;

  bool operator==(const IntTuple&) const;
};

[[nodiscard]] std::string to_string(const IntTuple& tuple);
std::ostream& operator<<(std::ostream& out, const IntTuple& tuple);

}  // namespace jute
