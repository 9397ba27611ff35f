// Operands whose Views no kernel walks, and those that are converted: how large their copies are,
// and who makes them.
#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/split.hpp>
#include <jute/plan/ask/view_together.hpp>
#include <jute/plan/convert/conversion_way.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/derive/move_step.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/conversion.hpp"
#include "plan/derive/parameters.hpp"
#include "plan/derive/sums.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/sums.hpp"

namespace jute::plan {
namespace {

bool is_factor(TensorRole tensor) { return tensor == TensorRole::a || tensor == TensorRole::b; }

/// Does the copy's row run along the View's columns? Of A and B those are K, along which every
/// instruction reads; along M or N, where the View's neighbours lie, some read as well.
bool is_along_columns(const Problem& problem, TensorRole tensor) {
  const Matrix& matrix = matrix_of(problem, tensor);
  if (!is_factor(tensor)) return problem.d.order == Order::row;
  const bool lies_along_k = (matrix.order == Order::row) == (tensor == TensorRole::a);
  const Split* split = split_of(problem.precision);
  const DType multiplied = split != nullptr ? split->term : multiplied_type(problem);
  return lies_along_k || width_bits(multiplied) != 16;
}

/// Bytes of what becomes a chunk of the copy, where a thread may read them at once: else those of
/// an element.
int converted_access(const Move& move, const Matrix& matrix) {
  constexpr int kBits = 8, kMostBits = 8, kCopyBits = 16;
  const int elems = elements_of_chunk(move.copy_type), bits = elems * width_bits(move.type);
  const bool has_whole_rows = move.own_alignment > 0
                                  ? move.own_alignment * kBits % bits == 0
                                  : matrix.ld_elems % elems == 0 &&
                                        matrix.batch_stride_elems % elems == 0 &&
                                        matrix.alignment_bytes * kBits % bits == 0;
  const bool is_whole = !move.view && width_bits(move.copy_type) == kCopyBits &&
                        width_bits(move.type) <= kMostBits &&
                        move.conversion->stride_inner == Count(1) && has_whole_rows;
  return is_whole ? bits / kBits : width_bytes(move.type);
}

/// The conversion of a move.
void add_conversion(Move& move, const Problem& problem, CopyAlong along) {
  if (!is_converted(problem, move.tensor)) return;
  move.copy_type = *problem.staged;
  move.conversion = conversion_of(problem, move.tensor, along);
  if (is_generic(problem, move.tensor)) move.matrices = 1;
  if (problem.groups && problem.groups->kind == GroupKind::each) {
    move.matrices = RunValue{RunValue::Quantity::batch};
    move.own_alignment = promised_bytes(matrix_of(problem, move.tensor));
  }
}

/// Neighbours in memory move together; what lies so across the rows of the copy in squares.
void take_together(Move& move, int alignment_bytes) {
  const int width = width_bytes(move.type);
  const ViewTogether together = view_together(
      *move.view, move.transposed ? RowsOfCopy::along_rows : RowsOfCopy::along_columns, width,
      alignment_bytes);
  move.access_bytes = together.step > 1 ? kChunk : together.elems * width;
  if (!together.across) {
    if (move.tensor == TensorRole::d) return;
    move.segments = ceil_div(move.segments, kViewedChunks);
    move.blocks = ceil_div(move.outer * move.matrices * move.segments, kMoveThreads);
    return;
  }
  const auto [unit, extent, lanes] = *together.across;
  const int elems = elements_of_chunk(move.type);
  const Count neighbours = extent > 0 ? Count(extent) : ceil_div(move.outer, unit);
  const Count runs = extent > 0 ? ceil_div(move.outer, unit * extent) : Count(1);
  const Count warps = ceil_div(neighbours, lanes * elems) *
                      ceil_div(move.inner, kWarp / lanes * elems) * unit * runs * move.matrices;
  move.segments = 0;
  move.blocks = ceil_div(warps, kMoveThreads / kWarp);
}

/// The second step's epilogue of D's values.
void add_scaling(Move& move, const Problem& problem) {
  if (move.tensor != TensorRole::d || !has_second_step(problem)) return;
  const Epilogue& epilogue = *problem.epilogue;
  const MostOfBlocks most = most_of_blocks(problem);
  BlockScaling scaling{
      .expression = behind_blocks(epilogue.expression), .region = most.region, .lines = most.lines};
  for (const EpilogueOutput& output : scaling.expression.outputs) {
    const int place = place_in(epilogue.expression.outputs, output);
    const EpilogueOperand& operand = epilogue.outputs[static_cast<size_t>(place)];
    scaling.outputs.push_back({output_role(place), operand.type, operand.order});
  }
  move.copy_type = DType::f32;
  move.scaling = std::move(scaling);
}

}  // namespace

Move view_move_of(const Problem& problem, TensorRole tensor) {
  using enum RunValue::Quantity;
  const Matrix& matrix = matrix_of(problem, tensor);
  Move move;
  move.tensor = tensor;
  move.type = move.copy_type = matrix.type;
  const Split* split = split_of(problem.precision);
  if (split != nullptr && is_factor(tensor)) {
    move.copy_type = split->term;
    move.terms = split->terms;
  }
  move.region = base::format("copy_{}", name(tensor));
  move.view = matrix.view;
  const bool is_whole = !matrix.view || matrix.view->coordinates.rank() == 3;
  const Count rows = RunValue{tensor == TensorRole::b ? n : m},
              columns = RunValue{is_factor(tensor) ? k : n};
  const bool along_columns = is_along_columns(problem, tensor);
  move.transposed = !along_columns;
  move.inner = along_columns ? columns : rows;
  move.outer = along_columns ? rows : columns;
  move.matrices = is_whole || is_converted(problem, tensor) ? Count(RunValue{batch}) : Count(1);
  add_conversion(move, problem, along_columns ? CopyAlong::k : CopyAlong::mn);
  add_scaling(move, problem);
  move.ld = round_up(max(move.inner, 1), kLine / width_bytes(move.copy_type));
  move.batch_stride = move.ld * max(move.outer, 1);
  move.access_bytes = width_bytes(matrix.type);
  if (move.conversion) {  // a warp's, of chunks that are left
    move.access_bytes = converted_access(move, matrix);
    move.segments =
        ceil_div(move.inner, kConvertedChunks * kWarp * elements_of_chunk(move.copy_type));
    move.blocks = ceil_div(move.outer * move.matrices * move.segments, kMoveThreads / kWarp);
  } else {  // chunks of what is read, each a thread's
    move.segments = ceil_div(move.inner, elements_of_chunk(matrix.type));
    if (move.scaling) {
      move.access_bytes = access_bytes(matrix);
      move.segments = ceil_div(move.inner, move.access_bytes / width_bytes(matrix.type));
    }
    move.blocks = ceil_div(move.outer * move.matrices * move.segments, kMoveThreads);
  }
  if (move.view && !move.conversion) take_together(move, matrix.alignment_bytes);
  if (is_factor(tensor)) move.blocks = move.blocks * copied_of(tensor);
  return move;
}

std::vector<Move> view_moves(const Problem& problem) {
  std::vector<Move> moves;
  for (const TensorRole tensor : {TensorRole::a, TensorRole::b, TensorRole::c, TensorRole::d})
    if (matrix_of(problem, tensor).view || is_converted(problem, tensor) ||
        (tensor == TensorRole::d && has_second_step(problem)))
      moves.push_back(view_move_of(problem, tensor));
  return moves;
}

namespace {

/// The arguments of element_${x} that a run decides; of a coordinate's last mode no extent.
void add_view_numbers(std::vector<KernelParameter>& list, const Move& move) {
  using enum ParameterKind;
  using enum RunValue::Quantity;
  const std::string x(name(move.tensor));
  const ViewModes modes = modes_of(*move.view);
  list.push_back({x + "_origin", i64, Count(RunValue{view_origin, move.tensor})});
  int place = 0;
  for (const auto* each : {&modes.rows, &modes.columns, &modes.batch})
    for (std::size_t i = 0; i < each->size(); ++i, ++place) {
      const auto add = [&](const char* word, ParameterKind kind, RunValue::Quantity quantity) {
        list.push_back({base::format("{}_{}{}", x, word, place), kind,
                        Count(RunValue{quantity, move.tensor, place})});
      };
      add("stride", i64, view_stride);
      if (i + 1 == each->size()) continue;
      add("extent", u32, view_extent);
      add("magic", i64, view_magic);
    }
}

}  // namespace

void add_view_parameters(std::vector<KernelParameter>& list, const Move& move) {
  using enum ParameterKind;
  const std::string x(name(move.tensor));
  const Base own = Argument{move.tensor}, copy = InWorkspace{move.region};
  const bool is_out = move.tensor == TensorRole::d;
  if (move.own_alignment == 0)
    list.push_back({x + (move.scaling ? "_values" : "_source"), pointer, is_out ? copy : own});
  list.push_back({move.scaling ? x : x + "_target", pointer, is_out ? own : copy});
  list.push_back({x + "_inner", i32, move.inner});
  list.push_back({x + "_outer", i32, move.outer});
  list.push_back({x + "_rows", u32, move.outer * move.matrices});
  list.push_back({x + "_ld", i64, move.ld});
  list.push_back({x + "_batch_stride", i64, move.terms * move.batch_stride});
  if (move.terms > 1) list.push_back({x + "_term_stride", i64, move.batch_stride});
  list.push_back({x + "_segments", u32, move.segments});
  list.push_back({x + "_blocks", u32, move.blocks});
  if (move.view && move.view->numbers == ViewNumbers::run_time) add_view_numbers(list, move);
  if (move.conversion) add_conversion_parameters(list, move);
  if (!move.scaling) return;
  const auto add_strides = [&](TensorRole tensor) {
    list.push_back({std::string(name(ld_of(tensor))), i64, ld_of(tensor)});
    list.push_back({std::string(name(batch_stride_of(tensor))), i64, batch_stride_of(tensor)});
  };
  add_strides(move.tensor);
  list.push_back({x + "_most", pointer, Base(InWorkspace{move.scaling->region})});
  list.push_back({x + "_lines", i64, move.scaling->lines});
  for (size_t i = 0; i < move.scaling->outputs.size(); ++i) {
    if (is_d(move.scaling->expression.outputs[i])) continue;
    const TensorRole tensor = move.scaling->outputs[i].tensor;
    list.push_back({std::string(name(tensor)), pointer, Base(Argument{tensor})});
    add_strides(tensor);
  }
}

std::vector<Move> of_operands(const std::vector<Move>& moves) {
  std::vector<Move> list;
  std::ranges::copy_if(moves, std::back_inserter(list),
                       [](const Move& move) { return is_factor(move.tensor); });
  return list;
}

std::optional<MoveStep> view_step(const Problem& problem, TensorRole tensor,
                                  const DeviceInfo& device) {
  const bool scales = tensor == TensorRole::d && has_second_step(problem);
  if (!matrix_of(problem, tensor).view && !scales) return std::nullopt;
  const Move move = view_move_of(problem, tensor);
  MoveStep step;
  add_view_parameters(step.parameters, move);
  add_blocks(step, move.blocks);
  complete_move_step(step,
                     scales                    ? "scale"
                     : tensor == TensorRole::d ? "unpack"
                                               : "pack",
                     move.type, device);
  step.compute = compute_type_of(problem);
  if (move.scaling) {
    step.accuracy = accuracy_on(device.arch, epilogue_accuracy(problem));
    add_scalars(step, problem, move.scaling->expression);
  }
  if (tensor == TensorRole::c && c_read(problem) == CRead::unless_beta_is_zero)
    step.parameters.push_back({"beta", scale_kind(step.compute), ScaleFactor::beta});
  // It reads what the product leaves, and nobody behind it may begin before it has ended.
  if (tensor == TensorRole::d) {
    step.order = LaunchOrder::after_previous;
    step.releases = Release::never;
  }
  step.moves = {move};
  return step;
}

}  // namespace jute::plan
