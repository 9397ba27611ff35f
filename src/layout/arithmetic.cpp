// Division, products and comparisons of nested integers.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <numeric>

namespace jute {

namespace {

using layout::Modes;
using layout::TupleView;

[[noreturn]] void refuse_ranks(const TupleView& a, const TupleView& b) {
  layout::refuse(ErrorCode::not_congruent, "b", to_string(IntTuple(b)),
                 "it must have as many modes as " + to_string(IntTuple(a)));
}

Index integer(const TupleView& leaf) {
  if (!leaf.is_integer()) {
    layout::refuse(ErrorCode::wrong_type, "tuple", to_string(IntTuple(leaf)),
                   "its leaves must be plain integers");
  }
  return leaf.value();
}

Index product(const TupleView& view) { return size(IntTuple(view)); }

enum class Division { exact, rounded_up };

Index divide_integers(Index a, Index b, Division division) {
  if (a < 1 || b < 1) {
    layout::refuse(ErrorCode::out_of_range, a < 1 ? "a" : "b", std::to_string(a < 1 ? a : b),
                   "shapes are divided by shapes: every extent must be at least 1", "1");
  }
  if (division == Division::exact && a % b != 0 && b % a != 0) {
    layout::refuse(ErrorCode::not_divisible, "b", std::to_string(b),
                   "it must divide " + std::to_string(a) + ", or the other way round",
                   std::to_string(std::gcd(a, b)));
  }
  return ceil_div(a, b);
}

void divide_into(const TupleView& a, const TupleView& b, Division division, TupleBuilder& out) {
  if (a.is_leaf()) {
    out.integer(divide_integers(integer(a), product(b), division));
    return;
  }
  out.open();
  Modes parts(a);
  if (b.is_leaf()) {
    Index divisor = integer(b);
    while (!parts.done()) {
      const TupleView part = parts.next();
      divide_into(part, IntTuple(divisor).view(), division, out);
      divisor = divide_integers(divisor, product(part), division);
    }
  } else {
    const int wanted = layout::rank(a);
    const int given = layout::rank(b);
    if (given > wanted || (division == Division::exact && given != wanted)) refuse_ranks(a, b);
    Modes divisors(b);
    const IntTuple one(1);
    while (!parts.done()) {
      const TupleView part = parts.next();
      divide_into(part, divisors.done() ? one.view() : divisors.next(), division, out);
    }
  }
  out.close();
}

Index inner(const TupleView& a, const TupleView& b) {
  if (a.is_leaf() && b.is_leaf()) return checked_mul(integer(a), integer(b), "inner product");
  if (a.is_leaf() || b.is_leaf() || layout::rank(a) != layout::rank(b)) refuse_ranks(a, b);
  Index sum = 0;
  Modes firsts(a);
  for (Modes seconds(b); !seconds.done();) {
    const TupleView first = firsts.next();
    sum = checked_add(sum, inner(first, seconds.next()), "inner product");
  }
  return sum;
}

/// Walks both tuples while they nest alike; `leaf` decides where the first one ends.
template <class Leaf>
bool agrees(const TupleView& a, const TupleView& b, Leaf&& leaf) {
  if (a.is_leaf()) return leaf(a, b);
  if (b.is_leaf() || layout::rank(a) != layout::rank(b)) return false;
  Modes firsts(a);
  for (Modes seconds(b); !seconds.done();) {
    const TupleView first = firsts.next();
    if (!agrees(first, seconds.next(), leaf)) return false;
  }
  return true;
}

/// Looks at every pair, so that what is refused hangs on the nesting alone, not on the numbers.
bool less(const TupleView& a, const TupleView& b) {
  if (a.is_leaf() && b.is_leaf()) return integer(a) < integer(b);
  if (a.is_leaf() || b.is_leaf()) refuse_ranks(a, b);
  Modes firsts(a);
  Modes seconds(b);
  bool all = true;
  while (!firsts.done()) {
    if (seconds.done()) return false;
    const TupleView first = firsts.next();
    all = less(first, seconds.next()) && all;
  }
  return all;
}

}  // namespace

IntTuple shape_div(const IntTuple& a, const IntTuple& b) {
  TupleBuilder builder;
  divide_into(a.view(), b.view(), Division::exact, builder);
  return builder.take();
}

IntTuple ceil_div(const IntTuple& a, const IntTuple& b) {
  TupleBuilder builder;
  divide_into(a.view(), b.view(), Division::rounded_up, builder);
  return builder.take();
}

IntTuple product_each(const IntTuple& shape) {
  TupleBuilder builder;
  builder.open();
  for (Modes modes(shape.view()); !modes.done();) builder.integer(product(modes.next()));
  builder.close();
  return builder.take();
}

Index inner_product(const IntTuple& a, const IntTuple& b) { return inner(a.view(), b.view()); }

bool congruent(const IntTuple& a, const IntTuple& b) {
  return layout::same_nodes(a.view().nodes, b.view().nodes);
}

bool weakly_congruent(const IntTuple& a, const IntTuple& b) {
  return agrees(a.view(), b.view(), [](const TupleView&, const TupleView&) { return true; });
}

bool compatible(const IntTuple& a, const IntTuple& b) {
  return agrees(a.view(), b.view(), [](const TupleView& leaf, const TupleView& part) {
    return integer(leaf) == product(part);
  });
}

bool elem_less(const IntTuple& a, const IntTuple& b) { return less(a.view(), b.view()); }

}  // namespace jute
