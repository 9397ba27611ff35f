// Looks for choices that would leave nothing to rank.
#include "plan/ask/left_open.hpp"

namespace jute::plan {

bool is_ranked_but_for_atom(const Config& config) {
  return !config.tile && !config.atom_layout && !config.permutation && !config.smem_a &&
         !config.smem_b;
}

bool is_ranked(const Config& config) { return !config.mma_atom && is_ranked_but_for_atom(config); }

}  // namespace jute::plan
