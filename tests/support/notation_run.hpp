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

/// D's memory behind a run of a product whose operands' memory holds these numbers; before it, it
/// holds `d`.
[[nodiscard]] std::vector<double> run_product(Context& context, const Gemm& gemm,
                                              const std::vector<double>& a,
                                              const std::vector<double>& b,
                                              const std::vector<double>& d);

/// What products of a back end came to.
struct NotationRuns {
  std::string failures;  ///< what is not as the loops make it, a line each
  int by_maps = 0;       ///< cases of which TMA moved an operand, or D, by a View's map
  NotationRuns& operator+=(const NotationRuns& other);
};

/// Of which numbers.
enum class NotationExtents : std::uint8_t {
  any,      ///< small ones
  aligned,  ///< what lies next to each other is a multiple of 16 bytes, as TMA needs it
};

/// Runs those of `count` seeds from `first` on, against loops over letters, or over outputs and
/// taps.
[[nodiscard]] NotationRuns run_contractions(Context& context, std::uint64_t first, int count,
                                            NotationExtents extents = NotationExtents::any);
[[nodiscard]] NotationRuns run_convolutions(Context& context, std::uint64_t first, int count,
                                            NotationExtents extents = NotationExtents::any);
/// Their failures on the emulator.
[[nodiscard]] std::string failures_of_contractions(std::uint64_t first, int count);
[[nodiscard]] std::string failures_of_convolutions(std::uint64_t first, int count);

}  // namespace jute::test
