// Decides which operands are copied, and how large the copies are.
#include "plan/derive/moves.hpp"

#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "plan/chip/line.hpp"
#include "plan/derive/move_step.hpp"
#include "plan/derive/sums.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
namespace {

constexpr int kMoveWarps = kMoveThreads / 32;

/// 16-byte chunks of a row that a warp has on their way: eight a lane.
constexpr int kSegmentChunks = 8 * 32;

/// Chunks along the rows of the copy and across them that a block transposes, square by square.
constexpr int kTileInner = 16, kTileOuter = 8;

/// From which N and K on (which kernels usually hold) a copy saves more than it costs. cp.async
/// moves 4 bytes at least; rows that start anywhere take the detour through registers.
struct Worthwhile {
  int access_bytes = 1;  ///< of the operand as it lies
  Index extent = 0;      ///< of N and of K
};

// Measured on an H200 with bf16, 2026-11-21.
constexpr std::array kWorthwhile{Worthwhile{1, 256}, Worthwhile{2, 256}, Worthwhile{4, 512},
                                 Worthwhile{8, 4096}};

bool is_padded(const Matrix& matrix, const Problem& problem, const Config& config) {
  const int bytes = access_bytes(matrix);
  if (bytes == kChunk) return false;
  if (config.pad) return *config.pad;
  const auto row = std::ranges::find(kWorthwhile, bytes, &Worthwhile::access_bytes);
  return std::min(problem.n, problem.k) >= row->extent;
}

/// Is the operand contiguous along M or N?
bool lies_across(const Problem& problem, TensorRole tensor) {
  return matrix_of(problem, tensor).order == (tensor == TensorRole::a ? Order::col : Order::row);
}

/// The type of the copy: the operand's elements, or their terms.
DType copy_type(const Problem& problem, TensorRole tensor) {
  const Split* split = split_of(problem.precision);
  return split != nullptr ? split->term : matrix_of(problem, tensor).type;
}

/// Is a copy transposed? wgmma reads both majors of 16-bit types, of others K alone.
bool is_transposed(const Problem& problem, TensorRole tensor, const Config& config) {
  return config.transpose.value_or(true) && lies_across(problem, tensor) &&
         width_bits(copy_type(problem, tensor)) != 16;
}

bool is_unaligned(const Problem& problem, TensorRole tensor, const Config& config) {
  return config.pad.value_or(true) && access_bytes(matrix_of(problem, tensor)) < kChunk;
}

Count extent(RunValue::Quantity quantity) { return RunValue{quantity}; }

Move move_of(const Problem& problem, TensorRole tensor, bool transposed) {
  using enum RunValue::Quantity;
  const Matrix& matrix = matrix_of(problem, tensor);
  const bool is_a = tensor == TensorRole::a;
  const int elems = elements_of_chunk(matrix.type);
  Move move;
  move.tensor = tensor;
  move.type = matrix.type;
  move.copy_type = copy_type(problem, tensor);
  if (const Split* split = split_of(problem.precision)) move.terms = split->terms;
  move.region = is_a ? "copy_a" : "copy_b";
  move.transposed = transposed;
  const Count across = extent(is_a ? m : n), along = extent(k);
  const bool along_k = lies_across(problem, tensor) == transposed;
  move.inner = along_k ? along : across;
  move.outer = along_k ? across : along;
  move.matrices = matrix.broadcast ? Count(1) : extent(batch);
  // A block that reads whole lines fetches none of its neighbour's.
  move.ld = round_up(max(move.inner, 1), kLine / width_bytes(move.copy_type));
  move.batch_stride = move.ld * max(move.outer, 1);
  move.access_bytes = access_bytes(matrix);
  const Count rows = move.outer * move.matrices;
  if (transposed) {
    move.segments = 0;
    move.blocks = ceil_div(move.inner, kTileInner * elems) *
                  ceil_div(move.outer, kTileOuter * elems) * move.matrices;
  } else {
    // Rows of nothing need no block.
    move.segments = ceil_div(move.inner, kSegmentChunks * elems);
    move.blocks = ceil_div(rows * move.segments, kMoveWarps);
  }
  move.blocks = move.blocks * copied_of(tensor);
  return move;
}

/// The kernel's parameters of one copy.
void add_move_parameters(std::vector<KernelParameter>& list, const Move& move) {
  using enum ParameterKind;
  if (goes_by_elements(move)) return add_view_parameters(list, move);
  const std::string x(name(move.tensor));
  list.push_back({x + "_source", pointer, Base(Argument{move.tensor})});
  list.push_back({x + "_target", pointer, Base(InWorkspace{move.region})});
  list.push_back({x + "_inner", i32, move.inner});
  list.push_back({x + "_outer", i32, move.outer});
  list.push_back({x + "_rows", u32, move.outer * move.matrices});
  list.push_back({x + "_ld_source", i64, ld_of(move.tensor)});
  list.push_back({x + "_ld_target", i64, move.ld});
  list.push_back({x + "_batch_stride_source", i64, batch_stride_of(move.tensor)});
  list.push_back({x + "_batch_stride_target", i64, move.terms * move.batch_stride});
  if (move.terms > 1) list.push_back({x + "_term_stride", i64, move.batch_stride});
  list.push_back({x + "_segments", u32, move.segments});
  list.push_back({x + "_blocks", u32, move.blocks});
}

/// Groups whose operands the device's list has: that list, its bounds, and the one that the product
/// reads in its place.
void add_list(MoveStep& step) {
  using enum ParameterKind;
  using enum RunValue::Quantity;
  const Count groups = extent(batch), blocks = ceil_div(groups, kMoveThreads);
  step.list = kCopiedList;
  step.parameters.push_back({"ends", pointer, Base(Argument{TensorRole::ends})});
  step.parameters.push_back({step.list, pointer, Base(InWorkspace{step.list})});
  step.parameters.push_back({"groups", u32, groups});
  step.parameters.push_back({"most_m", i32, extent(m)});
  step.parameters.push_back({"most_n", i32, extent(n)});
  step.parameters.push_back({"most_k", i32, extent(k)});
  step.parameters.push_back({"list_blocks", u32, blocks});
  add_blocks(step, blocks);
}

MoveStep step_of(std::vector<Move> moves, const DeviceInfo& device) {
  MoveStep step;
  if (moves.front().own_alignment > 0) add_list(step);
  for (const Move& move : moves) {
    add_move_parameters(step.parameters, move);
    add_blocks(step, move.blocks);
  }
  const auto converted =
      std::ranges::find_if(moves, [](const Move& move) { return move.conversion.has_value(); });
  if (converted != moves.end())
    complete_move_step(step, "convert", converted->type, device);
  else
    complete_move_step(step, moves.front().terms > 1 ? "split" : "move", moves.front().type,
                       device);
  step.moves = std::move(moves);
  return step;
}

/// Where the copy of a View lies along: its columns, or its rows.
Order order_of_copy(const Move& move) {
  return move.transposed != (move.tensor == TensorRole::b) ? Order::col : Order::row;
}

}  // namespace

