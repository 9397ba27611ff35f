// Results against their reference: which elements lie outside their bound, and where.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <random>

#include "base/format.hpp"

namespace jute {
namespace gemm {
namespace {

/// The ends of D's type, beyond which a saturating one clamps; infinities where it does not.
struct Range {
  explicit Range(DType type)
      : low(decode(type, encode(type, std::numeric_limits<double>::lowest()))),
        high(decode(type, encode(type, std::numeric_limits<double>::max()))) {}
  double low, high;
};

bool is_within(DType type, double got, double value, double bound) {
  const double expected = rounded(type, value);
  if (std::isnan(expected)) return std::isnan(got);
  if (got == expected) return true;
  if (!std::isfinite(value)) return false;
  if (std::isinf(bound)) return true;
  // A result at the edge of D's range may round either way.
  if (std::isinf(got)) return rounded(type, std::copysign(std::abs(value) + bound, value)) == got;
  return std::abs(got - value) <= bound;
}

class Comparison {
 public:
  explicit Comparison(DType type) : type_(type), range_(type) { verdict_.type = type; }

  void add(const ResultElement& element, double got, const Reference& reference, size_t at) {
    double value = reference.value[at];
    const double bound = reference.bound[at];
    if (std::isfinite(value)) value = std::clamp(value, range_.low, range_.high);
    const bool is_right = reference.lies.empty() ? is_within(type_, got, value, bound)
                                                 : reference.lies[at].contains(got);
    if (!is_right) {
      if (verdict_.wrong++ == 0) first_wrong_ = element;
    }
    if (!std::isfinite(value) || !std::isfinite(bound) || !std::isfinite(got)) return;
    const double error = std::abs(got - value);
    if (error > 0) {
      const double ratio = bound > 0 ? error / bound : std::numeric_limits<double>::infinity();
      verdict_.worst_ratio = std::max(verdict_.worst_ratio, ratio);
    }
    if (any_ && error <= verdict_.worst_error) return;
    any_ = true;
    verdict_.worst_error = error;
    verdict_.worst_bound = bound;
    verdict_.worst_rounding = std::abs(rounded(type_, value) - value);
    worst_ = element;
  }

  [[nodiscard]] Verdict verdict() const {
    Verdict result = verdict_;
    result.ok = result.wrong == 0;
    const ResultElement& shown = result.ok ? worst_ : first_wrong_;
    result.batch = shown.batch;
    result.row = shown.row;
    result.col = shown.col;
    return result;
  }

 private:
  DType type_;
  Range range_;
  Verdict verdict_;
  bool any_ = false;
  ResultElement first_wrong_, worst_;
};

void require_size(const Reference& reference, size_t elements) {
  const bool has_all = reference.lies.empty() || reference.lies.size() == elements;
  if (reference.value.size() == elements && reference.bound.size() == elements && has_all) return;
  refuse(ErrorCode::out_of_range, "reference", base::format("{} elements", reference.value.size()),
         "each element must have a value and a bound", base::format("{} elements", elements));
}

}  // namespace
}  // namespace gemm

Verdict compare(const Problem& given, const Reference& reference, std::span<const std::byte> d) {
  const Problem problem = completed(given);
  const gemm::HostMatrix matrix("d", problem.d, extents_of(problem, TensorRole::d), d);
  const Index matrices = gemm::matrices_of_d(problem), rows = rows_in_memory(problem.d, problem.m);
  const Index elements = rows * problem.n * matrices;
  gemm::require_size(reference, static_cast<size_t>(elements));
  gemm::Comparison comparison(problem.d.type);
  size_t at = 0;
  for (Index batch = 0; elements != 0 && batch < matrices; ++batch)
    for (Index row = 0; row < rows; ++row)
      for (Index col = 0; col < problem.n; ++col, ++at)
        comparison.add({batch, row, col}, matrix.at(batch, row, col), reference, at);
  return comparison.verdict();
}

Verdict compare_output(const Problem& given, std::size_t place, const Reference& reference,
                       std::span<const std::byte> output) {
  const Problem problem = completed(given);
  const EpilogueOperand& operand = problem.epilogue->outputs.at(place);
  const MatrixExtents extents = gemm::values_of_output(problem, place);
  const gemm::HostMatrix matrix =
      gemm::host_matrix(problem, output_role(static_cast<int>(place)), output);
  const Index elements = extents.rows * extents.cols * extents.batch;
  gemm::require_size(reference, static_cast<size_t>(elements));
  gemm::Comparison comparison(operand.type);
  size_t at = 0;
  for (Index batch = 0; elements != 0 && batch < extents.batch; ++batch)
    for (Index row = 0; row < extents.rows; ++row)
      for (Index col = 0; col < extents.cols; ++col, ++at)
        comparison.add({batch, row, col}, matrix.at(batch, row, col), reference, at);
  return comparison.verdict();
}

Verdict compare_elements(const Problem& given, const Reference& reference,
                         std::span<const ResultElement> elements, std::span<const std::byte> d) {
  const Problem problem = completed(given);
  const gemm::HostMatrix matrix("d", problem.d, extents_of(problem, TensorRole::d), d);
  gemm::require_size(reference, elements.size());
  gemm::Comparison comparison(problem.d.type);
  for (size_t i = 0; i < elements.size(); ++i) {
    const ResultElement& element = elements[i];
    comparison.add(element, matrix.at(element.batch, element.row, element.col), reference, i);
  }
  return comparison.verdict();
}

std::vector<ResultElement> sample_elements(const Problem& problem, Index count,
                                           std::uint64_t seed) {
  const Index rows = rows_in_memory(problem.d, problem.m);
  if (rows == 0 || problem.n == 0 || problem.batch == 0) return {};
  std::vector<ResultElement> result;
  for (const Index batch : {Index{0}, problem.batch - 1})
    for (const Index row : {Index{0}, rows - 1})
      for (const Index col : {Index{0}, problem.n - 1}) result.push_back({batch, row, col});
  std::mt19937_64 random(seed);
  const auto below = [&](Index extent) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(extent));
  };
  for (Index i = 0; i < count; ++i) {
    const Index batch = below(problem.batch), row = below(rows), col = below(problem.n);
    result.push_back({batch, row, col});
  }
  return result;
}

std::string to_string(const Verdict& verdict) {
  const std::string place = base::format("({},{},{})", verdict.batch, verdict.row, verdict.col);
  const std::string rounding = verdict.worst_rounding > 0
                                   ? base::format(", of which {:.3g} by rounding to {},",
                                                  verdict.worst_rounding, name(verdict.type))
                                   : "";
  const std::string worst =
      base::format("error {:.3g}{} where {:.3g} is legal, at most {:.3g} of the bound",
                   verdict.worst_error, rounding, verdict.worst_bound, verdict.worst_ratio);
  if (verdict.ok) return base::format("ok: {}, at {}", worst, place);
  return base::format("{} wrong, first at {}; {}", verdict.wrong, place, worst);
}

std::ostream& operator<<(std::ostream& out, const Verdict& verdict) {
  return out << to_string(verdict);
}

}  // namespace jute
