#pragma once
// What a run may not ask of a prepared GEMM.
#include "gemm/run_values.hpp"

#include <vector>

namespace jute::gemm {

/// A number that a kernel holds as a literal.
struct BakedNumber {
  Field field;
  Index value;
};

/// A stride that a kernel walks in whole vectors.
struct StrideRule {
  Field field;
  int multiple_of;
  bool batch_only;  // matters when there is more than one matrix
};

/// What the launches of a plan rest on, collected once.
class RunRules {
 public:
  explicit RunRules(const Plan& plan);

  /// The first broken rule:
  ///   throws  misaligned, illegal_problem, out_of_range
  void check(const RunValues& values, const GemmArgs& args) const;

 private:
  void add_step(const GemmStep& step);
  [[nodiscard]] bool is_padded(Field field) const;
  void check_numbers(const RunValues& values) const;
  void check_scales(const RunValues& values) const;
  void check_addresses(const RunValues& values) const;

  Problem problem_;
  Index workspace_bytes_;
  std::vector<PadStep> pads_;
  std::vector<BakedNumber> baked_;
  std::vector<StrideRule> strides_;
};

}  // namespace jute::gemm
