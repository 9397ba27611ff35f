// The four questions that ways of transport ask of a View, and the first that this one answers no.
#include "plan/words/view_words.hpp"

#include <jute/plan/ask/view.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "plan/ask/view_modes.hpp"

namespace jute::plan {
namespace {

constexpr Index kChunkOfBytes = 16;
constexpr std::size_t kMapDimensions = 5;
constexpr Index kLongestStep = 8;

const Matrix& viewed_operand(const Problem& problem, TensorRole tensor) {
  return tensor == TensorRole::a   ? problem.a
         : tensor == TensorRole::b ? problem.b
         : tensor == TensorRole::c ? problem.c
                                   : problem.d;
}

std::size_t dimensions_of(const ViewModes& modes) {
  return modes.outside == OutsideBox::zero
             ? modes.box.size()
             : modes.rows.size() + modes.columns.size() + modes.batch.size();
}

bool has_long_steps(const ViewModes& modes) {
  const auto is_long = [](const ViewMode& mode) {
    return mode.stride > kLongestStep || mode.stride < 0;
  };
  return modes.outside == OutsideBox::zero &&
         (std::ranges::any_of(modes.rows, is_long) || std::ranges::any_of(modes.columns, is_long));
}

std::string failed_question(const View& view, const Matrix& matrix, TensorRole tensor) {
  if (view.numbers == ViewNumbers::run_time)
    return "each run says its numbers, which no kernel that stages it holds";
  const ViewModes modes = modes_of(view);
  const Index width = width_bytes(matrix.type);
  const Index run = contiguous_elems(modes, kChunkOfBytes / width) * width;
  if (run == width && width < kChunkOfBytes)
    return "no two of its elements lie side by side wherever it goes on";
  if (run < kChunkOfBytes)
    return base::format("elements lie side by side in runs of {} bytes, of 16 that TMA needs", run);
  if (matrix.alignment_bytes < kChunkOfBytes)
    return base::format("its address is a multiple of {} bytes, of 16 that TMA needs",
                        matrix.alignment_bytes);
  if (tensor == TensorRole::c) return "TMA reads a C with an order and strides alone";
  if (const std::size_t dimensions = dimensions_of(modes); dimensions > kMapDimensions)
    return base::format("it has {} dimensions, of 5 that a tensor map has", dimensions);
  if (has_long_steps(modes))
    return "it steps backwards or by more than 8 places, which no box does";
  return "no box of a tile runs along its modes, or a packed copy is expected to be faster";
}

}  // namespace

std::string view_reason(const Move& move, const Problem& problem) {
  const char letter = "ABCD"[static_cast<size_t>(move.tensor)];
  const bool is_factor = move.tensor <= TensorRole::b;
  const std::string_view rows = move.tensor == TensorRole::b ? "N" : "M",
                         columns = is_factor ? "K" : "N", along = move.transposed ? rows : columns;
  const std::string why =
      failed_question(*move.view, viewed_operand(problem, move.tensor), move.tensor);
  return move.tensor == TensorRole::d
             ? base::format(
                   "D's View, {}, is no order and leading dimension, and {}: the GEMM leaves D "
                   "packed along {} in the workspace, and its elements are stored from there.\n",
                   to_string(*move.view), why, along)
             : base::format(
                   "{}'s View, {}, is no order and leading dimension, and {}: its elements are "
                   "copied once into the workspace, packed along {}{}.\n",
                   letter, to_string(*move.view), why, along,
                   move.terms > 1 ? base::format(", as {} terms of {}, each the rest rounded",
                                                 move.terms, name(move.copy_type))
                                  : "");
}

}  // namespace jute::plan
