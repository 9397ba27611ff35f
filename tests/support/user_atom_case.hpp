#pragma once
// Whole GEMMs with a user's atom.
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/user_atoms.hpp"

namespace jute::test {

/// Integers, with edges in every dimension; `order` of A and B, which decides between matrix loads
/// and gathers.
inline GemmCase user_atom_case(const UserAtom& atom, Order order) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = 130;
  problem.n = 75;
  problem.k = 104;
  problem.a.type = problem.b.type = atom.ab;
  problem.a.order = problem.b.order = order;
  problem.c.type = problem.d.type = atom.accumulate;
  problem.accumulate = atom.accumulate;
  result.alpha = 2.0;
  result.beta = -1.0;
  result.seed = 5;
  result.config.mma_atom = std::string(atom.name);
  return result;
}

/// What went wrong with any of them, a paragraph each; that the disagreeing row is right counts.
inline std::string user_atom_failures(Context& context) {
  std::string failures;
  for (const UserAtom& atom : kUserAtoms)
    for (const Order order : {Order::row, Order::col}) {
      const GemmCase gemm_case = user_atom_case(atom, order);
      const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
      const std::string label = std::string(atom.name) + ": ";
      if (atom.is_right && !outcome.failures.empty())
        failures += label + describe(gemm_case, outcome) + "\n";
      if (!atom.is_right && outcome.verdict.ok) failures += label + "gives a right product\n";
    }
  return failures;
}

inline ContextOptions with_user_catalogue() {
  ContextOptions options = with_kept_kernels();
  options.catalogue = with_user_atoms();
  return options;
}

}  // namespace jute::test
