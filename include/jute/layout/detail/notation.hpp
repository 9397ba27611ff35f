#pragma once
// The constexpr reader of the text notation: tuples `(4,(2,8))`, layouts `(4,8):(1,4)`, swizzles.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace jute {
namespace JUTE_API layout {

/// A fault of a text, and where it is. `column` counts from 0.
struct Fault {
  ErrorCode code = ErrorCode::syntax;
  const char* rule = nullptr;  ///< null: nothing is wrong
  std::size_t column = 0;
};

/// A text and a place in it.
struct Cursor {
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] constexpr bool done() const { return at >= text.size(); }
  /// The character here; NUL at the end and for an embedded NUL, which no rule accepts.
  [[nodiscard]] constexpr char peek() const { return done() ? '\0' : text[at]; }
  constexpr void skip_spaces() {
    while (!done() && (text[at] == ' ' || text[at] == '\t')) ++at;
  }
  constexpr bool take(char wanted) {
    skip_spaces();
    if (peek() != wanted || done()) return false;
    ++at;
    return true;
  }
};

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads `-?[0-9]+`; CuTe's underscore before the digits must already be skipped.
[[nodiscard]] constexpr Fault read_integer(Cursor& cursor, Index& value) {
  const std::size_t start = cursor.at;
  const bool negative = cursor.peek() == '-';
  if (negative) ++cursor.at;
  if (!is_digit(cursor.peek())) return {ErrorCode::syntax, "a number must stand here", cursor.at};
  constexpr Index kLowest = std::numeric_limits<Index>::min();
  Index magnitude = 0;  // kept negative: the lowest value has no positive twin
  while (is_digit(cursor.peek())) {
    const Index digit = cursor.peek() - '0';
    if (magnitude < (kLowest + digit) / 10) {
      return {ErrorCode::overflow, "an integer must fit a signed 64-bit number", start};
    }
    magnitude = 10 * magnitude - digit;
    ++cursor.at;
  }
  if (!negative && magnitude == kLowest) {
    return {ErrorCode::overflow, "an integer must fit a signed 64-bit number", start};
  }
  value = negative ? magnitude : -magnitude;
  return {};
}

/// Reads one leaf: `7`, `-7`, `_7`, `_` or `2@0@1`. The sink gets wildcard() or integer(value),
/// then basis(index) for each index as written.
template <class Sink>
[[nodiscard]] constexpr Fault read_leaf(Cursor& cursor, Sink& sink) {
  if (cursor.peek() == '_') {
    ++cursor.at;
    if (!is_digit(cursor.peek()) && cursor.peek() != '-') {
      sink.wildcard();
      return {};
    }
  }
  Index value = 0;
  if (const Fault fault = read_integer(cursor, value); fault.rule != nullptr) return fault;
  sink.integer(value);
  constexpr int kDeepest = 64;  // as tuples nest
  for (int depth = 0; cursor.peek() == '@'; ++depth) {
    ++cursor.at;
    const std::size_t start = cursor.at;
    if (depth == kDeepest) {
      return {ErrorCode::too_deep, "a unit vector must name a mode at most 64 deep", start};
    }
    if (!is_digit(cursor.peek())) {
      return {ErrorCode::syntax, "a mode index must follow '@'", start};
    }
    Index index = 0;
    if (const Fault fault = read_integer(cursor, index); fault.rule != nullptr) return fault;
    if (index > 0xFFFF)
      return {ErrorCode::out_of_range, "a mode index must be at most 65535", start};
    sink.basis(static_cast<std::uint32_t>(index));
  }
  return {};
}

/// Reads a nested tuple. The sink gets open() and close() beside what read_leaf sends. Iterative,
/// so that no text can exhaust the stack; `max_depth` bounds the nesting.
template <class Sink>
[[nodiscard]] constexpr Fault read_tuple(Cursor& cursor, Sink& sink, int max_depth) {
  int depth = 0;
  for (;;) {
    cursor.skip_spaces();
    if (cursor.peek() == '(') {
      if (++depth > max_depth) {
        return {ErrorCode::too_deep, "tuples must nest at most 64 deep", cursor.at};
      }
      ++cursor.at;
      sink.open();
      cursor.skip_spaces();
      if (cursor.peek() != ')') continue;
    } else if (const Fault fault = read_leaf(cursor, sink); fault.rule != nullptr) {
      return fault;
    }
    for (;;) {
      if (depth == 0) return {};
      // Python ends a tuple of one with a comma.
      if (cursor.take(',')) {
        cursor.skip_spaces();
        if (cursor.peek() != ')') break;
      }
      if (!cursor.take(')')) {
        return {ErrorCode::syntax, "',' or ')' must follow here in a tuple", cursor.at};
      }
      sink.close();
      --depth;
    }
  }
}

