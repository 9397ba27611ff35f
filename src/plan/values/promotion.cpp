// When sums leave the tensor core, and what they have lost there.
#include "plan/values/promotion.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/values/block_threads.hpp"
#include "plan/values/products.hpp"

namespace jute {
namespace {

/// wgmma aligns the products of a step and the sum before it to the largest of them, and keeps 13
/// bits below that of 8-bit floats.
bool cuts_sums(const GemmStep& step) {
  return is_wgmma(step.mma.atom().form) && plan::is_small_float(step.a.type);
}

}  // namespace

double sum_roundoff(const GemmStep& step, Index k) {
  if (step.accumulate == DType::s32) return 0;
  const bool is_thread =
      step.mma.atom().form == MmaForm::fma || step.mma.atom().form == MmaForm::dp;
  const bool is_exact_step = is_thread || step.accumulate == DType::f64;
  const double full = std::ldexp(1.0, -precision_bits(step.accumulate) + (is_exact_step ? 0 : 1));
  const bool is_split = !step.products.empty();
  const bool is_scaled = step.a.scales || step.b.scales;
  if (!cuts_sums(step) && !is_split && !is_scaled) return full;
  constexpr double kCut = 0x1p-13, kTermsOfAStep = 32;
  constexpr double kTermsGrow = 1 + 0x1p-6;  // magnitudes of terms, beside those of what is split
  // An element of A by one of B, each with its own products.
  const double products = std::max(1.0, static_cast<double>(step.products.size()));
  const double all = static_cast<double>(k) * products;
  const double run =
      step.promote_every_k > 0 ? std::min(all, step.promote_every_k * products) : all;
  // Each term, the sum in each step.
  const double cut =
      cuts_sums(step) ? (run + std::ceil(run / kTermsOfAStep) + 2) * kCut : run * full;
  const double sums = step.promote_every_k > 0
                          ? std::ceil(all / std::max(run, 1.0)) + step.schedule.split_k - 1
                          : step.schedule.split_k - 1;
  const double scaled = is_scaled ? 1 : 0;  // the product of both scales
  const double error = cut + (sums + 2 + scaled) * full;
  return (is_split ? kTermsGrow * error + plan::split_error(step) : error) /
         (static_cast<double>(k) + 2);
}

bool adds_by_instruction(const GemmStep& step) {
  const bool is_scaled = step.a.scales || step.b.scales;
  return is_scaled && step.promote_every_k > 0 && step.promote_every_k == step.tile.k &&
         step.mma.atom().form == MmaForm::wgmma_ss;
}

namespace {

/// Blocks of `block` lines, from a multiple of `tile` on, that a tile may reach into.
Index blocks_of_tile(Index block, Index tile) {
  if (block == 0 || block % tile == 0) return 1;
  return tile % block == 0 ? tile / block : ceil_div(tile - 1, block) + 1;
}

/// A copy of cp.async is 4 bytes or more, and a warp of producers must have nothing else to do, and
/// registers for four addresses at once.
bool may_stage_scales(const GemmStep& step) {
  constexpr int kLeastRegisters = 40;
  const auto is_word = [](const OperandPlan& operand) {
    return !operand.scales || operand.scales->numbers.type == DType::f32;
  };
  const auto producer = std::ranges::find(step.schedule.roles, "producer", &Role::name);
  return adds_by_instruction(step) && is_word(step.a) && is_word(step.b) && !step.groups &&
         !says_cluster(step.schedule) && producer != step.schedule.roles.end() &&
         producer->warps > 1 &&
         (producer->registers == 0 || producer->registers >= kLeastRegisters);
}

}  // namespace

Index staged_scales(const GemmStep& step, const OperandPlan& operand) {
  if (!operand.scales || !may_stage_scales(step)) return 0;
  return blocks_of_tile(operand.scales->numbers.block_outer,
                        &operand == &step.a ? step.tile.m : step.tile.n);
}

bool stages_scales(const GemmStep& step) {
  return staged_scales(step, step.a) + staged_scales(step, step.b) > 0;
}

bool releases_by_warps(const GemmStep& step) {
  return has_stored_boxes(step.a) || stages_scales(step);
}

}  // namespace jute

