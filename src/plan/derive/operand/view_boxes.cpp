// Asks Views what tensor maps need of them.
#include "plan/derive/operand/view_boxes.hpp"

#include <jute/plan/ask/view.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

/// A number that plans hold, whatever a run says of strides.
Extent literal(Index value) { return {value, value, true}; }

/// Takes the strides of a matrix that takes as long: its rows begin where the View's runs do.
void take_pitch(KernelMatrix& matrix) {
  if (!matrix.view) return;
  const ViewModes modes = modes_of(*matrix.view);
  const auto step = [&](const std::vector<ViewMode>& list) -> Index {
    Index least = 0;
    for (const ViewMode& mode : list) {
      const Index elems = std::max<Index>(mode.stride, -mode.stride) *
                          modes.box[static_cast<size_t>(mode.axis)].stride;
      if (elems > 1 && (least == 0 || elems < least)) least = elems;
    }
    return least;
  };
  const Index pitch = std::max({step(modes.rows), step(modes.columns), Index{1}});
  matrix.ld = literal(pitch);
  matrix.batch_stride = literal(modes.batch.empty() ? 0 : std::max<Index>(step(modes.batch), 1));
  matrix.boxed = std::exchange(matrix.view, std::nullopt);
}

}  // namespace

bool has_run_time_views(const Problem& problem) {
  return std::ranges::any_of(
      std::array{&problem.a, &problem.b, &problem.c, &problem.d}, [](const Matrix* matrix) {
        return matrix->view && matrix->view->numbers == ViewNumbers::run_time;
      });
}

bool may_be_boxes(const Matrix& matrix, TensorRole tensor) {
  if (!matrix.view || matrix.view->numbers == ViewNumbers::run_time ||
      access_bytes(matrix) < kChunk)
    return false;
  const bool is_factor = tensor == TensorRole::a || tensor == TensorRole::b;
  const bool is_along_k = (matrix.order == Order::row) == (tensor == TensorRole::a);
  return !is_factor || is_along_k || width_bits(matrix.type) == 16;
}

void bring_by_boxes(KernelProblem& problem) {
  for (KernelMatrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) take_pitch(*matrix);
}

}  // namespace jute::plan
