// Sizes and judges what warps leave for whoever ends a matrix.
#include "plan/derive/drain/gathers.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/drain/gather_turns.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/format.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/drain/bit_words.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
namespace {

bool is_gathered(const EpilogueOperandPlan& output) {
  return output.gather != EpilogueGather::elements;
}

bool is_of_lines(const EpilogueOperandPlan& output) {
  return is_of_rows(output.gather) || is_of_columns(output.gather);
}

int parts_of(const EpilogueOperandPlan& output) { return output.lines ? output.lines->parts : 1; }

Layout of_modes(const std::vector<Layout>& modes) {
  if (modes.empty()) return Layout(1);
  return modes.size() == 1 ? modes[0] : make_layout(modes);
}

/// Threads that stay on their lines: lanes, and behind them warps.
void set_threads(GatherLines& lines, const Layout& thread) {
  const std::vector<Index> shape = thread.flat_shape(), stride = thread.flat_stride();
  std::vector<Layout> part;
  Index first = 1;  // threads from one of the mode to the next
  for (size_t i = 0; i < shape.size(); ++i) {
    const Index in_warp = std::gcd(shape[i], std::max<Index>(Index{kWarp} / first, 1));
    const Index warps = shape[i] / in_warp;
    const bool stays = stride[i] == 0;
    if (stays)
      for (Index lane = first; lane < first * in_warp; lane *= 2)
        lines.lanes |= static_cast<int>(lane);
    part.emplace_back(in_warp, 0);
    if (warps > 1) part.emplace_back(warps, stays ? lines.parts : 0);
    if (stays) lines.parts *= static_cast<int>(warps);
    first *= shape[i];
  }
  lines.part = of_modes(part);
}

/// Coordinates in units of blocks: steps within a block count nothing. Nothing where a block's
/// elements are not neighbours.
std::optional<Layout> in_blocks(const Layout& coordinates, Index block, Index& within) {
  const std::vector<Index> shape = coordinates.flat_shape(), stride = coordinates.flat_stride();
  std::vector<Layout> modes;
  for (size_t i = 0; i < shape.size(); ++i) {
    Index inside = shape[i];  // of the mode's steps those that stay within a block
    if (stride[i] % block == 0) {
      inside = 1;
    } else if (shape[i] * stride[i] > block) {
      if (block % stride[i] != 0 || shape[i] % (block / stride[i]) != 0) return std::nullopt;
      inside = block / stride[i];
    }
    within += (inside - 1) * stride[i];
    if (inside > 1) modes.emplace_back(inside, 0);
    if (inside == 1 || shape[i] > inside)
      modes.emplace_back(shape[i] / inside, stride[i] * inside / block);
  }
  return of_modes(modes);
}

/// The blocks that its epilogue names, of rows and columns as the kernel has them.
EpilogueBlock block_of_kernel(const GemmStep& step) {
  const EpilogueBlock block = block_of(step.epilogue.expression);
  return step.transposed ? EpilogueBlock{block.n, block.m} : block;
}

/// Has a tile a block's extent one way, and whole blocks the other?
bool holds_whole_blocks(const GemmStep& step) {
  const EpilogueBlock block = block_of_kernel(step);
  return (step.tile.n == block.n && step.tile.m % block.m == 0) ||
         (step.tile.m == block.m && step.tile.n % block.n == 0);
}

}  // namespace

void set_blocks(EpiloguePlan& out, const GemmStep& step) {
  out.blocks.reset();
  if (block_of(out.expression) == EpilogueBlock{} || !holds_whole_blocks(step)) return;
  const EpilogueBlock block = block_of_kernel(step);
  BlockLines found{.block = block, .of_rows = step.tile.n == block.n, .lines = {}};
  const Address& place = found.of_rows ? out.m : out.n;
  const Index extent = found.of_rows ? block.m : block.n;
  Index within = 0;
  const std::optional<Layout> value = in_blocks(place.value, extent, within),
                              thread = in_blocks(place.thread.layout(), extent, within);
  if (!value || !thread || within >= extent) return;
  ThreadLines values = thread_lines(*value);
  found.lines.slot = std::move(values.slot);
  found.lines.line = std::move(values.line);
  set_threads(found.lines, *thread);
  out.blocks = std::move(found);
}

Index block_bytes(const GemmStep& step) {
  const EpilogueBlock block = block_of_kernel(step);
  if (block == EpilogueBlock{}) return 0;
  const Index lines = step.tile.n == block.n ? step.tile.m / block.m : step.tile.n / block.n;
  return std::max<Index>(lines, 1) * draining_warps(step) * Index{width_bytes(DType::f32)};
}

