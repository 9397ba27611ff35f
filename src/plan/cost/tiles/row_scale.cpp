// Constants of an H200 in clocks of other chips, and the floor below all models.
#include "plan/cost/tiles/row_scale.hpp"

#include <algorithm>

#include "plan/chip/chip_rates.hpp"
#include "plan/cost/tiles/least_bytes.hpp"

namespace jute::plan {
namespace {

constexpr double kFittedThreads = 128;  // multiply-adds of an SM of the H200

/// What of a problem is a floor: clocks follow from a row.
struct LeastWork {
  double multiply_adds, bytes;
  DType operand, accumulate;
};

RowScale scale_of(const LeastWork& work, MmaForm form, const DeviceInfo& device) {
  const ChipRates rates = chip_rates(device);
  const double each = multiply_adds(device, form, work.operand, work.accumulate) * rates.sms;
  const double threads = multiply_adds(device, MmaForm::fma, DType::f32, DType::f32);
  return {.memory = memory_beside_fitted(device),
          .threads = kFittedThreads / threads,
          .least = std::max(work.multiply_adds / each * rates.of_fastest_clock,
                            work.bytes / rates.sheet_bytes)};
}

double products_of(const std::vector<TermProduct>& products) {
  return static_cast<double>(std::max<size_t>(products.size(), 1));
}

double multiply_adds_of(const Extent& m, const Extent& n, const Extent& k, const Extent& batch) {
  const auto count = [](const Extent& extent) { return static_cast<double>(extent.value); };
  return count(m) * count(n) * count(k) * count(batch);
}

}  // namespace

RowScale row_scale(const KernelProblem& problem, MmaForm form, const DeviceInfo& device) {
  return scale_of(
      {.multiply_adds = products_of(problem.products) *
                        multiply_adds_of(problem.m, problem.n, problem.k, problem.batch),
       .bytes = least_bytes_of_a(problem) + least_bytes_of_b(problem) + least_bytes_of_d(problem),
       .operand = problem.a.type,
       .accumulate = problem.accumulate},
      form, device);
}

RowScale row_scale(const WorkProblem& problem, MmaForm form, const DeviceInfo& device) {
  return scale_of(
      {.multiply_adds = products_of(problem.products) *
                        multiply_adds_of(problem.m, problem.n, problem.k, problem.batch),
       .bytes = problem.a.bytes + problem.b.bytes + problem.d.bytes,
       .operand = problem.a.type,
       .accumulate = problem.accumulate},
      form, device);
}

void hold_above_least(Prediction& prediction, const RowScale& scale) {
  const double missing = scale.least - prediction.clocks;
  if (missing <= 0) return;
  double& longer = prediction.work >= prediction.memory ? prediction.work : prediction.memory;
  longer += missing;
  prediction.clocks += missing;
}

}  // namespace jute::plan