bool wgmma_needs_copies(const Problem& problem, const DeviceInfo& device, const Config& config) {
  constexpr Arch kWgmma{90, 'a'};
  if (split_of(problem.precision) != nullptr) return true;
  const auto needs_copy = [&](TensorRole tensor) {
    return is_transposed(problem, tensor, config) || is_unaligned(problem, tensor, config);
  };
  return provides(device.arch, kWgmma) && (needs_copy(TensorRole::a) || needs_copy(TensorRole::b));
}

std::optional<MoveStep> move_operands(Problem& problem, const DeviceInfo& device,
                                      const Config& config, Copies copies,
                                      const std::vector<Move>& made) {
  std::vector<Move> moves = of_operands(made);
  const size_t of_views = moves.size();
  const RunValues planned = run_values(problem);
  for (const TensorRole tensor : {TensorRole::a, TensorRole::b}) {
    const bool is_made = std::ranges::find(made, tensor, &Move::tensor) != made.end();
    if (is_made || copies == Copies::none) continue;
    const bool transposed = copies == Copies::all && is_transposed(problem, tensor, config);
    const bool padded = copies == Copies::worthwhile
                            ? is_padded(matrix_of(problem, tensor), problem, config)
                            : is_unaligned(problem, tensor, config);
    if (!transposed && !padded && split_of(problem.precision) == nullptr) continue;
    moves.push_back(move_of(problem, tensor, transposed));
  }
  if (moves.empty()) return std::nullopt;
  for (size_t i = of_views; i < moves.size(); ++i) read_copy(problem, moves[i], planned);
  return step_of(std::move(moves), device);
}

