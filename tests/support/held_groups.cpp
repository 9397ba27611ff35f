// Held problems of groups, tables of rows and gates, and those whose operands have scales.
#include <jute/plan/ask/epilogue.hpp>

#include <array>

#include "support/gated_cases.hpp"
#include "support/gemm_families.hpp"
#include "support/grouped_cases.hpp"
#include "support/held_problems.hpp"
#include "support/row_table_cases.hpp"
#include "support/scaled_problem.hpp"

namespace jute::test {
namespace {

const CaseTypes& types_by_turns(int index) {
  return kTypeFamilies.at(static_cast<std::size_t>(index) % kTypeFamilies.size()).types;
}

HeldProblem grown_one(StableDraws& draws, const GemmCase& one) {
  HeldProblem held{held_chip(draws), {one.problem}, one.config};
  grow(draws, held.parts.front());
  return held;
}

/// Groups of one of grouped_case's five kinds.
HeldProblem of_kind(StableDraws& draws, int index, int kind) {
  constexpr int kKindsOfGroups = 5;
  const int number = static_cast<int>(draws.below(1 << 20));
  return grown_one(draws, grouped_case(types_by_turns(index), number * kKindsOfGroups + kind));
}

int drawn_number(StableDraws& draws) { return static_cast<int>(draws.below(1 << 20)); }

void set_groups(StableDraws& draws, Problem& problem, GroupKind kind) {
  problem.batch = 1 + draws.below(draws.one_in(4) ? 64 : 9);
  problem.groups = Groups{.kind = kind, .expected = draws.one_in(2) ? draws.extent(9) : 0};
  for (OperandScale* scale : {&problem.scale_a, &problem.scale_b})
    for (auto* numbers : {&scale->scale, &scale->zero})
      if (*numbers) (*numbers)->broadcast = false;
}

}  // namespace

HeldProblem held_rows(StableDraws& draws, int index) { return of_kind(draws, index, index % 2); }
HeldProblem held_cols(StableDraws& draws, int index) { return of_kind(draws, index, 2); }
HeldProblem held_masked_rows(StableDraws& draws, int index) { return of_kind(draws, index, 3); }
HeldProblem held_groups_of_k(StableDraws& draws, int index) { return of_kind(draws, index, 4); }

HeldProblem held_each(StableDraws& draws, int index) {
  HeldProblem held{held_chip(draws), {Problem{}}};
  Problem& problem = held.parts.front();
  const CaseTypes& types = types_by_turns(index);
  problem.a.type = types.a, problem.b.type = types.b;
  problem.c.type = types.c, problem.d.type = types.d;
  problem.accumulate = types.accumulate;
  problem.m = draws.extent(11), problem.n = draws.extent(11), problem.k = draws.extent(12);
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
    matrix->order = draws.order();
    if (draws.one_in(4)) matrix->alignment_bytes = width_bytes(matrix->type);
  }
  problem.alpha = draws.one_in(2) ? Factor::one : Factor::run_time;
  problem.beta = draws.one_in(2) ? Factor::zero : Factor::run_time;
  if (types.accumulate == DType::f32 && draws.one_in(4))
    problem.epilogue =
        Epilogue{.expression = parse_epilogue("relu(s[batch]*acc + bias[batch,n]) + beta*c")};
  set_groups(draws, problem, GroupKind::each);
  return held;
}

HeldProblem held_row_tables(StableDraws& draws, int index) {
  return grown_one(draws, row_table_case(types_by_turns(index), drawn_number(draws)));
}

HeldProblem held_gate(StableDraws& draws, int index) {
  return grown_one(draws, gated_case(types_by_turns(index), drawn_number(draws)));
}

HeldProblem held_scaled(StableDraws& draws, int index) {
  const int number = drawn_number(draws);
  return grown_one(draws, index % 4 == 0 ? converted_epilogue_case(number) : scaled_case(number));
}

HeldProblem held_scaled_products(StableDraws& draws, int /*index*/) {
  return grown_one(draws, scaled_product_case(drawn_number(draws)));
}

/// Of those that a chip of another main loop converts, the choice of one is left out.
HeldProblem held_fragments(StableDraws& draws, int index) {
  HeldProblem held = grown_one(draws, fragments_case(drawn_number(draws)));
  if (index % 3 != 0) held.chip = "h200";
  if (index % 2 == 0) held.config = {};
  return held;
}

HeldProblem held_scaled_groups(StableDraws& draws, int index) {
  constexpr std::array kKinds{GroupKind::rows, GroupKind::masked_rows, GroupKind::k,
                              GroupKind::each, GroupKind::cols};
  const int number = drawn_number(draws);
  if (index % 4 == 0) return grown_one(draws, converted_group_case(number));
  if (index % 4 == 1) return grown_one(draws, copied_group_case(number));
  HeldProblem held =
      grown_one(draws, index % 4 == 2 ? scaled_product_case(number) : scaled_case(number));
  set_groups(draws, held.parts.front(), draws.from(kKinds));
  return held;
}

}  // namespace jute::test
