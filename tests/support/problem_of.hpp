#pragma once
// Problems in one line.
#include <jute/plan/ask/problem.hpp>

namespace jute::test {

struct ProblemTypes {
  DType ab = DType::f32, cd = DType::f32;
};
struct ProblemOrders {
  Order a = Order::row, b = Order::row;
};

/// Packed row-major D = alpha * A·B + beta * C with scale factors of the run.
inline Problem problem_of(Index m, Index n, Index k, ProblemTypes types = {},
                          ProblemOrders orders = {}) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.a.type = problem.b.type = types.ab;
  problem.c.type = problem.d.type = types.cd;
  problem.a.order = orders.a;
  problem.b.order = orders.b;
  return problem;
}

}  // namespace jute::test
