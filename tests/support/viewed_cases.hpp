#pragma once
// Problems whose operands have Views drawn at random.
#include "support/random_problem.hpp"

namespace jute::test {

/// Extents up to 100, views of up to eight modes of one operand or of several: gaps, broadcasts,
/// steps backwards, zeros outside; batches, ranges of M, epilogues.
[[nodiscard]] GemmCase viewed_case(const CaseTypes& types, int index);

/// A run of a problem that is prepared for Views with other numbers.
[[nodiscard]] GemmCase run_time_view_case(const CaseTypes& types, int index);

/// Of bf16 with runs of 16 bytes, for kernels to which TMA brings operands.
[[nodiscard]] GemmCase boxed_view_case(int index);

}  // namespace jute::test