void read_copy(Problem& problem, const Move& move, const RunValues& planned) {
  Matrix& matrix = matrix_of(problem, move.tensor);
  if (move.conversion) (move.tensor == TensorRole::a ? problem.scale_a : problem.scale_b) = {};
  if (goes_by_elements(move)) {
    matrix.view.reset();
    matrix.order = order_of_copy(move);
    matrix.broadcast = problem.batch > 1 && move.matrices == Count(1);
  } else if (move.transposed) {
    matrix.order = matrix.order == Order::row ? Order::col : Order::row;
  }
  matrix.type = move.copy_type;
  matrix.ld_elems = move.ld.evaluate(planned);
  matrix.batch_stride_elems = matrix.broadcast ? 0 : move.batch_stride.evaluate(planned);
  matrix.alignment_bytes = kChunk;
  if (move.tensor != TensorRole::d || !problem.epilogue) return;
  auto& [expression, inputs, outputs] = *problem.epilogue;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (is_d(expression.outputs[i])) outputs[i] = {problem.d, false};
}

namespace {

/// Bytes of memory that an element of the operand takes: where no two lie side by side, up to what
/// memory hands out at once.
double touched_bytes(const Move& move) {
  constexpr double kSector = 32;
  const double bytes = width_bits(move.type) / 8.0;
  if (!move.view) return bytes;
  const ViewModes modes = modes_of(*move.view);
  Index nearest = 0;
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (const ViewMode& mode : *list) {
      const Index elems = std::abs(mode.stride * modes.box[static_cast<size_t>(mode.axis)].stride);
      if (mode.extent > 1 && elems > 0 && (nearest == 0 || elems < nearest)) nearest = elems;
    }
  return std::max(bytes, std::min(kSector, bytes * static_cast<double>(nearest)));
}

void add_moved(MovedBytes& moved, TensorRole tensor, double elem_bytes, const Problem& problem) {
  const bool is_of_d = tensor == TensorRole::c || tensor == TensorRole::d;
  const double row_bytes = static_cast<double>(is_of_d ? problem.n : problem.k) * elem_bytes;
  if (tensor != TensorRole::b)
    moved.row += row_bytes;
  else
    moved.other += row_bytes * static_cast<double>(problem.n);
}

}  // namespace

void add_moves(MovedBytes& moved, std::span<const Move> moves, const Problem& problem) {
  for (const Move& move : moves)  // read and written
    add_moved(moved, move.tensor, touched_bytes(move) + move.terms * width_bytes(move.copy_type),
              problem);
}

void add_moves(MovedBytes& moved, const MoveStep& step, const Problem& problem) {
  add_moves(moved, step.moves, problem);
  for (const OperandSum& sum : step.sums)
    add_moved(moved, sum.tensor, width_bytes(sum.type), problem);
}

MoveStep moves_again(const MoveStep& step, const Problem& problem, const DeviceInfo& device) {
  if (step.moves.empty()) return sum_operands(problem, device).value_or(MoveStep());
  const TensorRole first = step.moves.front().tensor;
  if (first == TensorRole::c || first == TensorRole::d)
    return view_step(problem, first, device).value_or(MoveStep());
  std::vector<Move> moves;
  for (const Move& move : step.moves)
    moves.push_back(goes_by_elements(move) ? view_move_of(problem, move.tensor)
                                           : move_of(problem, move.tensor, move.transposed));
  return step_of(std::move(moves), device);
}

}  // namespace jute::plan
