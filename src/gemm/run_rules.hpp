#pragma once
// What a run may not ask of a prepared GEMM.
#include <jute/epilogue/types.hpp>
#include <jute/plan/run/number_rules.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <vector>

namespace jute::gemm {

/// How many values an output gathers of each matrix of a run; 0 of one that holds every element.
[[nodiscard]] Index gathered_values(EpilogueGather gather, const RunValues& run);

/// The facts that the launches of a plan rest on, collected once.
class RunRules {
 public:
  /// The workspace may be larger than the plan's own.
  RunRules(const Plan& plan, Index workspace_bytes);

  /// Is the workspace large enough for the run?
  [[nodiscard]] bool has_room(const RunValues& run) const;
  /// The first broken rule:
  ///   throws  misaligned, illegal_problem, out_of_range
  void check(const RunValues& run) const;
  /// The same of a copy that is to be made of an operand.
  void check_packing(TensorRole operand, DevicePointer packed, const RunValues& run) const;

 private:
  /// Bytes: of what must be zero, and of all, that behind the planned zeros.
  struct Need {
    Index zeroed, all;
  };
  [[nodiscard]] Need need(const RunValues& run) const;
  void check_scales(const RunValues& run) const;
  void check_addresses(const RunValues& run) const;
  void check_epilogue_addresses(const RunValues& run) const;
  void check_operand(TensorRole operand, const RunValues& run) const;
  void check_copied(TensorRole operand, DevicePointer packed) const;
  void check_workspace(const RunValues& run) const;

  Problem problem_;
  std::vector<WorkspaceRegion> workspace_;
  Index workspace_bytes_, zeroed_bytes_;
  std::array<bool, 2> moved_{};   // A and B: does a step copy them?
  std::array<bool, 2> summed_{};  // does a step add them up?
  DType compute_;                 // what scale factors are held in
  CRead c_read_;
  NumberRules numbers_;
};

}  // namespace jute::gemm
