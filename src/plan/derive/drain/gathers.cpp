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

}  // namespace

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
  return std::ranges::any_of(epilogue.outputs, is_gathered);
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
  if (step.schedule.teams > 1)
    errors.push_back(broken("teams", std::to_string(step.schedule.teams),
                            "an epilogue that gathers must have one team", "1"));
  if (draining_threads(step) % 32 != 0)
    errors.push_back(broken("atom_layout", to_string(step.mma.atom_layout()),
                            "an epilogue that gathers must have whole warps of threads"));
  return errors;
}

}  // namespace jute::plan
