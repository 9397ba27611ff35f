#pragma once
// Problems drawn at random whose rows of A, of D or of both are named by tables, with and without
// groups.
#include "support/random_problem.hpp"

namespace jute::test {

/// Tables with rows that are none, that several name (of A), and that are no rows of memory.
[[nodiscard]] GemmCase row_table_case(const CaseTypes& types, int index);

}  // namespace jute::test
