// Instructions, found once.
#include "plan/choose/asked.hpp"

#include "plan/chip/line.hpp"
#include "plan/choose/instructions.hpp"

namespace jute::plan {

const std::vector<MmaAtom>& Asked::atoms() {
  if (!atoms_) atoms_ = instructions(problem, device, config, catalogue);
  return *atoms_;
}

bool Asked::has_wgmma() {
  if (!has_wgmma_) has_wgmma_ = plan::has_wgmma(problem, device, config, catalogue);
  return *has_wgmma_;
}

bool needs_copies(const KernelProblem& problem) {
  const auto is_copied = [](const KernelMatrix& matrix) {
    return matrix.access_bytes < kChunk || matrix.view;
  };
  return is_copied(problem.a) || is_copied(problem.b);
}

}  // namespace jute::plan
