#pragma once
// Short names of orders, for tables of cases.
#include <jute/plan/ask/problem.hpp>

namespace jute::test {

inline constexpr Order kRow = Order::row, kCol = Order::col;

}  // namespace jute::test
