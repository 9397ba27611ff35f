// Fills the templates of kernels whose fragments come straight from global memory.
#include "codegen/straight.hpp"

#include <jute/emit/constants.hpp>

#include <bit>
#include <numeric>

#include "codegen/epilogue.hpp"
#include "codegen/gathers.hpp"
#include "codegen/mma.hpp"
#include "codegen/parameters.hpp"

namespace jute::codegen {
namespace {

bool overlaps(const GemmStep& step) { return step.order == LaunchOrder::overlap_previous; }

/// Groups of threads that share out K.
Index groups_of_k(const GemmStep& step) {
  return size(step.mma.atom_layout()[2]) >> std::popcount(unsigned(step.schedule.lanes_of_k));
}

std::string release_piece(const GemmStep& step, Release when) {
  return step.schedule.releases == when ? "release_next_kernel();\n" : "";
}

}  // namespace

std::string straight_prelude(const Kernel& kernel) {
  std::string result;
  if (overlaps(kernel.step)) result += "\n" + text(kernel, "prelude/dependent_launch.cu");
  if (kernel.step.a.shifted || kernel.step.b.shifted)
    result += "\n" + text(kernel, "prelude/vector_access.cu (chunks)") + "\n" +
              text(kernel, "prelude/vector_access.cu (chunks of rows)");
  if (!gather_constants(kernel.step).empty())
    result += "\n" + text(kernel, "prelude/arrivals.cu") + "\n" +
              text(kernel, "prelude/group_barrier.cu");
  return result;
}

std::string straight_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const Index accumulators = Index{kernel.c.values} * kernel.c.repeats * kernel.c.steps;
  const Index parts = groups_of_k(step);
  return constant("kPartsOfK", parts, "that groups of threads take") +
         constant("kLanesOfK", step.schedule.lanes_of_k, "bits of lanes that share out K") +
         constant("kDrainThreads", step.threads / parts, "of the first group, which drains") +
         constant("kSumElems", std::gcd(accumulators, Index{16} / width_bytes(step.accumulate)),
                  "sums that a thread leaves at a time");
}

StraightBody straight_body(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const TemplateSet& set = kernel.templates;
  StraightBody body;
  body.share = literal_text(step) + text(kernel, "mainloop/straight.cu (in the grid)") +
               source_piece(set, kernel.side_a) + source_piece(set, kernel.side_b) +
               load_piece(set, kernel.side_a) + load_piece(set, kernel.side_b) +
               feed_piece(set, kernel.side_a) + feed_piece(set, kernel.side_b) +
               multiply_piece(set, 0);
  // Addresses are computed ahead of both: nothing of them is left to do when the wait is over.
  body.start = release_piece(step, Release::at_start) +
               (overlaps(step) ? "wait_for_previous_kernel();\n" : "") +
               release_piece(step, Release::after_previous);
  body.settle =
      std::string(step.b.shifted ? "settle_b();\n" : "") + (step.a.shifted ? "settle_a();\n" : "");
  std::string drain = epilogue_piece(set, step);
  if (step.schedule.lanes_of_k != 0)
    drain = Piece(set, "mainloop/straight.cu (lanes add)").fill("drain", drain).text();
  body.epilogue =
      release_piece(step, Release::after_main_loop) +
      (groups_of_k(step) == 1
           ? drain
           : Piece(set, "mainloop/straight.cu (first drains)").fill("drain", drain).text());
  return body;
}

}  // namespace jute::codegen
