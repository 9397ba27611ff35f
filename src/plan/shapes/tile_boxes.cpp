// Cuts an operand's rows into boxes where its View's modes end; counts maps.
#include "plan/shapes/tile_boxes.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/ask/view.hpp>
#include <jute/plan/values/group_maps.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

constexpr Index kMostOfBox = 256;  // hardware: along a dimension

/// How many neighbours along the modes one box has, of so many: it ends where a mode does that they
/// do not fill.
Index of_box(const std::vector<ViewMode>& modes, Index extent) {
  Index box = 1, left = extent;
  for (const ViewMode& mode : modes) {
    const Index part = std::gcd(left, mode.extent);
    box *= part;
    left /= part;
    if (part != mode.extent) break;
  }
  return std::min(modes.empty() ? extent : box, kMostOfBox);
}

/// Boxes of an operand's rows in a k-tile; a View's lines are runs of its first mode.
Index boxes_of(const KernelMatrix& matrix, Index rows, Index row_k) {
  if (matrix.boxes > 0) return matrix.boxes;
  const bool along_k = matrix.major == Major::k;
  const Index line = kLine / width_bytes(matrix.type);
  const Index lines = along_k ? rows : row_k, along = along_k ? row_k : rows;
  if (!matrix.boxed) return ceil_div(lines, kMostOfBox) * ceil_div(along, line);
  const ViewModes modes = modes_of(*matrix.boxed);
  const std::vector<ViewMode>&inner = along_k ? modes.columns : modes.rows,
        &outer = along_k ? modes.rows : modes.columns;
  const Index run = inner.size() > 1 ? std::gcd(along, inner.front().extent) : along;
  return ceil_div(along, std::clamp<Index>(run, 1, line)) * ceil_div(lines, of_box(outer, lines));
}

bool has_view(const KernelMatrix& matrix) { return matrix.boxed || matrix.boxes > 0; }

}  // namespace

double boxes_of_tile(const TileShape& asked, const KernelProblem& problem) {
  if (!has_view(problem.a) && !has_view(problem.b)) return 0;
  return static_cast<double>(boxes_of(problem.a, asked.m, asked.k) +
                             boxes_of(problem.b, asked.n, asked.k));
}

double maps_of_group(const KernelProblem& problem) {
  const bool are_copied = problem.a.carry != Transfer::tma || problem.b.carry != Transfer::tma;
  const bool are_made = lists_operands(problem.groups) || has_parts_of_k(problem.groups);
  return are_made && !are_copied ? kMapsOfGroup : 0;
}

}  // namespace jute::plan