ThreadLines thread_lines(const Layout& value) {
  const std::vector<Index> shape = value.flat_shape(), stride = value.flat_stride();
  std::vector<Layout> slot, line;
  Index count = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    slot.emplace_back(shape[i], stride[i] == 0 ? 0 : count);
    if (stride[i] == 0) continue;
    line.emplace_back(shape[i], stride[i]);
    count *= shape[i];
  }
  return {of_modes(slot), of_modes(line)};
}

bool gathers(const EpiloguePlan& epilogue) {
  return std::ranges::any_of(epilogue.outputs, is_gathered) ||
         names(epilogue.expression, EpilogueOp::block_amax);
}

bool packs_bits(const EpiloguePlan& epilogue) {
  return std::ranges::any_of(epilogue.outputs, &EpilogueOperandPlan::is_bits);
}

bool gathers_all(const EpiloguePlan& epilogue) {
  return std::ranges::any_of(epilogue.outputs, [](const EpilogueOperandPlan& output) {
    return is_gathered(output) && !is_of_lines(output);
  });
}

void set_gathers(EpiloguePlan& out) {
  for (EpilogueOperandPlan& input : out.inputs) {
    input.packed.reset();
    if (input.is_bits && input.extent == EpilogueExtent::elements && out.drain &&
        input.order == out.d_order)
      input.packed = bit_words(out, input, WordsEnd::in_turns);
  }
  for (EpilogueOperandPlan& output : out.outputs) {
    output.packed.reset();
    if (output.is_bits) output.packed = bit_words(out, output, WordsEnd::anywhere);
    output.lines.reset();
    if (!is_of_lines(output)) continue;
    const Address& place = is_of_rows(output.gather) ? out.m : out.n;
    ThreadLines values = thread_lines(place.value);
    GatherLines lines;
    lines.slot = std::move(values.slot);
    lines.line = std::move(values.line);
    set_threads(lines, place.thread.layout());
    output.lines = lines;
  }
}

int draining_warps(const GemmStep& step) { return (draining_threads(step) + 31) / 32; }

std::vector<WorkspaceRegion> gather_regions(const GemmStep& step) {
  if (!gathers(step.epilogue)) return {};
  const std::array<Count, 3> grid = tile_grid(step);
  std::vector<WorkspaceRegion> regions;
  const auto add_counters = [&](const std::string& name, const Count& counters) {
    regions.push_back({name, round_up(counters * kCounterBytes, kRegionUnit), true});
  };
  if (gathers_all(step.epilogue)) add_counters("gathered", grid[2]);
  constexpr Index kWholeBytes = 8;
  const Index value_bytes = gathered_whole(step.epilogue).empty()
                                ? Index{width_bytes(step.epilogue.compute)}
                                : kWholeBytes;
  const Count values = (grid[0] * grid[1] + 1) * grid[2] * Index{draining_warps(step)};
  for (size_t i = 0; i < step.epilogue.outputs.size(); ++i) {
    const EpilogueOperandPlan& output = step.epilogue.outputs[i];
    if (!is_gathered(output)) continue;
    const bool of_rows = is_of_rows(output.gather);
    const Index tile_lines = (of_rows ? step.tile.m : step.tile.n) * Index{parts_of(output)};
    if (is_of_lines(output))
      add_counters(base::format("lines{}", i), grid[of_rows ? 0 : 1] * grid[2]);
    const bool is_amax = output.gather == EpilogueGather::amax;  // warps raise one value
    const Count of_lines = grid[0] * grid[1] * grid[2] * tile_lines;
    const Count& count = is_of_lines(output) ? of_lines : is_amax ? grid[2] : values;
    regions.push_back(
        {base::format("partials{}", i), round_up(count * value_bytes, kRegionUnit), is_amax});
  }
  return regions;
}

Errors gather_rules(const GemmStep& step) {
  Errors errors;
  if (!gathers(step.epilogue)) return errors;
  if (step.schedule.ping_pong > 1)
    errors.push_back(broken("ping_pong", std::to_string(step.schedule.ping_pong),
                            "an epilogue that gathers must have one team", "1"));
  if (draining_threads(step) % 32 != 0)
    errors.push_back(broken("atom_layout", to_string(step.mma.atom_layout()),
                            "an epilogue that gathers must have whole warps of threads"));
  if (!names(step.epilogue.expression, EpilogueOp::block_amax)) return errors;
  if (!holds_whole_blocks(step))
    errors.push_back(
        broken("tile", base::format("{}x{}", step.tile.m, step.tile.n),
               "a tile of an epilogue that names amax of blocks must be as wide, or as "
               "high, as a block, and whole blocks the other way",
               "128x128"));
  if (step.epilogue.store != Store::direct)
    errors.push_back(broken("epilogue.store", "staged",
                            "threads must store what they found the largest magnitude of"));
  if (step.schedule.reduction == SplitK::all_add)
    errors.push_back(broken("reduction", "all_add",
                            "amax of blocks must be taken by who has all of a tile's sums",
                            "last_adds"));
  return errors;
}

}  // namespace jute::plan
