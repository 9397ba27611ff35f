#pragma once
// Views of a problem's operands, where order and strides do not say the same.
#include <jute/plan/ask/problem.hpp>

#include <string>
#include <vector>

#include "plan/ask/view_rules.hpp"

namespace jute::plan {

/// A rule of an operand's View that does not hold: `A.view`, and what of it.
struct BrokenView {
  std::string operand;
  BrokenViewRule rule;
};

/// Views become order and strides where these mean the same, else canonical ones, whose order says
/// along what neighbours lie. `most_m` rows are those of the longest run.
[[nodiscard]] std::vector<BrokenView> complete_views(Problem& problem, Index most_m);

/// Do two elements of D lie in one place? D is where its order and strides say.
[[nodiscard]] bool overlaps(const Matrix& d, Index rows, Index columns, Index batch);

}  // namespace jute::plan
