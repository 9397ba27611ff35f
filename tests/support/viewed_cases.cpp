// Draws extents, then who has a View.
#include "support/viewed_cases.hpp"

#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>

#include "support/random_view.hpp"

namespace jute::test {
namespace {

void draw_view(ViewDraw& draw, Matrix& matrix, Index rows, Index columns, Index batch) {
  if (draw.one_in(4)) {
    matrix.order = draw.one_in(2) ? Order::row : Order::col;
    return;
  }
  const Index run = draw.one_in(2) ? 16 / width_bytes(matrix.type) : 1;
  matrix.view = draw.one_in(5) ? draw.padded_view(rows, columns, batch)
                               : draw.view(rows, columns, batch, Oddity::any, run);
}

void draw_problem(ViewDraw& draw, Problem& problem, const CaseTypes& types, Index most) {
  problem.m = draw.extent(most);
  problem.n = draw.extent(most);
  problem.k = draw.extent(most);
  problem.batch = draw.one_in(3) ? 1 + draw.below(3) : 1;
  problem.a.type = types.a;
  problem.b.type = types.b;
  problem.c.type = types.c;
  problem.d.type = types.d;
  problem.accumulate = types.accumulate;
}

}  // namespace

GemmCase viewed_case(const CaseTypes& types, int index) {
  ViewDraw draw(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(types.a));
  GemmCase gemm_case;
  gemm_case.seed = static_cast<std::uint64_t>(index);
  Problem& problem = gemm_case.problem;
  draw_problem(draw, problem, types, 100);
  draw_view(draw, problem.a, problem.m, problem.k, problem.batch);
  draw_view(draw, problem.b, problem.n, problem.k, problem.batch);
  if (draw.one_in(2)) problem.c.view = draw.view(problem.m, problem.n, problem.batch, Oddity::any);
  if (draw.one_in(2))
    problem.d.view = draw.view(problem.m, problem.n, problem.batch, Oddity::places_of_their_own,
                               draw.one_in(2) ? 16 / width_bytes(types.d) : 1);
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    if (draw.one_in(3)) matrix->alignment_bytes = width_bytes(matrix->type);
  if (draw.one_in(4)) problem.m_range = MRange{std::max<Index>(1, problem.m / 2), problem.m};
  if (draw.one_in(5) && problem.accumulate == DType::f32)
    problem.epilogue = Epilogue{.expression = parse_epilogue("relu(alpha*acc + bias[n]) + beta*c")};
  // A third are packed, a third walked, the rest as the planner has it.
  if (!draw.one_in(3)) gemm_case.config.pad = draw.one_in(2);
  problem.alpha = draw.one_in(2) ? Factor::one : Factor::run_time;
  if (problem.alpha == Factor::run_time) gemm_case.alpha = 2;
  gemm_case.beta = draw.one_in(3) ? 0 : 1;
  return gemm_case;
}

GemmCase run_time_view_case(const CaseTypes& types, int index) {
  ViewDraw draw(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(types.a) + 7);
  GemmCase one;
  one.seed = static_cast<std::uint64_t>(index);
  Problem& problem = one.problem;
  draw_problem(draw, problem, types, 60);
  problem.alpha = Factor::one;
  one.beta = draw.one_in(2) ? 1 : 0;
  Problem planned = problem;
  struct Place {
    Matrix Problem::*matrix;
    Index rows, columns;
  };
  int views = 0;
  for (const auto& [matrix, rows, columns] :
       {Place{&Problem::a, problem.m, problem.k}, Place{&Problem::b, problem.n, problem.k},
        Place{&Problem::c, problem.m, problem.n}, Place{&Problem::d, problem.m, problem.n}}) {
    if (draw.one_in(3) && !(matrix == &Problem::d && views == 0)) continue;
    ++views;
    View view = draw.view(rows, columns, problem.batch, Oddity::places_of_their_own);
    view.numbers = ViewNumbers::run_time;
    (planned.*matrix).view = view;
    (problem.*matrix).view = draw.with_other_numbers(view);
  }
  one.prepared = planned;
  return one;
}

GemmCase boxed_view_case(int index) {
  constexpr Index kRun = 8;
  ViewDraw draw(static_cast<std::uint64_t>(index) + 100);
  const auto extent = [&] { return kRun * (1 + draw.below(20)); };
  GemmCase one;
  Problem& problem = one.problem;
  problem.m = extent();
  problem.n = extent();
  problem.k = extent();
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    matrix->type = DType::bf16;
  problem.accumulate = DType::f32;
  problem.batch = draw.one_in(3) ? 2 : 1;
  problem.a.view = draw.view(problem.m, problem.k, problem.batch, Oddity::any, kRun);
  problem.b.order = Order::col;
  if (draw.one_in(2))
    problem.b.view = draw.view(problem.n, problem.k, problem.batch, Oddity::any, kRun);
  if (draw.one_in(2))
    problem.d.view =
        draw.view(problem.m, problem.n, problem.batch, Oddity::places_of_their_own, kRun);
  if (draw.one_in(2))
    problem.c.view = problem.d.view && draw.one_in(2)
                         ? problem.d.view
                         : draw.view(problem.m, problem.n, problem.batch, Oddity::any, kRun);
  one.config.main_loop = MainLoop::warp_specialised;
  one.seed = static_cast<std::uint64_t>(index);
  return one;
}

}  // namespace jute::test
