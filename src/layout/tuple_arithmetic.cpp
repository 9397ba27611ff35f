// Arithmetic of nested integers, unit vectors among them.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/layout.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace jute {

namespace {

using layout::Modes;
using layout::TupleView;

bool is_zero(const IntTuple& value) { return value.is_integer() && value.value() == 0; }

void require_number(const IntTuple& value, const char* operand) {
  if (!value.is_wildcard()) return;
  layout::refuse(ErrorCode::wrong_type, operand, to_string(value),
                 "it must be a number, not a wildcard");
}

/// v@i@j as nested tuples, from the outermost mode on.
void write_tuple(Index value, const layout::Path& path, TupleBuilder& out) {
  for (const char32_t index : path) {
    out.open();
    for (char32_t i = 0; i < index; ++i) out.integer(0);
  }
  out.integer(value);
  for (std::size_t i = 0; i < path.size(); ++i) out.close();
}

const std::vector<Index> plain_leaves(const IntTuple& tuple) {
  if (!tuple.is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "tuple", to_string(tuple),
                   "its leaves must be plain integers");
  }
  return tuple.leaves();
}

std::vector<Index> some_leaves(const IntTuple& tuple) {
  std::vector<Index> leaves = plain_leaves(tuple);
  if (leaves.empty()) {
    layout::refuse(ErrorCode::out_of_range, "tuple", to_string(tuple),
                   "it must have a leaf at least");
  }
  return leaves;
}

[[noreturn]] void refuse_nesting(const IntTuple& a, const IntTuple& b) {
  layout::refuse(ErrorCode::not_congruent, "b", to_string(b),
                 "it must nest like " + to_string(a) + ", or less deep and with fewer modes");
}

}  // namespace

IntTuple as_tuple(const IntTuple& value) {
  require_number(value, "value");
  const TupleView view = value.view();
  TupleBuilder out;
  int leaf = 0;
  for (const layout::Node node : view.nodes) {
    if (node == layout::Node::open) out.open();
    if (node == layout::Node::close) out.close();
    if (node != layout::Node::leaf) continue;
    const bool plain = view.paths == nullptr || view.paths[leaf].empty();
    if (plain || layout::is_wildcard(view.paths[leaf])) {
      plain ? out.integer(view.values[leaf]) : out.wildcard();
    } else {
      write_tuple(view.values[leaf], view.paths[leaf], out);
    }
    ++leaf;
  }
  return out.take();
}

IntTuple add(const IntTuple& a, const IntTuple& b) {
  require_number(a, "a");
  require_number(b, "b");
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (a.is_integer() && b.is_integer()) return checked_add(a.value(), b.value());
  if (a.is_integer() || b.is_integer()) {
    layout::refuse(
        ErrorCode::wrong_type, a.is_integer() ? "a" : "b", to_string(a.is_integer() ? a : b),
        "a number must be 0 to be added to a tuple: " + to_string(a.is_integer() ? b : a), "0");
  }
  std::vector<IntTuple> sums = (a.is_basis() ? as_tuple(a) : a).modes();
  const std::vector<IntTuple> more = (b.is_basis() ? as_tuple(b) : b).modes();
  sums.resize(std::max(sums.size(), more.size()), IntTuple(0));
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] = add(sums[i], more[i]);
  return IntTuple::tuple(sums);
}

IntTuple subtract(const IntTuple& a, const IntTuple& b) { return add(a, scale(-1, b)); }

IntTuple scale(Index factor, const IntTuple& value) {
  TupleView view = value.view();
  std::vector<Index> products;
  for (int i = 0; i < view.leaves; ++i) {
    if (view.paths != nullptr && layout::is_wildcard(view.paths[i])) {
      layout::refuse(ErrorCode::wrong_type, "value", to_string(value),
                     "it must be a number, not a wildcard");
    }
    products.push_back(checked_mul(factor, view.values[i]));
  }
  view.values = products.data();
  return IntTuple(view);
}

IntTuple elem_scale(const IntTuple& a, const IntTuple& b) {
  if (a.is_leaf()) return scale(size(b), a);
  if (b.is_leaf() || a.rank() != b.rank()) refuse_nesting(a, b);
  std::vector<IntTuple> products = a.modes();
  const std::vector<IntTuple> factors = b.modes();
  for (std::size_t i = 0; i < products.size(); ++i) {
    products[i] = elem_scale(products[i], factors[i]);
  }
  return IntTuple::tuple(products);
}

Index sum(const IntTuple& tuple) {
  Index total = 0;
  for (const Index leaf : plain_leaves(tuple)) total = checked_add(total, leaf);
  return total;
}
Index max(const IntTuple& tuple) { return std::ranges::max(some_leaves(tuple)); }
Index min(const IntTuple& tuple) { return std::ranges::min(some_leaves(tuple)); }
Index gcd(const IntTuple& tuple) {
  // The lowest integer has no positive twin, so that magnitudes are unsigned.
  std::uint64_t common = 0;
  for (const Index leaf : plain_leaves(tuple)) {
    const auto bits = static_cast<std::uint64_t>(leaf);
    common = std::gcd(common, leaf < 0 ? 0 - bits : bits);
  }
  return checked_mul(-1, static_cast<Index>(0 - common), "gcd");
}

IntTuple product_like(const IntTuple& tuple, const IntTuple& guide) {
  if (guide.is_leaf()) return size(tuple);
  if (tuple.is_leaf() || tuple.rank() != guide.rank()) refuse_nesting(tuple, guide);
  std::vector<IntTuple> products = tuple.modes();
  const std::vector<IntTuple> guides = guide.modes();
  for (std::size_t i = 0; i < products.size(); ++i) {
    products[i] = product_like(products[i], guides[i]);
  }
  return IntTuple::tuple(products);
}

IntTuple round_up(const IntTuple& a, const IntTuple& b) {
  if (a.is_leaf() && b.is_leaf()) return scale(ceil_div(a, b).value(), b);
  if (a.is_leaf() || b.is_leaf() || a.rank() < b.rank()) refuse_nesting(a, b);
  std::vector<IntTuple> rounded = a.modes();
  const std::vector<IntTuple> steps = b.modes();
  for (std::size_t i = 0; i < steps.size(); ++i) rounded[i] = round_up(rounded[i], steps[i]);
  return IntTuple::tuple(rounded);
}

bool evenly_divides(const IntTuple& a, const IntTuple& b) {
  if (b.is_leaf()) return size(a) == checked_mul(size(b), size(ceil_div(a, b)));
  if (b.rank() > a.rank()) return false;
  const std::vector<IntTuple> shapes = a.modes();
  const std::vector<IntTuple> tiles = b.modes();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (!evenly_divides(shapes[i], tiles[i])) return false;
  }
  return true;
}

IntTuple make_basis_like(const IntTuple& shape) { return make_identity_layout(shape).stride(); }

}  // namespace jute
