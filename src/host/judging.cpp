// Chooses between all elements and a sample.
#include <jute/epilogue/types.hpp>
#include <jute/host/judging.hpp>

#include <cmath>
#include <utility>

namespace jute {
namespace {

constexpr double kMostProducts = 2e9;
constexpr Index kSampledElements = 4096;

}  // namespace

ComputedOperand cut_to_tf32(std::span<const std::byte> elements) {
  ComputedOperand operand{.value = decode(DType::f32, elements)};
  const std::vector<double> read = decode(DType::tf32, elements);
  for (std::size_t i = 0; i < read.size(); ++i)
    operand.error.push_back(std::isfinite(read[i]) ? std::abs(operand.value[i] - read[i]) : 0);
  return operand;
}

JudgedPart judged_part(const Problem& problem) {
  const double products = static_cast<double>(problem.batch) * static_cast<double>(problem.m) *
                          static_cast<double>(problem.n) * static_cast<double>(problem.k);
  return products <= kMostProducts ? JudgedPart::whole : JudgedPart::sample;
}

ExpectedResult expected_result(const Problem& problem, const HostOperands& operands,
                               const Judging& how, JudgedPart part) {
  if (part == JudgedPart::whole)
    return {reference_gemm(problem, operands, how.alpha, how.beta, how.u_acc)};
  auto elements = sample_elements(problem, kSampledElements, 1);
  Reference reference =
      reference_elements(problem, operands, elements, how.alpha, how.beta, how.u_acc);
  return {std::move(reference), std::move(elements)};
}

Judged judged(const Problem& problem, ExpectedResult expected, std::span<const std::byte> d) {
  const Verdict verdict = expected.sample
                              ? compare_elements(problem, expected.reference, *expected.sample, d)
                              : compare(problem, expected.reference, d);
  return {verdict, static_cast<Index>(expected.reference.value.size()),
          std::move(expected.reference)};
}

std::vector<JudgedOutput> judged_outputs(const Problem& problem, const HostOperands& operands,
                                         const std::vector<std::vector<std::byte>>& written,
                                         const Judging& how) {
  std::vector<JudgedOutput> outputs;
  if (written.size() < 2 || judged_part(problem) == JudgedPart::sample) return outputs;
  const std::vector<Reference> references =
      reference_outputs(problem, operands, how.alpha, how.beta, how.u_acc);
  for (size_t i = 0; i < references.size(); ++i)
    if (const EpilogueOutput& one = problem.epilogue->expression.outputs[i]; !is_d(one))
      outputs.push_back({one.name, compare_output(problem, i, references[i], written[i])});
  return outputs;
}

}  // namespace jute
