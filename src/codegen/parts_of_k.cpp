// Fills the pieces in which lanes and groups of threads add up what they found.
#include "codegen/parts_of_k.hpp"

#include <bit>

namespace jute::codegen {
namespace {

Index groups_of_k(const GemmStep& step) {
  return size(step.mma.atom_layout()[2]) >> std::popcount(unsigned(step.schedule.lanes_of_k));
}

}  // namespace

std::string parts_of_k_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const Index groups = groups_of_k(step);
  return constant("kPartsOfK", groups, "that groups of threads take") +
         constant("kLanesOfK", step.schedule.lanes_of_k, "bits of lanes that share out K") +
         constant("kDrainThreads", step.threads / groups, "of the first group, which drains") +
         constant("kSumElems", sums_in_an_access(step, kernel.accumulators),
                  "sums that a thread leaves at a time");
}

std::string drained_by_first(const Kernel& kernel, std::string drain) {
  const auto in = [&](const char* piece) {
    drain = Piece(kernel.templates, piece).fill("drain", drain).text();
  };
  if (kernel.step.schedule.lanes_of_k != 0) in("mainloop/parts_of_k.cu (lanes)");
  if (groups_of_k(kernel.step) > 1) in("mainloop/parts_of_k.cu");
  return drain;
}

}  // namespace jute::codegen
