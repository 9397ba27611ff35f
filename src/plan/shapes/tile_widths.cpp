// Which kernels may take their tiles' columns from the launch, and which are the widest.
#include "plan/shapes/tile_widths.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>

#include "plan/chip/bands.hpp"
#include "plan/chip/line.hpp"
#include "plan/values/promotion.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

/// Does an epilogue go through subtiles of which a launch may leave out those past its width?
bool drains_any_width(const KernelProblem& problem) {
  const auto is_along_m = [](const KernelOperand& input) {
    return input.by_value || input.extent == EpilogueExtent::scalar ||
           (input.extent == EpilogueExtent::rows && !input.is_bits);
  };
  const auto is_d = [](const KernelOperand& output) { return jute::is_d(output.name); };
  constexpr int kPieceBytes = 16;
  return problem.compute == DType::f32 && width_bits(problem.d.type) == 16 &&
         problem.d.major == Major::mn && problem.d.access_bytes == kPieceBytes && problem.m.baked &&
         problem.m.value % (kPieceBytes / 2) == 0 &&
         std::ranges::all_of(problem.inputs, is_along_m) &&
         std::ranges::all_of(problem.outputs, is_d);
}

/// Columns of the widest tile that is of use: all of a short range, and whole subtiles of the
/// widest.
int widest_of_use(Index columns, int most) {
  const int unit = columns > kMostOfSubtile ? kMostOfSubtile : kUnitOfWidths;
  const Index all = std::max<Index>(ceil_div(columns, unit), 1) * unit;
  return all < most ? static_cast<int>(all) : most / kUnitOfWidths * kUnitOfWidths;
}

}  // namespace

std::vector<Tile> tiles_of_run_time_width(const KernelProblem& problem) {
  constexpr int kRasterOfAny = 16;
  std::vector<Tile> tiles;
  const bool is_seen_across = problem.transposed && problem.b.major == Major::k;
  if (!is_seen_across || !problem.products.empty() || usual_promotion(problem) > 0 ||
      !drains_any_width(problem) || c_read(problem.expression, problem.beta) == CRead::always)
    return tiles;
  const bool is_plain = c_read(problem.expression) == CRead::never && problem.inputs.empty();
  for (const Band& band : bands_of(1)) {
    // With two rows of instructions a thread has registers left for nothing but sums.
    if (band.m > band.groups * kGroupRows && !is_plain) continue;
    Tile tile{.m = band.m,
              .n = widest_of_use(problem.n.value, band.most_n),
              .k_bytes = kLine,
              .groups_m = band.groups,
              .groups_n = 1,
              .stages = kStagesOfWidths,
              .cluster = {1, 1},
              .first_stages = FirstStages::by_initialiser,
              .raster_width = kRasterOfAny,
              .swapped = true,
              .m_at_run_time = true,
              .width_at_run_time = true};
    tiles.push_back(tile);
    tile.split_k_at_run_time = true;
    // Tiles of few rows are cut: there are many of them already where more rows pay.
    if (band.m <= kGroupRows) tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace jute::plan
