// Writes how warps put what they find in tiles together.
#include "codegen/gathers.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/plan/derive/drain/gather_turns.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "base/format.hpp"
#include "codegen/bits.hpp"
#include "codegen/block_lines.hpp"
#include "codegen/edges.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/frame_shares.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// A gathered output and its place, which the kernel's names end with.
struct Gathered {
  const EpilogueOperandPlan* plan;
  std::size_t place;
  [[nodiscard]] bool is_amax() const { return is_largest(plan->gather); }
  [[nodiscard]] const char* combine() const {
    return !is_amax() ? "Sum" : plan->lines ? "AmaxOfLine" : "Amax";
  }
  [[nodiscard]] const char* type() const { return plan->is_bits ? "bool" : "Compute"; }
  [[nodiscard]] std::string name() const { return base::format("gathered{}", place); }
  [[nodiscard]] BitMatrix bits() const { return {*plan, place, false}; }
  /// The statement that adds a value to what there is.
  [[nodiscard]] std::string adds(const std::string& to, const std::string& bit,
                                 const std::string& value) const {
    return assign(to, plan->is_bits
                          ? base::format("{} | unsigned({}) << {}", to, value, bit)
                          : base::format("{1}()({0}, Gathered({2}))", to, combine(), value));
  }
  /// Where it adds one of a thread's values.
  [[nodiscard]] std::string target(const std::string& value) const {
    if (plan->is_bits) return element(name(), word_text(bits(), value));
    return plan->lines ? element(name(), base::format("line_slot{}({})", place, value)) : name();
  }
};

/// Outputs that threads keep until a tile is drained: matrices of bits and what is gathered.
std::vector<Gathered> kept(const GemmStep& step) {
  std::vector<Gathered> list;
  for (std::size_t i = 0; i < step.epilogue.outputs.size(); ++i)
    if (const EpilogueOperandPlan& output = step.epilogue.outputs[i];
        output.is_bits || output.gather != EpilogueGather::elements)
      list.push_back({&output, i});
  return list;
}
std::vector<Gathered> gathered(const GemmStep& step) {
  std::vector<Gathered> list = kept(step);
  std::erase_if(list, [](const Gathered& output) { return output.plan->is_bits; });
  return list;
}

/// One of a file's pieces for an output.
Piece piece_of(const TemplateSet& templates, const Gathered& output, const char* file,
               const char* name) {
  return Piece(templates, base::format("epilogue/{}.cu ({})", file, name))
      .fill("name", output.plan->name)
      .fill("place", static_cast<Index>(output.place))
      .fill_if("combine", output.combine());
}

std::string tile_text(const TemplateSet& templates, const GemmStep& step, const Gathered& output) {
  const bool of_rows = is_of_rows(output.plan->gather);
  constexpr std::array kParts{"",        "most", "tile",   "rows",
                              "columns", "rows", "columns"};  // by EpilogueGather
  Piece piece = piece_of(templates, output, "gather", kParts.at(size_t(output.plan->gather)));
  const char* const of_drain = step.epilogue.store == Store::staged_rows ? "row" : "out";
  if (!output.plan->lines) return piece.text();
  const int turns = sharing_turns(step.epilogue, *output.plan->lines);
  const auto lines = [&](const char* name) {
    return piece_of(templates, output, "gather", name).text();
  };
  return piece.fill("base", base::format("{}_{}_base", of_drain, of_rows ? "m" : "n"))
      .fill("lines",
            (turns == 1 ? lines("all lines") : "") + lines(turns > 0 ? "shared lines" : "lines"))
      .text();
}

/// How a frame counts tiles and how those who drain wait for each other.
struct DrainFrame {
  const char *along_m, *along_n, *tiles, *barrier, *any;
};
DrainFrame drain_frame(const GemmStep& step) {
  constexpr const char *kX = "static_cast<int>(gridDim.x)", *kY = "static_cast<int>(gridDim.y)";
  const TilesFrom tiles = shares_of(step).tiles;
  if (tiles != TilesFrom::schedule) {
    const bool of_grid = tiles == TilesFrom::grid, all = !of_grid && parts_of_k(step) == 1;
    return {of_grid ? kX : "tiles_m", of_grid ? kY : "tiles_n", "1",
            all ? "__syncthreads()" : "group_barrier(0, kDrainThreads)",
            all ? "__syncthreads_or(" : "any_in_group(0, kDrainThreads, "};
  }
  constexpr const char* kBarrier = "group_barrier(kGroups, 32 * kConsumerWarps)";
  constexpr const char* kAny = "any_in_group(kGroups, 32 * kConsumerWarps, ";
  if (lies_along_n(step.schedule)) return {kY, kX, "1", kBarrier, kAny};
  if (!walks(step.schedule)) return {kX, kY, "1", kBarrier, kAny};
  return {"(m + kClusterM * kTileM - 1) / (kClusterM * kTileM) * kClusterM",
          "(n + kClusterN * kTileN - 1) / (kClusterN * kTileN) * kClusterN", "gathered_tiles",
          kBarrier, kAny};
}

