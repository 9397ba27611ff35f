#pragma once
// What prepare leaves behind for run.
#include <jute/gemm/gemm.hpp>
#include <jute/plan/choose/width_choices.hpp>

#include <array>
#include <memory>
#include <vector>

#include "gemm/kernel_store.hpp"
#include "gemm/run_rules.hpp"

namespace jute {
namespace gemm {

/// One of the kernels that a run may launch, behind what prepares its operands.
struct PreparedKernel {
  RunRules rules;
  WidthChoices choices;
  /// Where its workspace begins in the one that all share: what must be zero lies together, right
  /// before what need not.
  Index workspace_offset = 0;
  std::array<bool, 2> reads_packed = {};  ///< what packing makes of A, of B
  std::shared_ptr<const CompiledSteps> steps = {};

  /// Does it read the copies that the run gives it?
  [[nodiscard]] bool reads_copies_of(const RunValues& run) const {
    const auto may = [&](size_t operand) {
      return run.copies.at(operand).base == 0 || reads_packed.at(operand);
    };
    return may(0) && may(1);
  }
};

struct PreparedGemm {
  Problem problem;  ///< completed, without a range
  Config config;
  std::shared_ptr<const Catalogue> catalogue;
  std::vector<Plan> plans;
  std::vector<PreparedKernel> kernels;  ///< one a plan
  Index workspace_bytes = 0, zeroed_bytes = 0;
  std::vector<std::string> passed_over{};  ///< kernels that were planned first, and why not
  bool overlaps = true;                    ///< may kernels begin before the one ahead has ended?

  /// The kernel that a run launches, and what that says of its tiles.
  [[nodiscard]] KernelAndWidth serving(const RunValues& run) const;
};

struct JointGemm;

}  // namespace gemm

struct Gemm::Impl {
  std::shared_ptr<const gemm::PreparedGemm> prepared;  ///< of several parts the first's
  std::shared_ptr<const gemm::JointGemm> joint{};      ///< of several parts of D
  size_t usual = 0;                                    ///< the kernel of the prepared numbers
  PrepareTimes times;
};

}  // namespace jute
