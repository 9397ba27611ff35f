#pragma once
// Whether a product is right: all of it where the reference is quick enough, else a sample.
#include <jute/base/export.hpp>
#include <jute/gemm/reference.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The numbers that the sums of a run are held to.
struct Judging {
  double alpha = 1.0, beta = 0.0;
  double u_acc = 0;  ///< unit roundoff of the accumulator
};

/// f32 elements, and how far tensor cores that read them as tf32 are off from each.
[[nodiscard]] ComputedOperand cut_to_tf32(std::span<const std::byte> elements);

/// How much of D is judged.
enum class JudgedPart : std::uint8_t { whole, sample };
/// A sample where the reference, which multiplies one pair after the other, would take minutes.
[[nodiscard]] JudgedPart judged_part(const Problem& problem);
/// The result that D must hold.
struct ExpectedResult {
  Reference reference;
  std::optional<std::vector<ResultElement>> sample{};  ///< of which elements; none: of all
};
[[nodiscard]] ExpectedResult expected_result(const Problem& problem, const HostOperands& operands,
                                             const Judging& how, JudgedPart part);

/// D against that.
struct Judged {
  Verdict verdict;
  Index elements = 0;     ///< how many were compared
  Reference reference{};  ///< with what
};
/// needs  a completed problem, here and below
[[nodiscard]] Judged judged(const Problem& problem, ExpectedResult expected,
                            std::span<const std::byte> d);

/// An output of the epilogue besides D.
struct JudgedOutput {
  std::string name;
  Verdict verdict;
};
/// All of them, by their places in `written`; none where the reference would take minutes.
[[nodiscard]] std::vector<JudgedOutput> judged_outputs(
    const Problem& problem, const HostOperands& operands,
    const std::vector<std::vector<std::byte>>& written, const Judging& how);

}  // namespace jute