/// The sums of lines by the block that ends their tiles.
std::string lines_end_text(const TemplateSet& templates, const DrainFrame& frame,
                           const Gathered& output) {
  const bool of_rows = is_of_rows(output.plan->gather);
  const auto along = [&](Piece&& piece) {
    return piece.fill("along", of_rows ? "m" : "n").fill("across", of_rows ? "n" : "m");
  };
  Piece add =
      piece_of(templates, output, "gather_end", "lines_add").fill("Along", of_rows ? "M" : "N");
  return along(Piece(templates, "epilogue/gather_end.cu (lines)"))
      .fill("barrier", frame.barrier)
      .fill("any", frame.any)
      .fill("place", static_cast<Index>(output.place))
      .fill("add", along(std::move(add)).text())
      .text();
}

std::string end_text(const TemplateSet& templates, const GemmStep& step) {
  const DrainFrame frame = drain_frame(step);
  std::string add, store;
  for (const Gathered& output : gathered(step)) {
    if (output.plan->lines) continue;
    if (!output.is_amax()) add += piece_of(templates, output, "gather_end", "add").text();
    store += piece_of(templates, output, "gather_end", output.is_amax() ? "take" : "store").text();
  }
  if (store.empty()) return {};
  return Piece(templates, "epilogue/gather_end.cu")
      .fill("barrier", frame.barrier)
      .fill("any", frame.any)
      .fill("tiles", frame.tiles)
      .fill("add", add)
      .fill("store", store)
      .text();
}

}  // namespace

std::string gather_constants(const GemmStep& step) {
  if (kept(step).empty() && !step.epilogue.blocks) return {};
  std::string text =
      constant("kDrainWarps", ceil_div(size(step.mma) / parts_of_k(step), 32), "that drain a tile");
  text += block_constants(step);
  for (const Gathered& output : kept(step)) {
    const auto of_output = [&](const char* name, Index value, const char* comment) {
      return constant(base::format("{}{}", name, output.place), value, comment);
    };
    if (!output.plan->lines) continue;
    const GatherLines& lines = *output.plan->lines;
    text += of_output("kSlots", size(lines.line), "lines that a thread has elements of") +
            of_output("kLanes", lines.lanes, "bits in which lanes with the same lines differ") +
            of_output("kParts", lines.parts, "that warps have of a line of the tile");
    if (const int turns = sharing_turns(step.epilogue, lines); turns > 0)
      text +=
          of_output("kTurnLines", size(lines.line) / turns, "lines that a turn of the drain ends");
  }
  return text;
}

std::string gather_functions(const TemplateSet& templates, const GemmStep& step) {
  std::string text, sharing, of_line;
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i)
    if (step.epilogue.inputs[i].packed)
      text += word_functions(step, {step.epilogue.inputs[i], i, true});
  if (kept(step).empty() && !step.epilogue.blocks) return text;
  text += Piece(templates, "epilogue/gather.cu").text();
  if (step.epilogue.blocks) {
    of_line = Piece(templates, "epilogue/gather.cu (amax of lines)").text();
    text += block_functions(step);
  }
  if (kept(step).empty()) return text + of_line;
  const std::set<DType> whole = gathered_whole(step.epilogue);
  text += alias("Gathered", whole.empty() ? "Compute" : "long long") +
          whole_conversions(templates, whole);
  for (const Gathered& output : kept(step)) {
    if (output.plan->is_bits) {
      text += word_functions(step, output.bits());
      sharing = Piece(templates, "epilogue/gather.cu (sharing)").text();
    }
    if (!output.plan->lines) continue;
    if (output.is_amax()) of_line = Piece(templates, "epilogue/gather.cu (amax of lines)").text();
    if (sharing_turns(step.epilogue, *output.plan->lines) > 0)
      sharing = Piece(templates, "epilogue/gather.cu (sharing)").text();
    const GatherLines& lines = *output.plan->lines;
    text += layout_function(base::format("line_slot{}", output.place),
                            "of a thread's lines, the one that a value belongs to", lines.slot) +
            layout_function(base::format("line_of{}", output.place),
                            "where a line lies in the tile, from the thread's first", lines.line) +
            layout_function(base::format("line_part{}", output.place),
                            "which part of its lines a thread's warp has", lines.part);
  }
  return text + of_line + sharing;
}

