// Lists the pieces that others are written with.
#include "codegen/prelude.hpp"

#include <jute/emit/copy_functions.hpp>
#include <jute/emit/instruction.hpp>

namespace jute::codegen {
namespace {

constexpr int kBoxDimensions = 3;  // contiguous, the other, the matrix of the batch

std::string box(const Kernel& kernel, CopyForm form, BoxCache cache = BoxCache::usual) {
  return box_function(form, kBoxDimensions, cache, kernel.templates).text;
}

}  // namespace

std::vector<std::string> accesses(const Kernel& kernel) {
  return {text(kernel, "prelude/shared_address.cu"), async_copies(kernel.templates),
          text(kernel, "prelude/staging.cu")};
}

std::vector<std::string> instructions(const Kernel& kernel) {
  const bool is_one = blocks(kernel.step.schedule.cluster) == 1;
  return {text(kernel, "prelude/mbarrier.cu"),
          text(kernel, "prelude/tma.cu"),
          box(kernel, CopyForm::tma_load),
          text(kernel, "prelude/dependent_launch.cu"),
          text(kernel, "prelude/vector_access.cu (chunks)"),
          text(kernel, "prelude/vector_access.cu (chunks of rows)"),
          box(kernel, CopyForm::tma_load_multicast),
          text(kernel, is_one ? "prelude/cluster.cu (of one)" : "prelude/cluster.cu"),
          text(kernel, "prelude/cluster.cu (sums)"),
          text(kernel, "prelude/tma.cu (policy)"),
          box(kernel, CopyForm::tma_load, BoxCache::by_policy),
          box(kernel, CopyForm::tma_store),
          text(kernel, "prelude/tma.cu (stores)"),
          text(kernel, "prelude/tma.cu (order)"),
          text(kernel, "prelude/arrivals.cu"),
          text(kernel, "prelude/arrivals.cu (seen)"),
          text(kernel, "prelude/group_barrier.cu"),
          text(kernel, "prelude/wgmma.cu"),
          text(kernel, "prelude/read_shared.cu"),
          text(kernel, "prelude/registers.cu"),
          text(kernel, "prelude/pipe.cu"),
          text(kernel, "prelude/pipe.cu (skip)")};
}

}  // namespace jute::codegen
