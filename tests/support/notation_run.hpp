#pragma once
// Contractions and convolutions of small whole numbers, run on a back end.
#include <jute/gemm/gemm.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace jute::test {

/// Types whose sums of small whole numbers are exact, with those of their results.
struct ExactTypes {
  DType operands = DType::f32, result = DType::f32;
};
[[nodiscard]] ExactTypes exact_types(std::uint64_t seed);

/// Problem with these types and no factors.
[[nodiscard]] Problem like_types(const ExactTypes& types);

/// D's memory behind a run of a problem whose operands' memory holds these numbers; before it, it
/// holds `d`.
[[nodiscard]] std::vector<double> run_product(Context& context, const Problem& problem,
                                              const std::vector<double>& a,
                                              const std::vector<double>& b,
                                              const std::vector<double>& d);

/// Runs those of `count` seeds from `first` on; what is not as loops over letters, or over outputs
/// and taps, make it, a line each.
[[nodiscard]] std::string failures_of_contractions(std::uint64_t first, int count);
[[nodiscard]] std::string failures_of_convolutions(std::uint64_t first, int count);

}  // namespace jute::test
