// Lists the pieces that others are written with.
#include <jute/emit/prelude.hpp>

#include <jute/emit/copy_functions.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/emit/piece.hpp>

namespace jute {
namespace {

constexpr int kBoxDimensions = 3;  // contiguous, the other, the matrix of the batch

std::string text(const TemplateSet& templates, const char* path) {
  return Piece(templates, path).text();
}

std::string box(const TemplateSet& templates, CopyForm form, BoxCache cache = BoxCache::usual) {
  return box_function(form, kBoxDimensions, cache, templates).text;
}

}  // namespace

std::vector<std::string> prelude_of_accesses(const TemplateSet& templates) {
  return {text(templates, "prelude/shared_address.cu"), async_copies(templates),
          text(templates, "prelude/staging.cu")};
}

std::vector<std::string> prelude_of_instructions(const TemplateSet& templates, Blocks blocks,
                                                 StageCount stages) {
  const bool is_launched = stages == StageCount::launched;
  return {text(templates, "prelude/tma.cu (elected)"),
          text(templates, "prelude/shared_address.cu (settled)"),
          text(templates, "prelude/mbarrier.cu"),
          text(templates, "prelude/tma.cu"),
          box(templates, CopyForm::tma_load),
          text(templates, "prelude/dependent_launch.cu"),
          text(templates, "prelude/dependent_launch.cu (ahead)"),
          text(templates, "prelude/vector_access.cu (chunks)"),
          text(templates, "prelude/vector_access.cu (chunks of rows)"),
          box(templates, CopyForm::tma_load_multicast),
          text(templates,
               blocks == Blocks::alone ? "prelude/cluster.cu (of one)" : "prelude/cluster.cu"),
          text(templates, "prelude/cluster.cu (sums)"),
          text(templates, "prelude/tma.cu (policy)"),
          box(templates, CopyForm::tma_load, BoxCache::by_policy),
          box(templates, CopyForm::tma_load, BoxCache::alone),
          text(templates, "prelude/tma.cu (replace)"),
          text(templates, "prelude/tma.cu (publish)"),
          text(templates, "prelude/tma.cu (left out)"),
          text(templates, "prelude/tma.cu (left out of any)"),
          box(templates, CopyForm::tma_store),
          text(templates, "prelude/tma.cu (stores)"),
          text(templates, "prelude/tma.cu (order)"),
          text(templates, "prelude/cp_async.cu (shown)"),
          text(templates, "prelude/arrivals.cu"),
          text(templates, "prelude/arrivals.cu (seen)"),
          text(templates, "prelude/group_barrier.cu"),
          text(templates, "prelude/wgmma.cu"),
          text(templates, "prelude/read_shared.cu"),
          text(templates, "prelude/registers.cu"),
          text(templates, is_launched ? "prelude/pipe.cu (launched)" : "prelude/pipe.cu"),
          is_launched ? "" : text(templates, "prelude/pipe.cu (skip)")};
}

}  // namespace jute
