// Why a plan is as it is, in sentences.
#include <jute/base/checked.hpp>
#include <jute/epilogue/fold.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <cmath>
#include <utility>

#include "base/format.hpp"
#include "plan/derive/block/smem_map.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/words/conversion_words.hpp"
#include "plan/words/view_words.hpp"

namespace jute {
namespace {

using plan::is_straight;
using plan::parts_of_k;

std::string access_sentence(std::string_view letter, const OperandPlan& operand) {
  if (tma_of(operand).boxed && tma_of(operand).map)
    return base::format("{}'s View, {}, travels as boxes of {}x{} elements by TMA: {}.\n", letter,
                        to_string(*tma_of(operand).boxed), tma_of(operand).boxes->inner,
                        tma_of(operand).boxes->outer, to_string(*tma_of(operand).map));
  if (tma_of(operand).boxes)
    return base::format(
        "{} travels as boxes of {}x{} elements by TMA: its rows begin at multiples of 16 bytes.\n",
        letter, tma_of(operand).boxes->inner, tma_of(operand).boxes->outer);
  return base::format(
      "{} is read {} bytes at a time: the widest access that divides its base alignment, leading "
      "dimension and batch stride, and deals the tile evenly to the threads.\n",
      letter, operand.vector_elems * width_bytes(operand.type));
}

/// The cost of a swizzle where it does not fold.
std::string address_sentence(std::string_view letter, const OperandPlan& operand) {
  const auto is_evaluated = [](const Address& address) {
    return address.form == AddressForm::evaluated;
  };
  if (!is_evaluated(copied_of(operand).store) && !is_evaluated(fragments_of(operand).address))
    return {};
  return base::format(
      "{} swizzles every address of its {} by itself: parts of its threads and values carry into "
      "one "
      "another behind {}.\n",
      letter, is_evaluated(fragments_of(operand).address) ? "fragments" : "copies",
      to_string(stage_of(operand).smem.swizzle()));
}

std::string smem_sentence(std::string_view letter, const OperandPlan& operand) {
  if (descriptor_of(operand))
    return base::format("{} is read from shared memory by the tensor core itself.\n", letter);
  const std::string addresses = address_sentence(letter, operand);
  if (fragments_of(operand).atom)
    return base::format(
               "{}'s fragments come by {}: the widest matrix load whose rows the layout holds.\n",
               letter, fragments_of(operand).atom->name) +
           addresses;
  const int bits = width_bits(has_stored_boxes(operand) ? operand.stored->type : operand.type);
  return base::format("{}'s fragments come from shared memory {} bytes at a time.\n", letter,
                      fragments_of(operand).elems * bits / 8) +
         addresses;
}

/// Who shares out K, and how their sums meet.
std::string parts_sentences(const GemmStep& step) {
  const auto bytes_of_sums = [&] { return smem_region(step, "sums").bytes; };
  std::string result;
  const int lanes = parts_of_k(step) / plan::groups_of_k(step);
  if (lanes > 1)
    result += base::format(
        "{} lanes of a warp share out K: they add their sums two by two, by shuffles, and the "
        "first "
        "stores D.\n",
        lanes);
  if (const int parts = plan::groups_of_k(step); operand_of_line_ends(step))
    result += base::format(
        "{} groups of {} threads share out K: all leave their sums by line in {} bytes of shared "
        "memory and add them, and the first stores D.\n",
        parts, step.threads / parts, bytes_of_sums());
  else if (parts > 1)
    result += base::format(
        "{} groups of {} threads share out K: the first adds the sums that the others leave in {} "
        "bytes of shared memory, and stores D.\n",
        parts, step.threads / parts, bytes_of_sums());
  return result;
}

/// The sentence on stages that each thread has for itself.
std::string ring_sentence(const GemmStep& step) {
  const int stages = step.schedule.stages;
  Index bytes = 0;
  for (const OperandPlan* const operand : {&step.a, &step.b})
    if (has_stored_ring(step.schedule, *operand)) bytes += stages * stored_stage_bytes(*operand);
  if (bytes == 0) return {};
  return base::format(
      "Elements that become others pass {} stages, {} bytes of shared memory: by cp.async every "
      "thread brings there what it converts itself, so that none waits for another and none has "
      "registers for what is on its way.\n",
      stages, bytes);
}

/// Sentences on kernels whose operands do not pass through shared memory, or there meet no other
/// thread.
std::string straight_sentences(const GemmStep& step) {
  const auto one = [](std::string_view letter, const OperandPlan& operand) {
    return base::format(
        "{}'s fragments come straight from global memory, {} bytes at a time: what follows each "
        "other there and in a thread's registers{}.\n",
        letter, operand.vector_elems * width_bytes(operand.type),
        has_line_ends(operand)
            ? ", aligned, and a tile's last lines one by one: rows begin anywhere, those of a warp "
              "alike"
        : straight_of(operand).from_chunk
            ? ", aligned, and what is ahead of those in a row and behind one by one, "
              "since rows begin anywhere"
        : straight_of(operand).shifted
            ? ", cut out of the aligned 16 bytes that hold them, since rows begin "
              "anywhere"
            : "");
  };
  return (tiles_beside(step.schedule) > 1
              ? base::format("A block has tiles of {} matrices of the batch side by side, each of "
                             "{} threads: one with few threads takes as long to begin.\n",
                             tiles_beside(step.schedule), size(step.mma))
              : std::string()) +
         one("A", step.a) + one("B", step.b) + ring_sentence(step) + parts_sentences(step);
}

std::string ahead_sentence(const KernelSchedule& schedule) {
  if (schedule.first_stages != FirstStages::prefetched) return {};
  return "The L2 cache asks memory for what blocks read first while the kernel ahead is at work: "
         "those that read the same deal it out among themselves.\n";
}

std::string alone_sentence(const KernelSchedule& schedule) {
  if (schedule.launches != Launches::alone) return {};
  return "It is launched alone: nothing is gained by beginning beside the end of another kernel, "
         "or "
         "by letting one begin beside its own.\n";
}

/// Reasons for walking: what threads find by a View, so many elements at a time.
std::string walking_reasons(const GemmStep& step) {
  struct Walked {
    char letter;
    const std::optional<View>& view;
    int elems;
  };
  const EpiloguePlan& out = step.epilogue;
  std::string text;
  for (const auto& [letter, view, elems] :
       {Walked{step.transposed ? 'B' : 'A', step.a.view, step.a.vector_elems},
        Walked{step.transposed ? 'A' : 'B', step.b.view, step.b.vector_elems},
        Walked{'C', out.c_view, out.c_vector_elems}, Walked{'D', out.d_view, out.vector_elems}})
    if (view)
      text += base::format("{}'s View, {}, is walked where it lies, {} elements at a time.\n",
                           letter, to_string(*view), elems);
  for (const OperandPlan* operand : {&step.a, &step.b})
    if (operand->rows)
      text += base::format(
          "Rows of A are those that a table of {} names among {} of memory, found once a tile: TMA "
          "moves rows at equal distances.\n",
          name(operand->rows->index), operand->rows->rows);
  if (out.d_rows)
    text += base::format("Rows of D are {} where a table of {} says, among {} of memory.\n",
                         out.d_rows->store == RowStore::add ? "added" : "stored",
                         name(out.d_rows->index), out.d_rows->rows);
  return text;
}

/// How D's View is stored by TMA, and C's is read.
std::string boxed_drain(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string text;
  if (out.drain && out.drain->c_map)
    text = base::format(
        "C's View, {}, is read as boxes of {}x{} elements by TMA into D's subtiles: {}.\n",
        to_string(*out.c_boxed), out.drain->boxes->inner, out.drain->boxes->outer,
        to_string(*out.drain->c_map));
  if (!out.d_boxed || !out.drain || !out.drain->map) return text;
  return text + base::format("D's View, {}, is stored as boxes of {}x{} elements by TMA{}: {}.\n",
                             to_string(*out.d_boxed), out.drain->boxes->inner,
                             out.drain->boxes->outer,
                             out.drain->exit == SubtileExit::rows_at_edge
                                 ? ", by threads where a subtile reaches past an edge"
                                 : "",
                             to_string(*out.drain->map));
}

std::string step_reasons(const GemmStep& step, const Plan& plan) {
  std::string result = walking_reasons(step) + boxed_drain(step);
  if (step.epilogue.d_order == Order::col)
    result +=
        "The kernel computes the transpose, so that its tiles fit the problem better: M and N, A "
        "and B change places, and D's subtiles are stored by columns.\n";
  else if (step.transposed)
    result +=
        "D is contiguous along M, so the kernel computes its transpose: M and N, A and B change "
        "places, and stores still run along rows.\n";
  result += plan::of_stored(step, plan::stored_reason) + plan::scaled_reason(step);
  result += base::format(
      "{} multiplies {} by {}: {}.\n", step.mma.atom().name, name(step.a.type), name(step.b.type),
      step.mma.atom().form == MmaForm::fma ? "thread-level multiply-adds"
                                           : base::format("tensor cores, {}", step.mma.atom().ptx));
  const Index tiles_m = ceil_div(step.m.value, step.tile.m);
  const Index tiles_n = ceil_div(step.n.value, step.tile.n);
  const Index blocks = tiles_m * tiles_n * step.batch.value;
  result += base::format(
      "Tiles of {}x{}: {} blocks, {:.2f} waves on {} SMs.\n", step.tile.m, step.tile.n, blocks,
      static_cast<double>(blocks) / (plan.device.sm_count * step.schedule.blocks_per_sm),
      plan.device.sm_count);
  if (step.schedule.whole_tiles > 0)
    result += base::format(
        "{} tiles would leave SMs idle in the last wave: those behind the first {} are cut into {} "
        "slices of K, each a block's; the last of a tile adds the sums that the others leave in "
        "the workspace, and stores D.\n",
        blocks, step.schedule.whole_tiles, step.schedule.split_k);
  else if (step.schedule.split_k > 1)
    result += base::format(
        "K is cut into {} slices, each a block's, so that {} blocks run: {}.\n",
        step.schedule.split_k, blocks * step.schedule.split_k,
        step.schedule.reduction == SplitK::distributed
            ? base::format("those of a tile are a cluster, leave their sums in shared memory, and "
                           "{} of them add and store a part of the tile each",
                           shares(step))
        : step.schedule.reduction == SplitK::all_add
            ? "they leave their sums in the workspace, wait for each other, and each adds and "
              "stores a part of the tile"
            : "the last of a tile adds the sums that the others leave in the workspace, and stores "
              "D");
  result += ahead_sentence(step.schedule) + alone_sentence(step.schedule);
  if (is_straight(step)) return result + straight_sentences(step);
  const auto letter_of = [&](const OperandPlan& operand, const char* kernels, const char* other) {
    return step.transposed && tma_of(operand).boxed ? other : kernels;
  };
  result += access_sentence(letter_of(step.a, "A", "B"), step.a) +
            access_sentence(letter_of(step.b, "B", "A"), step.b);
  result += smem_sentence("A", step.a) + smem_sentence("B", step.b) + parts_sentences(step);
  const Index held = plan::smem_held(step), asked = step.dynamic_smem_bytes;
  result += base::format("{} stages take {} of {} bytes of shared memory.\n", step.schedule.stages,
                         held, plan.device.smem_bytes_per_block);
  if (asked > held)
    result += base::format(
        "A block asks for {} of them, so that an SM holds one: those of the next kernel find an SM "
        "that is free.\n",
        asked);
  return result;
}

std::string step_reasons(const MoveStep& step, const Plan& plan) {
  std::string text;
  if (!step.list.empty())
    text +=
        "Each group's matrices are converted by its own extents; the product reads a list that has "
        "their copies in their places.\n";
  for (const Move& move : step.moves) {
    if (move.conversion) {
      text += plan::conversion_reason(move);
      continue;
    }
    if (move.scaling) {
      text += plan::scaling_reason(*move.scaling);
      continue;
    }
    if (move.view) {
      text += plan::view_reason(move, plan.problem);
      continue;
    }
    const std::string_view operand = move.tensor == TensorRole::a ? "A" : "B";
    if (move.terms > 1) {
      text += base::format(
          "{} is split into {} terms of {}, each the rest rounded, which lie in the workspace{}.\n",
          operand, move.terms, name(move.copy_type), move.transposed ? ", transposed" : "");
      continue;
    }
    const std::string_view across = move.tensor == TensorRole::a ? "M" : "N";
    text += move.transposed
                ? base::format(
                      "{} lies along {}, and the GEMM's instruction reads {} along K: it "
                      "is copied once into the workspace, transposed.\n",
                      operand, across, name(move.type))
                : base::format(
                      "{}'s rows start at multiples of {} bytes, and whole accesses have "
                      "16, so they are copied once into the workspace, where each starts "
                      "at a whole line of 128 bytes.\n",
                      operand, move.access_bytes);
  }
  for (const OperandSum& sum : step.sums) {
    const bool is_a = sum.tensor == TensorRole::a;
    text += base::format(
        "The epilogue names sums over K of {0}, one a {1}: {2}.\n", is_a ? "A" : "B",
        is_a ? "row" : "column",
        step.follows
            ? "the product reads none of them, so they are formed beside it, where SMs are idle"
            : "they are formed ahead of the product");
  }
  return text;
}

}  // namespace

std::string explain(const Plan& plan) {
  std::string result;
  for (const Step& step : plan.steps)
    result += std::visit([&](const auto& one) { return step_reasons(one, plan); }, step);
  for (std::size_t i = 0; i < plan.behind.size(); ++i)
    result +=
        base::format("Part {} of {}:\n{}", i + 2, plan.behind.size() + 1, explain(plan.behind[i]));
  return result;
}

}  // namespace jute
