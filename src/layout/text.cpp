// Reads and writes the text notation of tuples and layouts.
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>

#include <charconv>

namespace jute::layout {

void TupleSink::flush() {
  if (!pending_) return;
  pending_ = false;
  if (path_.empty()) {
    builder_.integer(value_);
  } else {
    builder_.leaf(value_, path_);
    path_.clear();
  }
}

IntTuple read_int_tuple(Cursor& cursor, std::string_view what) {
  TupleSink sink;
  if (const Fault fault = read_tuple(cursor, sink, kMaxDepth); fault.rule != nullptr) {
    refuse_text(fault, what, cursor.text);
  }
  return sink.take();
}

Layout read_layout(Cursor& cursor, std::string_view what) {
  const IntTuple shape = read_int_tuple(cursor, what);
  if (!cursor.take(':')) {
    refuse_text({ErrorCode::syntax, "':' and a stride must follow the shape", cursor.at}, what,
                cursor.text);
  }
  return Layout(shape, read_int_tuple(cursor, what));
}

void expect_end(Cursor& cursor, std::string_view what) {
  cursor.skip_spaces();
  if (!cursor.done()) {
    refuse_text({ErrorCode::syntax, "nothing must follow the value", cursor.at}, what, cursor.text);
  }
}

void write(Index value, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  out.append(digits, end);
}

namespace {

void write_leaf(Index value, const Path* path, std::string& out) {
  if (path != nullptr && is_wildcard(*path)) {
    out += '_';
    return;
  }
  write(value, out);
  if (path == nullptr) return;
  for (auto index = path->rbegin(); index != path->rend(); ++index) {
    out += '@';
    write(static_cast<Index>(*index), out);
  }
}

}  // namespace

void write(const TupleView& view, std::string& out) {
  int leaf = 0;
  bool first = true;
  for (const Node node : view.nodes) {
    if (!first && node != Node::close) out += ',';
    first = node == Node::open;
    switch (node) {
      case Node::open:
        out += '(';
        break;
      case Node::close:
        out += ')';
        break;
      case Node::leaf:
        write_leaf(view.values[leaf], view.paths == nullptr ? nullptr : view.paths + leaf, out);
        ++leaf;
        break;
    }
  }
}

void write(const LayoutView& view, std::string& out) {
  write(view.shape_view(), out);
  out += ':';
  write(view.stride_view(), out);
}

}  // namespace jute::layout
