#pragma once
// What a warp-specialised kernel is expected to take: cheap numbers that candidates are ranked by.
#include <jute/plan/cost/kernel_cost.hpp>

#include "plan/cost/memory_cost.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What the model makes of a tile. The constants were measured on an H200; ratios between tiles of
/// one problem are what counts.
[[nodiscard]] KernelCost kernel_cost(const Tile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device);

/// Of copies of operands, which move so many bytes.
[[nodiscard]] double clocks_of_moves(const MovedBytes& moved, Index m, Index batch);

/// What the rows and the number of matrices make of a prediction; the rest of it is the same for
/// all of them. As numbers that ranking compares, without the parts that people read.
struct Outcome {
  double start = 0, waves = 0, feed = 0, k_block = 0, tile = 0, ends = 0, power = 1, work = 0,
         memory = 0, past_the_edge = 0, last_end = 0;
  double least = 0, reduction = 0, moves = 0, clocks = 0;
  bool in_pairs = false;  ///< do two blocks each, and no more, read rows of the larger operand?
  bool is_early = false;  ///< may the next kernel begin with this one's first blocks?
};
[[nodiscard]] Outcome outcome(const KernelCost& cost, Index m, Index batch);

/// Clocks that a tile takes at least: cheap, to leave out what cannot be among the best.
class LeastClocks {
 public:
  /// Both must outlive it.
  LeastClocks(const KernelProblem& problem, const DeviceInfo& device);

  /// In whatever cluster a tile's blocks work, in as many slices of K or fewer, wherever these
  /// meet.
  [[nodiscard]] double in_any_split_k(Tile tile, int most_slices) const;

  /// What tiles of a shape and cluster have in common, however they are cut.
  struct OfShape {
    double tiles, rounds, begin, k_block, power;
    Traffic traffic;  ///< in however many slices
  };
  [[nodiscard]] OfShape of_shape(Tile tile) const;
  /// In its cluster and slices; more than `enough` need not be told to the last.
  [[nodiscard]] double operator()(const Tile& tile, const OfShape& shape, double enough) const;

 private:
  [[nodiscard]] double end_of(const Tile& tile) const;
  [[nodiscard]] double of_slices(const Tile& tile, const OfShape& shape, int split_k, double end,
                                 const Traffic& traffic, double reduction) const;

  const KernelProblem& problem_;
  const DeviceInfo& device_;
  LeastTraffic traffic_;
  double k_blocks_;
};

}  // namespace jute::plan
