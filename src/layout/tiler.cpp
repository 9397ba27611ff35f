// Tilers: construction, reading, printing.
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>
#include <jute/layout/tiler.hpp>

#include <ostream>
#include <string>

namespace jute {

Tiler::Tiler(Index extent) : kind_(Kind::extent), extent_(extent) {
  if (extent < 1) {
    layout::refuse(ErrorCode::out_of_range, "tiler", std::to_string(extent),
                   "an extent must be at least 1", "1");
  }
}

Tiler::Tiler(Layout layout) : kind_(Kind::layout), layout_(std::move(layout)) {}

Tiler::Tiler(std::vector<Tiler> modes) : kind_(Kind::tuple), modes_(std::move(modes)) {}

Tiler::Tiler(const IntTuple& shape) {
  if (shape.is_wildcard()) return;
  if (shape.is_basis()) {
    layout::refuse(ErrorCode::wrong_type, "tiler", to_string(shape),
                   "a tiler must be made of integers, layouts and wildcards");
  }
  if (shape.is_leaf()) {
    *this = Tiler(shape.value());
    return;
  }
  kind_ = Kind::tuple;
  const std::vector<IntTuple> modes = shape.modes();
  modes_.reserve(modes.size());
  for (const IntTuple& mode : modes) modes_.emplace_back(mode);
}

Tiler Tiler::wildcard() { return Tiler(IntTuple::wildcard()); }

namespace {

Tiler read_tiler(layout::Cursor& cursor, int depth);

/// A tuple of tilers, which may turn out to be the shape of a layout.
Tiler read_modes(layout::Cursor& cursor, int depth) {
  std::vector<Tiler> modes;
  if (cursor.take(')')) return Tiler(std::move(modes));
  for (;;) {
    modes.push_back(read_tiler(cursor, depth));
    if (cursor.take(')')) return Tiler(std::move(modes));
    if (!cursor.take(',')) {
      layout::refuse_text({ErrorCode::syntax, "',' or ')' must follow here in a tiler", cursor.at},
                          "tiler", cursor.text);
    }
  }
}

Tiler read_tiler(layout::Cursor& cursor, int depth) {
  if (depth > layout::kMaxDepth) {
    layout::refuse_text({ErrorCode::too_deep, "tilers must nest at most 64 deep", cursor.at},
                        "tiler", cursor.text);
  }
  cursor.skip_spaces();
  const layout::Cursor start = cursor;
  Tiler tiler = Tiler::wildcard();
  if (cursor.take('(')) {
    tiler = read_modes(cursor, depth + 1);
  } else {
    tiler = Tiler(layout::read_int_tuple(cursor, "tiler"));
  }
  cursor.skip_spaces();
  if (cursor.peek() != ':') return tiler;
  cursor = start;
  return Tiler(layout::read_layout(cursor, "tiler"));
}

}  // namespace

Tiler::Tiler(std::string_view text) {
  layout::Cursor cursor{text};
  *this = read_tiler(cursor, 0);
  layout::expect_end(cursor, "tiler");
}

std::string to_string(const Tiler& tiler) {
  switch (tiler.kind()) {
    case Tiler::Kind::extent:
      return std::to_string(tiler.extent());
    case Tiler::Kind::layout:
      return to_string(tiler.layout());
    case Tiler::Kind::wildcard:
      return "_";
    case Tiler::Kind::tuple:
      break;
  }
  std::string text = "(";
  for (const Tiler& mode : tiler.modes()) {
    if (text.size() > 1) text += ',';
    text += to_string(mode);
  }
  return text += ')';
}

std::ostream& operator<<(std::ostream& out, const Tiler& tiler) { return out << to_string(tiler); }

}  // namespace jute
