// Facts of a problem that several families need.
#include "plan/choose/families/asked.hpp"

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/choose/families/instructions.hpp"

namespace jute::plan {

const std::vector<MmaAtom>& Asked::atoms() {
  if (!atoms_) atoms_ = instructions(problem, device, config, catalogue);
  return *atoms_;
}

bool Asked::has_wgmma() {
  if (!has_wgmma_) has_wgmma_ = plan::has_wgmma(problem, device, config, catalogue);
  return *has_wgmma_;
}

bool Asked::are_for_warps() {
  return atoms().front().form == MmaForm::mma &&
         (has_stored(problem) || !has_wgmma() || needs_copies(problem) || problem.c.view ||
          problem.d.view || has_row_tables(problem) || config.main_loop == MainLoop::multistage);
}

bool Asked::are_warps_ranked() {
  return is_ranked(config) && config.specialize != Specialize::generic && are_for_warps();
}

bool needs_copies(const KernelProblem& problem) {
  const auto is_copied = [](const KernelMatrix& matrix) {
    return matrix.access_bytes < kChunk || matrix.view;
  };
  return is_copied(problem.a) || is_copied(problem.b);
}

}  // namespace jute::plan