/// Reads `Sw<bits,base,shift>` behind the two letters.
[[nodiscard]] constexpr Fault read_swizzle(Cursor& cursor, std::array<Index, 3>& numbers) {
  if (!cursor.take('<')) return {ErrorCode::syntax, "'<' must follow 'Sw'", cursor.at};
  for (std::size_t i = 0; i < 3; ++i) {
    cursor.skip_spaces();
    if (const Fault fault = read_integer(cursor, numbers[i]); fault.rule != nullptr) return fault;
    if (!cursor.take(i < 2 ? ',' : '>')) {
      return {ErrorCode::syntax, "a swizzle must be written Sw<bits,base,shift>", cursor.at};
    }
  }
  return {};
}

}  // namespace layout
}  // namespace jute

namespace JUTE_API jute {

/// A layout text that is checked when the program is compiled, for tables of constants.
///   example  inline constexpr TvText kC16x8 = "((4,8),(2,2)):((32,1),(16,8))";
///   throws   a text that is no layout of plain integers with at most 24 leaves does not compile
class TvText {
 public:
  static constexpr int kCapacity = 24;

  // NOLINTNEXTLINE: a table row holds the bare text
  consteval TvText(const char* text) : text_(text) {
    layout::Cursor cursor{text_};
    Side shape{shape_.data()};
    Side stride{stride_.data()};
    if (layout::read_tuple(cursor, shape, 64).rule != nullptr) throw "not a shape";
    if (!cursor.take(':')) throw "':' is missing";
    if (layout::read_tuple(cursor, stride, 64).rule != nullptr) throw "not a stride";
    cursor.skip_spaces();
    if (!cursor.done()) throw "characters after the layout";
    if (!shape.plain || !stride.plain) throw "a leaf is no integer";
    if (shape.count != stride.count || shape.hash != stride.hash) throw "not congruent";
    leaves_ = shape.count;
    rank_ = shape.rank;
    for (int i = 0; i < leaves_; ++i) {
      if (shape_[static_cast<std::size_t>(i)] < 1) throw "an extent is not positive";
    }
    mode0_leaves_ = shape.mode0_leaves;
  }

  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr int rank() const { return rank_; }
  [[nodiscard]] constexpr Index size() const { return product(0, leaves_); }
  /// Sizes of mode 0 (the threads of a TV layout) and of all further modes (its values).
  [[nodiscard]] constexpr Index threads() const { return product(0, mode0_leaves_); }
  [[nodiscard]] constexpr Index values() const { return product(mode0_leaves_, leaves_); }
  /// Offset of a one-dimensional coordinate.
  [[nodiscard]] constexpr Index operator()(Index coordinate) const {
    Index offset = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(leaves_); ++i) {
      offset += coordinate % shape_[i] * stride_[i];
      coordinate /= shape_[i];
    }
    return offset;
  }
  /// Is every offset in [0, tile) reached, and each by the same number of coordinates? One
  /// coordinate each unless modes have stride 0 (broadcasts). Exactly then the other modes, by
  /// rising stride, are compact.
  [[nodiscard]] constexpr bool covers(Index tile) const {
    std::array<bool, kCapacity> used{};
    for (Index reached = 1;;) {
      bool grew = false;
      for (std::size_t i = 0; i < static_cast<std::size_t>(leaves_); ++i) {
        if (used[i] || shape_[i] == 1 || stride_[i] != reached) continue;
        used[i] = true;
        reached *= shape_[i];
        grew = true;
        break;
      }
      if (grew) continue;
      if (reached != tile) return false;
      break;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(leaves_); ++i) {
      if (!used[i] && shape_[i] != 1 && stride_[i] != 0) return false;
    }
    return true;
  }
  /// Is every offset in [0, tile) reached exactly once?
  [[nodiscard]] constexpr bool covers_once(Index tile) const {
    return size() == tile && covers(tile);
  }

 private:
  struct Side {
    Index* values;
    int count = 0;
    int depth = 0;
    int rank = 1;
    int mode0_leaves = 1;
    bool plain = true;
    std::uint64_t hash = 1469598103934665603ULL;  // of the nesting

    constexpr void mix(std::uint64_t node) { hash = (hash ^ node) * 1099511628211ULL; }
    constexpr void count_mode() {
      if (depth == 1) ++rank;
      if (depth == 1 && rank == 2) mode0_leaves = count;
    }
    constexpr void open() {
      if (depth == 0) {
        rank = 0;
      } else {
        count_mode();
      }
      ++depth;
      mix(1);
    }
    constexpr void close() {
      --depth;
      if (depth == 0 && rank < 2) mode0_leaves = count;
      mix(2);
    }
    constexpr void integer(Index value) {
      if (count == kCapacity) throw "too many leaves";
      count_mode();
      values[count++] = value;
      mix(3);
    }
    constexpr void basis(std::uint32_t) { plain = false; }
    constexpr void wildcard() { plain = false; }
  };

  [[nodiscard]] constexpr Index product(int begin, int end) const {
    Index result = 1;
    for (int i = begin; i < end; ++i) result *= shape_[static_cast<std::size_t>(i)];
    return result;
  }

  std::string_view text_;
  std::array<Index, kCapacity> shape_{};
  std::array<Index, kCapacity> stride_{};
  int leaves_ = 0;
  int rank_ = 0;
  int mode0_leaves_ = 0;
};

}  // namespace jute
