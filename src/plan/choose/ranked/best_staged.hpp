#pragma once
// What is ranked of kernels whose tiles lie in shared memory: found when it is first asked for.
#include "plan/chip/line.hpp"
#include "plan/choose/ranked/ranked_thread_groups.hpp"
#include "plan/choose/ranked/ranked_thread_tiles.hpp"
#include "plan/choose/ranked/ranked_tiles.hpp"
#include "plan/choose/ranked/ranked_warp_groups.hpp"
#include "plan/choose/ranked/ranked_warp_tiles.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {

class BestStaged {
 public:
  /// All that is given must outlive it. `most` tiles by tensor cores are ranked.
  BestStaged(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
             size_t most)
      : tiles(problem, device, config, most), problem_(problem), device_(device), config_(config) {}

  /// By tensor cores, of a producer and consumers.
  BestTiles tiles;
  /// By tensor cores of warps, of operands that those of warpgroups cannot read as they lie.
  /// Kernels that problems share are of few tiles.
  const std::vector<RankedTile>& warps() {
    if (!warps_ && config_.specialize == Specialize::generic) warps_.emplace();
    if (!warps_) warps_ = ranked_warp_groups(problem_, device_, kMost);
    return *warps_;
  }
  /// Likewise, of tiles that the warps copy as they lie.
  const std::vector<RankedOf<WarpTile>>& copying_warps() {
    if (!copying_warps_ && config_.specialize == Specialize::generic) copying_warps_.emplace();
    if (!copying_warps_) copying_warps_ = ranked_warp_tiles(problem_, device_, kMost);
    return *copying_warps_;
  }
  /// Likewise, out of copies of operands whose rows begin anywhere.
  const std::vector<RankedOf<WarpTile>>& copying_warps_of_copies() {
    if (!of_copies_ && config_.specialize == Specialize::generic) of_copies_.emplace();
    if (!of_copies_) of_copies_ = ranked_warp_tiles(with_copies(problem_), device_, 1);
    return *of_copies_;
  }
  /// By threads, whether TMA reads the operands as they lie or copies of them.
  const std::vector<RankedTile>& groups() {
    if (!groups_) groups_ = ranked_thread_groups(problem_, device_, kMost, config_.tile);
    return *groups_;
  }
  /// By threads that copy asynchronously.
  const std::vector<RankedOf<ThreadTile>>& threads() {
    if (!threads_) threads_ = ranked_thread_tiles(problem_, device_, kMost);
    return *threads_;
  }

 private:
  static constexpr size_t kMost = 6;

  static KernelProblem with_copies(KernelProblem problem) {
    problem.a.access_bytes = problem.b.access_bytes = kChunk;
    return problem;
  }

  const KernelProblem& problem_;
  const DeviceInfo& device_;
  const Config& config_;
  std::optional<std::vector<RankedTile>> warps_, groups_;
  std::optional<std::vector<RankedOf<WarpTile>>> copying_warps_, of_copies_;
  std::optional<std::vector<RankedOf<ThreadTile>>> threads_;
};

}  // namespace jute::plan
