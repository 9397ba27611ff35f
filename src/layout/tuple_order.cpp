// Orders of coordinates, and the step to the next one.
#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <algorithm>
#include <optional>

namespace jute {

namespace {

enum class FirstCompared { first, last };

/// The first two modes that differ decide; the others are looked at all the same, so that what is
/// refused hangs on the nesting alone, not on the numbers.
bool less(const IntTuple& a, const IntTuple& b, FirstCompared order) {
  if (a.is_integer() && b.is_integer()) return a.value() < b.value();
  if (a.is_leaf() || b.is_leaf()) {
    layout::refuse(ErrorCode::not_congruent, "b", to_string(b),
                   "numbers must be compared with numbers, tuples with tuples: " + to_string(a));
  }
  std::vector<IntTuple> lefts = a.modes();
  std::vector<IntTuple> rights = b.modes();
  if (order == FirstCompared::last) {
    std::ranges::reverse(lefts);
    std::ranges::reverse(rights);
  }
  std::optional<bool> decided;
  for (std::size_t i = 0; i < std::min(lefts.size(), rights.size()); ++i) {
    const bool is_less = less(lefts[i], rights[i], order);
    if (!decided && (is_less || lefts[i] != rights[i])) decided = is_less;
  }
  return decided.value_or(lefts.size() < rights.size());
}

}  // namespace

bool lex_less(const IntTuple& a, const IntTuple& b) { return less(a, b, FirstCompared::first); }
bool colex_less(const IntTuple& a, const IntTuple& b) { return less(a, b, FirstCompared::last); }

IntTuple increment(const IntTuple& coordinate, const IntTuple& shape) {
  if (!congruent(coordinate, shape) || !coordinate.is_plain() || !shape.is_plain() ||
      coordinate.leaf_count() == 0) {
    layout::refuse(ErrorCode::not_congruent, "coordinate", to_string(coordinate),
                   "it must have a number for each extent of the shape " + to_string(shape));
  }
  layout::TupleView next = coordinate.view();
  std::vector<Index> digits = coordinate.leaves();
  digits[0] = checked_add(digits[0], 1, "coordinate");
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
    if (digits[i] != shape.view().values[i]) break;
    digits[i] = 0;
    digits[i + 1] = checked_add(digits[i + 1], 1, "coordinate");
  }
  next.values = digits.data();
  return IntTuple(next);
}

}  // namespace jute
