// Writes the numbers of warp-specialised kernels: roles, signals, shares, products.
#include <jute/emit/constants.hpp>
#include <jute/plan/values/products.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>

#include "codegen/boxes.hpp"
#include "codegen/carried.hpp"
#include "codegen/frames.hpp"
#include "codegen/product_scales.hpp"
#include "codegen/stamps.hpp"

namespace jute::codegen {
namespace {

std::string team_constants(const GemmStep& step, Index groups) {
  return constant("kPingPong", step.schedule.ping_pong, "that take turns") +
         constant("kTeamGroups", groups, "groups of a team") +
         constant("kTeamThreads", size(step.mma), "threads of a team") +
         constant("kTurnOffset", smem_region(step, "turn").offset, "barriers of teams' turns");
}

/// Which terms a product is of.
std::string product_constants(const ProductTable& table) {
  return constant("kProducts", table.products, "of terms of a k-tile") +
         constant("kTerms", table.terms, "of an operand, each a matrix, and a copy in a stage") +
         constant("kTermBits", table.bits, "that name a term") +
         constant("kTermMask", (1 << table.bits) - 1, "of them") +
         constant("kTermsOfA", table.of_a, "by product, from the lowest bits on") +
         constant("kTermsOfB", table.of_b, "likewise");
}

/// The share of a tile that each block of a cluster drains.
std::string share_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const int count = shares(step);
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  return constant("kPartsOffset", smem_region(step, "parts").offset, "sums that others read") +
         constant("kShares", count, "of a tile, each drained by a block") +
         constant("kShareElems", kernel.accumulators / count, "sums of a thread in a share") +
         (drain ? constant("kShareTurns", drain->turns / count, "subtiles of a group in a share")
                : "");
}

}  // namespace

std::string specialised_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const KernelSchedule& schedule = step.schedule;
  const Signal &full = signal_of(step, "full"), &free = signal_of(step, "free");
  const Index groups = size(step.mma) / std::max(32, threads(step.mma.atom()));
  std::string result =
      constant("kConsumerWarps", role_of(step, "consumer").warps,
               "the producer's come after them") +
      constant("kGroups", step.schedule.ping_pong * groups, "groups of consumers") +
      (step.schedule.ping_pong > 1 ? team_constants(step, groups) : "") +
      constant("kGroupThreads", std::max(32, threads(step.mma.atom())),
               "threads that multiply and drain together") +
      constant("kClusterM", schedule.cluster.m, "blocks along M that share tiles of B") +
      constant("kClusterN", schedule.cluster.n, "blocks along N that share tiles of A") +
      constant("kClusterBlocks", blocks(schedule.cluster), "blocks of a cluster") +
      constant("kFullArrivals", full.arrivals, "of the producer, when it has asked for a stage") +
      constant("kFullBytes", full.bytes, "of a stage") + copying_constants(step) +
      (says_cluster(schedule)
           ? constant("kReaders", free.arrivals, "groups of each block") +
                 constant("kStagesAlignment", kStagesAlignment, "where stages of A and of B begin")
           : "") +
      constant("kFreeArrivals", free.arrivals, "of the groups that have read a stage") +
      constant("kOffsetA", smem_region(step, "a").offset, "A's stages in shared memory") +
      constant("kOffsetB", smem_region(step, "b").offset, "B's stages") +
      constant("kFullOffset", smem_region(step, "full").offset, "barriers of stages that land") +
      constant("kFreeOffset", smem_region(step, "free").offset, "barriers of stages that are read");
  if (step.epilogue.drain)
    result +=
        constant("kSubtileOffset", smem_region(step, "subtile").offset, "the groups' subtiles") +
        subtile_constants(*step.epilogue.drain, step.epilogue.d_type);
  if (step.epilogue.drain && step.epilogue.drain->c_atom)
    result += constant("kCFullOffset", smem_region(step, "c_full").offset,
                       "barriers of subtiles that C lands in") +
              constant("kCBytes", signal_of(step, "c_full").bytes, "of C in a subtile");
  if (const auto vectors = std::ranges::find(step.smem_map, "vectors", &SmemRegion::name);
      vectors != step.smem_map.end())
    result += constant("kVectorsOffset", vectors->offset, "what tiles have of vectors") +
              constant("kVectorBytes", vectors->bytes / vectors->copies, "of a group's");
  if (reduces_in_cluster(schedule)) result += share_constants(kernel);
  if (step.promote_every_k > 0)
    result += constant("kPromoteTiles", step.promote_every_k / step.tile.k,
                       "k-tiles that the tensor core sums before threads add them");
  result += scale_constants(kernel);
  if (!step.products.empty()) result += product_constants(product_table(step));
  result += stamp_constants(step);
  if (descriptor_of(step.a)) result += matrix_constant("A", descriptor_of(step.a)->bits);
  if (descriptor_of(step.b)) result += matrix_constant("B", descriptor_of(step.b)->bits);
  return result;
}

}  // namespace jute::codegen
