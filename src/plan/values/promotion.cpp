// When sums leave the tensor core, and what they have lost there.
#include "plan/values/promotion.hpp"

#include <algorithm>
#include <cmath>

#include "plan/values/products.hpp"

namespace jute {
namespace {

/// wgmma aligns the products of a step and the sum before it to the largest of them, and keeps 13
/// bits below that of 8-bit floats.
bool cuts_sums(const GemmStep& step) {
  return is_wgmma(step.mma.atom().form) && plan::is_small_float(step.a.type);
}

}  // namespace

double sum_roundoff(const GemmStep& step, Index k) {
  if (step.accumulate == DType::s32) return 0;
  const bool is_thread =
      step.mma.atom().form == MmaForm::fma || step.mma.atom().form == MmaForm::dp;
  const bool is_exact_step = is_thread || step.accumulate == DType::f64;
  const double full = std::ldexp(1.0, -precision_bits(step.accumulate) + (is_exact_step ? 0 : 1));
  const bool is_split = !step.products.empty();
  if (!cuts_sums(step) && !is_split) return full;
  constexpr double kCut = 0x1p-13, kTermsOfAStep = 32;
  constexpr double kTermsGrow = 1 + 0x1p-6;  // magnitudes of terms, beside those of what is split
  // Of an element of A by one of B, each of its own products.
  const double products = std::max(1.0, static_cast<double>(step.products.size()));
  const double all = static_cast<double>(k) * products;
  const double run =
      step.promote_every_k > 0 ? std::min(all, step.promote_every_k * products) : all;
  // Each term, the sum in each step.
  const double cut =
      cuts_sums(step) ? (run + std::ceil(run / kTermsOfAStep) + 2) * kCut : run * full;
  const double sums = step.promote_every_k > 0
                          ? std::ceil(all / std::max(run, 1.0)) + step.schedule.slices - 1
                          : step.schedule.slices - 1;
  const double error = cut + (sums + 2) * full;
  return (is_split ? kTermsGrow * error + plan::split_error(step) : error) /
         (static_cast<double>(k) + 2);
}

}  // namespace jute

namespace jute::plan {

bool is_small_float(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

int usual_promotion(const KernelProblem& problem, int tile_k) {
  constexpr int kUsual = 128, kOfTerms = 64;
  const bool is_split = !problem.products.empty();
  if (problem.accumulate != DType::f32 || !(is_split || is_small_float(problem.a.type))) return 0;
  const int usual = is_split ? kOfTerms : kUsual;
  return std::max(tile_k, usual / std::max(tile_k, 1) * tile_k);
}

int promotion(const KernelProblem& problem, const Config& config, int tile_k) {
  return config.promote ? *config.promote : usual_promotion(problem, tile_k);
}

}  // namespace jute::plan
