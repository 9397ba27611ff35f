#pragma once
// The operations of Counts: their words and how tightly they bind.
#include <jute/plan/values/count.hpp>

#include <algorithm>
#include <array>

namespace jute::plan {

inline constexpr int kMostBinding = 3;  // of numbers, names and functions

struct CountRow {
  Count::Op op;
  std::string_view word;
  int binding;
  [[nodiscard]] constexpr bool is_function() const { return binding == kMostBinding; }
};
inline constexpr std::array<CountRow, 7> kCountRows{{
    {Count::Op::add, "+", 1},
    {Count::Op::subtract, "-", 1},
    {Count::Op::multiply, "*", 2},
    {Count::Op::ceil_div, "ceil_div", kMostBinding},
    {Count::Op::round_up, "round_up", kMostBinding},
    {Count::Op::min, "min", kMostBinding},
    {Count::Op::max, "max", kMostBinding},
}};
[[nodiscard]] constexpr const CountRow& row_of(Count::Op op) {
  return *std::ranges::find(kCountRows, op, &CountRow::op);
}

}  // namespace jute::plan
