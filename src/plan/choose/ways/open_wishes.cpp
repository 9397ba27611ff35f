// Decides a caller's open wishes by a problem's kind: groups, blocks of D.
#include <jute/plan/ask/problem.hpp>

#include <algorithm>

#include "plan/ask/groups.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/choose/ways/open_wishes.hpp"

namespace jute::plan {
namespace {

/// Blocks of D whose largest magnitudes an epilogue names lie in tiles that have a block's columns,
/// and as many rows as there are warps for.
Config with_block_tile(const Config& config, const Problem& problem) {
  Config open = config;
  if (!problem.epilogue || config.tile) return open;
  const EpilogueBlock block = block_of(problem.epilogue->expression);
  if (block == EpilogueBlock{} || has_second_step(problem)) return open;
  constexpr int kMostRows = 128, kFewRows = 64, kStageBytes = 128;
  const int rows = std::max(block.m, problem.m <= kFewRows ? kFewRows : kMostRows);
  const int k = kStageBytes / width_bytes(multiplied_type(problem));
  const bool is_turned = problem.d.order == Order::col;  // its kernel computes the transpose
  open.tile = is_turned ? TileShape{block.n, rows, k} : TileShape{rows, block.n, k};
  open.swapped = open.swapped.value_or(false);
  open.ping_pong = open.ping_pong.value_or(1);
  open.reduction = open.reduction.value_or(SplitK::last_adds);
  return open;
}

}  // namespace

Config for_groups(const Config& config, const Problem& problem) {
  Config open = with_block_tile(config, problem);
  if (!problem.groups) return open;
  const auto leave = [](auto& choice, auto value) { choice = choice.value_or(value); };
  leave(open.cluster, ClusterShape{});
  leave(open.split_k, 1);
  leave(open.k_starts, 1);
  leave(open.reduction, SplitK::last_adds);
  leave(open.first_stages, FirstStages::after_barrier);
  leave(open.edge_rows, EdgeRows::zeros);
  leave(open.swapped, false);
  if (problem.groups->kind == GroupKind::each) leave(open.ping_pong, 1);
  return open;
}

}  // namespace jute::plan
