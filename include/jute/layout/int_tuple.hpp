#pragma once
// Nested tuples of integers: shapes, strides, coordinates, profiles.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/layout/detail/profile.hpp>

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A regular value: a leaf or a tuple of IntTuples. A leaf is an integer, an integer on a unit
/// vector (`2@0@1`: 2 times mode 0 of mode 1) or the wildcard `_`. `(4)` is a tuple of one mode,
/// not 4. Up to 16 leaves live inline, more go to the heap; nesting deeper than 64 is refused.
class IntTuple {
 public:
  IntTuple();                                      ///< the empty tuple `()`
  IntTuple(Index value);                           // NOLINT: an integer is an IntTuple
  IntTuple(int value) : IntTuple(Index{value}) {}  // NOLINT: likewise
  IntTuple(std::initializer_list<IntTuple> modes);
  /// throws  syntax (with the column), overflow, too_deep
  explicit IntTuple(std::string_view text);
  explicit IntTuple(const char* text) : IntTuple(std::string_view(text)) {}
  explicit IntTuple(const std::string& text) : IntTuple(std::string_view(text)) {}
  /// A copy of a borrowed tuple.
  explicit IntTuple(const layout::TupleView& view);

  [[nodiscard]] static IntTuple wildcard();
  /// `2@0@1` is basis(2, {0, 1}): the path is read right to left.
  ///   throws  out_of_range: an index beyond 65535; too_deep: more than 64 of them
  [[nodiscard]] static IntTuple basis(Index value, const std::vector<int>& path);
  [[nodiscard]] static IntTuple tuple(const std::vector<IntTuple>& modes);

  [[nodiscard]] bool is_leaf() const { return view().is_leaf(); }
  [[nodiscard]] bool is_tuple() const { return !is_leaf(); }
  [[nodiscard]] bool is_integer() const { return view().is_integer(); }  ///< a plain integer leaf
  [[nodiscard]] bool is_wildcard() const { return view().is_wildcard(); }
  [[nodiscard]] bool is_basis() const { return view().is_basis(); }
  /// Modes of a tuple; 1 for a leaf, as CuTe's rank.
  [[nodiscard]] int rank() const { return layout::rank(view()); }
  /// Mode i; mode 0 of a leaf is the leaf.   throws  out_of_range
  [[nodiscard]] IntTuple operator[](int mode) const;
  /// The modes of a tuple; a leaf itself. Cheaper than operator[] for all of them.
  [[nodiscard]] std::vector<IntTuple> modes() const;
  /// The integer of a leaf (of a basis element its coefficient).   throws  wrong_type
  [[nodiscard]] Index value() const;
  [[nodiscard]] int leaf_count() const { return values_.size(); }
  /// The integers of the leaves from left to right.
  [[nodiscard]] std::vector<Index> leaves() const;
  /// Are all leaves plain integers?
  [[nodiscard]] bool is_plain() const { return paths_.empty(); }

  [[nodiscard]] layout::TupleView view() const {
    return {{nodes_.data(), static_cast<std::size_t>(nodes_.size())},
            values_.data(),
            paths_.empty() ? nullptr : paths_.data(),
            values_.size()};
  }

  bool operator==(const IntTuple&) const = default;

 private:
  friend class TupleBuilder;
  layout::Profile nodes_;
  layout::InlineVector<Index, 16> values_;
  std::vector<layout::Path> paths_;  ///< empty when every leaf is a plain integer
};

/// Writes an IntTuple from left to right. The caller balances open and close.
class TupleBuilder {
 public:
  TupleBuilder() { tuple_.nodes_.clear(); }
  void open();  ///< throws  too_deep
  void close();
  void integer(Index value);
  void wildcard();
  void leaf(Index value, const layout::Path& path);
  /// Copies a whole subtree.
  void append(const layout::TupleView& view);
  [[nodiscard]] IntTuple take() { return std::move(tuple_); }

 private:
  IntTuple tuple_;
  int depth_ = 0;
};

[[nodiscard]] std::string to_string(const IntTuple& tuple);
std::ostream& operator<<(std::ostream& out, const IntTuple& tuple);

}  // namespace jute

template <>
struct std::hash<jute::IntTuple> {
  std::size_t operator()(const jute::IntTuple& tuple) const noexcept;
};
