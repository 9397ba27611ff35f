#pragma once
// Sinks of the reader, and the canonical writer.
#include <cstdint>
#include <jute/layout/detail/notation.hpp>
#include <jute/layout/layout.hpp>
#include <jute/layout/swizzle.hpp>

#include <string>

namespace jute::layout {

/// Builds an IntTuple from what the reader sends. A unit vector's indices arrive innermost first.
class TupleSink {
 public:
  void open() {
    flush();
    builder_.open();
  }
  void close() {
    flush();
    builder_.close();
  }
  void wildcard() {
    flush();
    builder_.wildcard();
  }
  void integer(Index value) {
    flush();
    value_ = value;
    pending_ = true;
  }
  void basis(std::uint32_t index) { path_.insert(path_.begin(), static_cast<char32_t>(index)); }
  [[nodiscard]] IntTuple take() {
    flush();
    return builder_.take();
  }

 private:
  void flush();

  TupleBuilder builder_;
  Index value_ = 0;
  Path path_;
  bool pending_ = false;
};

/// Reads a tuple at the cursor.   throws  syntax, overflow, too_deep; `what` names the text
[[nodiscard]] IntTuple read_int_tuple(Cursor& cursor, std::string_view what);
/// Reads `shape:stride` at the cursor.
[[nodiscard]] Layout read_layout(Cursor& cursor, std::string_view what);
/// Reads `Sw<bits,base,shift>` at the cursor.
[[nodiscard]] Swizzle read_swizzle_value(Cursor& cursor, std::string_view what);
/// Refuses when anything but blanks is left.
void expect_end(Cursor& cursor, std::string_view what);

void write(const TupleView& view, std::string& out);
void write(const LayoutView& view, std::string& out);
void write(Index value, std::string& out);

}  // namespace jute::layout