std::string gather_parameters(const GemmStep& step) {
  std::string text;
  for (const Gathered& output : kept(step)) {
    if (!step.epilogue.drain && text.empty()) text += ", bool counts";
    text += step.epilogue.drain ? base::format(", {}& found{}", output.type(), output.place)
            : output.plan->is_bits
                ? base::format(", unsigned& {}, int bit{}", output.name(), output.place)
                : base::format(", Gathered& {}", output.name());
  }
  return text;
}

std::string gather_statement(const GemmStep& step, std::size_t place, const std::string& value) {
  for (const Gathered& output : kept(step))
    if (output.place == place)
      return step.epilogue.drain
                 ? assign(base::format("found{}", place), value)
                 : "if (counts) " + output.adds(output.name(), base::format("bit{}", place), value);
  return {};
}

std::string gather_arguments(const GemmStep& step, const std::string& counts,
                             const std::string& value) {
  std::string text;
  for (const Gathered& output : kept(step))
    text += step.epilogue.drain
                ? ", " + element(base::format("found{}", output.place), value)
                : (text.empty() ? ", " + counts : std::string()) + ", " + output.target(value) +
                      (output.plan->is_bits ? ", " + bit_text(output.bits(), value) : "");
  return text;
}

std::string gather_before_tiles(const TemplateSet& templates, const GemmStep& step) {
  if (!walks(step.schedule) || std::ranges::all_of(kept(step), [](const Gathered& output) {
        return output.plan->is_bits || output.plan->lines;
      }))
    return {};
  return Piece(templates, "epilogue/gather_end.cu (tiles)").text();
}

std::string drain_barrier(const GemmStep& step) { return drain_frame(step).barrier; }

std::string gather_before_drain(const TemplateSet& templates, const GemmStep& step) {
  std::string text;
  for (const Gathered& output : kept(step)) {
    if (step.epilogue.drain)
      text += base::format("{} found{}[kSubtileElems];\n", output.type(), output.place);
    text +=
        output.plan->is_bits
            ? words_piece(templates, output.bits(), "values")
                  .fill("worker", step.schedule.ping_pong > 1 ? "worker" : "thread_again()")
                  .text()
            : piece_of(templates, output, "gather", output.plan->lines ? "values" : "value").text();
  }
  return text;
}

std::string gather_in_turn(const TemplateSet& templates, const GemmStep& step) {
  if (kept(step).empty()) return {};
  std::string lines;
  for (const Gathered& output : kept(step))
    lines += output.adds(output.target("value"),
                         output.plan->is_bits ? bit_text(output.bits(), "value") : "",
                         element(base::format("found{}", output.place), "e"));
  std::string text = Piece(templates, "epilogue/gather.cu (found)").fill("gather", lines).text();
  const bool whole_m = has_whole_tiles(step, Operand::a),
             whole_n = has_whole_tiles(step, Operand::b);
  if (const std::string tile = inside_tile(step); !tile.empty())
    text = Piece(templates, "epilogue/gather.cu (found inside)")
               .fill("tile", tile)
               .fill("element", joined({{whole_m, "in_row + out_m(value) < m"},
                                        {whole_n, "in_col + out_n(value) < n"}}))
               .fill("found", text)
               .fill("gather", lines)
               .text();
  for (const Gathered& output : kept(step)) {
    if (output.plan->is_bits && word_turns(step.epilogue, *output.plan->packed) > 1)
      text += stored_words(templates, step, output.bits())
                  .fill("turn", "a turn")
                  .fill("of_turn", base::format("turn * kTurnWordsOut{} + ", output.place))
                  .text();
    if (output.plan->lines && sharing_turns(step.epilogue, *output.plan->lines) > 1)
      text += piece_of(templates, output, "gather", "turn").text();
  }
  return text;
}

std::string gather_after_drain(const TemplateSet& templates, const GemmStep& step) {
  std::string text;
  for (const Gathered& output : kept(step))
    if (output.plan->is_bits && word_turns(step.epilogue, *output.plan->packed) == 1)
      text += stored_words(templates, step, output.bits())
                  .fill("turn", "the tile")
                  .fill("of_turn", "")
                  .text();
  if (gathered(step).empty()) return text;
  const DrainFrame frame = drain_frame(step);
  text += Piece(templates, "epilogue/gather.cu (places)")
              .fill("along_m", frame.along_m)
              .fill("along_n", frame.along_n)
              .text();
  for (const Gathered& output : gathered(step)) {
    text += tile_text(templates, step, output);
    if (output.plan->lines) text += lines_end_text(templates, frame, output);
  }
  const std::string end = end_text(templates, step);
  if (!walks(step.schedule) || end.empty()) return text + end;
  return text + Piece(templates, "epilogue/gather_end.cu (walk)").fill("end", end).text();
}

}  // namespace jute::codegen
