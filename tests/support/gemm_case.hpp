#pragma once
// One GEMM through a back end, with everything around it watched.
#include "support/random_problem.hpp"

#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace jute::test {

/// The operands of a case and what its result must be; the same wherever it runs.
struct CaseData {
  std::vector<std::byte> a, b, c;                ///< whole buffers; padding holds NaN
  std::vector<std::byte> d{};                    ///< before the run, where rows are added to it
  std::vector<std::vector<std::byte>> inputs{};  ///< of the epilogue
  std::vector<double> input_values{};
  std::vector<Index> ends{};                                        ///< of groups
  std::vector<Index> rows_a{}, rows_d{};                            ///< of tables
  std::vector<std::byte> scale_a{}, scale_b{}, zero_a{}, zero_b{};  ///< of the operands' blocks
  Reference reference;
  std::vector<Reference> outputs{};  ///< of the epilogue
};
[[nodiscard]] CaseData make_data(const GemmCase& gemm_case);

struct CaseOutcome {
  std::vector<std::string> failures;              ///< empty: all is well
  std::vector<std::byte> d;                       ///< the whole buffer, padding included
  std::vector<std::vector<std::byte>> outputs{};  ///< of the epilogue, likewise
  Verdict verdict;
};

/// Prepares and runs the case, then judges D by the reference and checks that nothing else changed:
/// A, B and C, the padding of D, and the guard bytes round all four. Bases are aligned to exactly
/// what the problem promises where guards leave room for it. Refusals and findings of the back end
/// are failures.
[[nodiscard]] CaseOutcome run_case(Context& context, const GemmCase& gemm_case,
                                   const CaseData& data);
/// Runs cases 0 … count-1 of the types; what went wrong, a paragraph a case.
[[nodiscard]] std::vector<std::string> failures_of(Context& context, const CaseTypes& types,
                                                   int count);
/// The failures of a case in one text, with the case itself; empty when there are none.
[[nodiscard]] std::string describe(const GemmCase& gemm_case, const CaseOutcome& outcome);

}  // namespace jute::test
