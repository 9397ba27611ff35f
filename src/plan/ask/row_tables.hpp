#pragma once
// Tables of rows in a problem: what must hold of it, and how many rows memory has.
#include <jute/plan/ask/problem.hpp>

#include <vector>

namespace jute::plan {

/// Tables say how many rows memory has where they did not. Every rule that does not hold.
[[nodiscard]] std::vector<Error> complete_row_tables(Problem& problem);

/// Is a row of A, or of D, what a table names?
[[nodiscard]] inline bool has_row_tables(const Problem& problem) {
  return problem.a.rows || problem.d.rows;
}

}  // namespace jute::plan