namespace jute::plan {

bool is_small_float(DType type) { return type == DType::e4m3 || type == DType::e5m2; }

int within_blocks(const KernelProblem& problem, int row_k) {
  for (const KernelMatrix* const matrix : {&problem.a, &problem.b})
    if (matrix->scales)
      row_k = static_cast<int>(std::gcd(matrix->scales->block_inner, Index{row_k}));
  return row_k;
}

int usual_promotion(const KernelProblem& problem, int tile_k) {
  constexpr int kUsual = 128, kOfTerms = 64;
  const bool is_split = !problem.products.empty();
  if (problem.a.scales || problem.b.scales) return tile_k;
  if (problem.accumulate != DType::f32 || !(is_split || is_small_float(problem.a.type))) return 0;
  const int usual = is_split ? kOfTerms : kUsual;
  return std::max(tile_k, usual / std::max(tile_k, 1) * tile_k);
}

int promotion(const KernelProblem& problem, const Config& config, int tile_k) {
  return config.promote ? *config.promote : usual_promotion(problem, tile_k);
}

Index promoted_registers(const GemmStep& step, const TileShape& tile) {
  if (step.promote_every_k == 0) return 0;
  const MmaAtom& atom = step.mma.atom();
  if (adds_by_instruction(step)) return Index{atom.shape.m} * atom.shape.n / threads(atom);
  return Index{tile.m} * tile.n * parts_of_k(step) / std::max<Index>(size(step.mma), 1);
}

namespace {

/// Blocks of fewer lines are told by each line alone.
constexpr Index kLeastSpan = 16;

/// A thread has too many scales of finer parts: tiles of 160 and 176 columns by blocks of 128 take
/// longer than 128 (bench/results/2026-11-29-scaled-sums.md).
constexpr Index kLeastPart = 64;

/// Blocks that a tile may reach into.
Index spans_of(Index block, Index tile, TilesBegin begin) {
  return begin == TilesBegin::at_multiples ? blocks_of_tile(block, tile)
                                           : ceil_div(tile - 1, block) + 1;
}

}  // namespace

TilesBegin tiles_begin(const std::optional<KernelGroups>& groups, GroupedAlong along) {
  const bool is_cut = groups && groups->along == along && !groups->is_masked;
  return is_cut ? TilesBegin::anywhere : TilesBegin::at_multiples;
}

ScaleLines scale_lines(Index block, Index tile, Index of_thread, TilesBegin begin,
                       bool shares_parts) {
  if (block == 0) return {ScalesBy::one, 1};
  const Index spans = spans_of(block, tile, begin), part = std::gcd(block, tile);
  if (shares_parts && begin == TilesBegin::at_multiples && spans > 1 && part >= kLeastPart &&
      tile / part <= of_thread)
    return {ScalesBy::lines, static_cast<int>(tile / part)};
  if (block >= kLeastSpan && spans <= of_thread) return {ScalesBy::spans, static_cast<int>(spans)};
  return {ScalesBy::lines, static_cast<int>(of_thread)};
}

ScaleWork scale_work(const ScaleLines& rows, const ScaleLines& columns, Index lines_of_rows,
                     Index lines_of_columns) {
  constexpr double kOfLoad = 5, kOfChoice = 2;  // an address and a load; a comparison and a choice
  const auto choices = [](const ScaleLines& of, Index lines) {
    return of.by == ScalesBy::spans ? kOfChoice * (of.count - 1) * static_cast<double>(lines) : 0;
  };
  const auto told = [](const ScaleLines& of, Index lines) {
    return of.by == ScalesBy::spans && of.count > 1 ? lines : Index{of.count};
  };
  const auto products = static_cast<double>(told(rows, lines_of_rows)) *
                        static_cast<double>(told(columns, lines_of_columns));
  return {rows.count + columns.count, kOfLoad * (rows.count + columns.count) + products +
                                          choices(rows, lines_of_rows) +
                                          choices(columns, lines_of_columns)};
}

}  // namespace jute::plan
