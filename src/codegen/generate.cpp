// Pieces -> Source.
#include <jute/codegen/generate.hpp>
#include <jute/emit/contents.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/folded_lines.hpp>
#include <jute/emit/instruction.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/kernel_first.hpp>
#include <jute/emit/piece.hpp>
#include <jute/emit/prelude.hpp>
#include <jute/emit/unnamed_constants.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>
#include <jute/plan/words/banner.hpp>

#include <array>
#include <set>

#include "base/format.hpp"
#include "base/own_stack.hpp"
#include "codegen/conversions.hpp"
#include "codegen/edges.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/frame_shares.hpp"
#include "codegen/frames.hpp"
#include "codegen/groups.hpp"
#include "codegen/line_ends.hpp"
#include "codegen/memory_words.hpp"
#include "codegen/parameters.hpp"
#include "codegen/product_scales.hpp"
#include "codegen/row_tables.hpp"
#include "codegen/stamps.hpp"
#include "codegen/views.hpp"

namespace jute {
namespace {

using namespace codegen;

std::string types_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::set<DType> used{step.a.type, step.b.type, step.epilogue.d_type, step.accumulate};
  if (c_read(step.epilogue.expression) != CRead::never) used.insert(step.epilogue.c_type);
  add_operand_types(used, step);
  add_stored_types(used, step.a);
  add_stored_types(used, step.b);
  std::string text;
  for (const DType type : used) text += element_type(kernel.templates, type, step.arch);
  text += output_conversions(kernel.templates, step) + conversion_types(kernel.templates, step);
  text += alias("ElemA", name(step.a.type)) + alias("ElemB", name(step.b.type));
  if (c_read(step.epilogue.expression) != CRead::never)
    text += alias("ElemC", name(step.epilogue.c_type));
  text += alias("ElemD", name(step.epilogue.d_type)) + alias("Accum", name(step.accumulate)) +
          alias("Compute", compute_type(step.epilogue.compute));
  text += operand_types(step);
  text += group_types(kernel);
  text += row_table_types(step);
  text += "\n" + Piece(kernel.templates, "prelude/vector_access.cu").text() + "\n" +
          Piece(kernel.templates, "prelude/vector_access.cu (elements)").text() + "\n" +
          Piece(kernel.templates, "prelude/fragment.cu").text();
  return text;
}

std::string k_tiles_text(const GemmStep& step) {
  const bool is_part = step.groups && step.groups->along == GroupedAlong::k;
  return assign("const int k_tiles",
                is_part ? "(k - first_k + kTileK - 1) / kTileK" : "(k + kTileK - 1) / kTileK");
}

/// The work of threads with each operand between products: `stored` for those that they convert,
/// `plain` for others, the operand's letter in place of %.
std::string of_operands(const Kernel& kernel, const std::string& stored, const std::string& plain) {
  std::string text;
  for (const OperandSide* side : {&kernel.side_a, &kernel.side_b}) {
    std::string line = has_stored_stages(*side->plan) ? stored : plain;
    for (size_t at = 0; (at = line.find('%', at)) != std::string::npos;)
      line.replace(at, 1, line[at + 1] == '%' ? side->upper : side->lower)
          .erase(at + 1, line[at + 1] == '%' ? 1 : 0);
    text += line;
  }
  return text;
}

std::string converting_piece(const Kernel& kernel) {
  return Piece(kernel.templates, "mainloop/stages.cu (converting)")
      .fill("ask", of_operands(kernel, call("ask_%", "write_stage"),
                               call("load_%",
                                    "shared_% + write_stage * kStageBytes%% + "
                                    "store_%_base(thread)")))
      .fill("load", of_operands(kernel, call("load_%", "stage"), ""))
      .fill("put", of_operands(kernel, call("put_%", "place"), ""))
      .text();
}

/// The frames of kernels whose stages all threads fill.
const char* staged_frame(const GemmStep& step) {
  if (transfer_of(step.a) != Transfer::cp_async) return "kernel/register_staged.cu";
  return converts_stages(step) ? "kernel/converting.cu" : "kernel/multistage.cu";
}

/// Every thread loads, stores into stages and multiplies.
Piece staged_body(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const bool is_async = transfer_of(step.a) == Transfer::cp_async, converts = converts_stages(step);
  const bool has_addresses = is_async || fragments_of(step.a).atom || fragments_of(step.b).atom;
  const bool sliced = takes_split_k(step);
  const KTileSums sums = sums_of_k_tile(kernel);
  Piece piece(kernel.templates, staged_frame(step));
  piece
      .fill("share", if_stamped(kernel, "kernel/stamp.cu (begin)") + literal_text(step) +
                         staged_place(kernel) +
                         (sliced ? text(kernel, step.schedule.whole_tiles > 0
                                                    ? "specialised/k_tiles.cu (some)"
                                                    : "specialised/k_tiles.cu (slice)")
                                 : "") +
                         source_piece(kernel.templates, kernel.side_a, sliced) +
                         source_piece(kernel.templates, kernel.side_b, sliced) +
                         part_of_k_sources(kernel) +
                         Piece(kernel.templates, "mainloop/k_tiles.cu")
                             .fill("k_tiles", sliced ? "" : k_tiles_text(step))
                             .text() +
                         scales_of_block(kernel) +
                         (has_addresses ? text(kernel, "mainloop/k_tiles.cu (addresses)") : "") +
                         ways_text(kernel) +
                         (converts   ? converting_piece(kernel)
                          : is_async ? text(kernel, "mainloop/stages.cu") +
                                           text(kernel, "mainloop/stages.cu (interleave)")
                                     : "") +
                         if_stamped(kernel, "kernel/stamp.cu (start)"))
      .fill_if("landed", stamp_piece(step, Moment::first_data))
      .fill_if("multiply", is_async && !converts ? "" : multiply_piece(kernel, sums))
      .fill_if("sums", sums.name)
      .fill_if("begin", sums.begin)
      .fill_if("add", sums.add)
      .fill("if_any", if_any(step))
      .fill("epilogue", stamped_epilogue(step, epilogue_piece(kernel.templates, step)));
  return piece;
}

std::string staged_constants(const Kernel& kernel) {
  return constant("kSmemABytes", smem_region(kernel.step, "b").offset,
                  "all stages of A; those of B follow") +
         stamp_constants(kernel.step) + scale_constants(kernel) +
         (kernel.step.promote_every_k > 0 ? constant("kPromoteTiles", 1, "k-tiles of a run") : "");
}
std::string staged_functions(const Kernel& kernel) {
  return stamp_functions(kernel) + scale_functions(kernel);
}
std::string straight_constants(const Kernel& kernel) {
  const int beside = tiles_beside(kernel.step.schedule);
  const std::string lines = line_end_constants(kernel.step) + stamp_constants(kernel.step);
  if (beside == 1) return lines;
  return constant("kMatricesPerBlock", beside, "of the batch, side by side in a block") +
         constant("kTileThreads", kernel.step.threads / beside, "threads of a tile") + lines;
}
std::string functions_behind(const Kernel& kernel) { return "\n" + specialised_functions(kernel); }

/// The pieces that a frame adds to the text of a kernel.
struct FrameRow {
  Piece (*body)(const Kernel&);
  std::string (*constants)(const Kernel&);  ///< of the block
  std::string (*functions)(const Kernel&);
  const char* ahead_of_functions;
};
/// In the order of frames.
constexpr std::array kFrames{
    FrameRow{straight_body, straight_constants, stamp_functions, "\n"},
    FrameRow{staged_body, staged_constants, staged_functions, ""},
    FrameRow{specialised_body, specialised_constants, functions_behind, "\n"}};
const FrameRow& frame_row_of(const GemmStep& step) { return kFrames.at(frame_of(step)); }

/// The block and its share of the work.
std::string block_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  return "// The block: its tile of D, its stages, its k-steps.\n" +
         constant("kThreads", step.threads, "threads of a block") +
         (kernel.side_a.has_ring || kernel.side_b.has_ring
              ? constant("kBlocksPerSm", 0,
                         "blocks that share an SM's registers: as many as find room")
              : constant("kBlocksPerSm", step.schedule.blocks_per_sm,
                         "blocks that an SM's registers are shared by")) +
         constant("kTileM", step.tile.m, "rows of D that a block computes") +
         constant("kTileN", step.tile.n, "columns of D that a block computes") +
         constant("kTileK", step.tile.k, "k of one stage") +
         constant("kStages", step.schedule.stages,
                  "k-tiles in shared memory, landed or on their way") +
         constant("kRasterWidth", step.schedule.raster_width,
                  base::format("tiles along {} that run together", has_widths(step) ? "N" : "M")) +
         frame_row_of(step).constants(kernel) + group_constants(step) +
         k_step_constants(kernel.a.steps, step.schedule.k_steps_at_once) +
         constant("kRepeatM", kernel.a.repeats, "instructions of a warp along M") +
         constant("kRepeatN", kernel.b.repeats, "instructions of a warp along N");
}

std::string constants_text(const Kernel& kernel) {
  const std::string text = block_constants(kernel) + operand_constants(kernel.side_a, kernel.step) +
                           operand_constants(kernel.side_b, kernel.step) +
                           accumulator_constants(kernel.step.mma.atom(), kernel.accumulators,
                                                 kernel.c.repeats * kernel.c.steps) +
                           epilogue_constants(kernel.step);
  if (says_cluster(kernel.step.schedule)) return without_launched(text, Launched::cluster);
  return has_widths(kernel.step) ? without_launched(text, Launched::columns) : text;
}

std::string functions_text(const Kernel& kernel) {
  const auto heading = [](std::string_view what) {
    return base::format("// ---- {} ----\n", what);
  };
  return boxes_of_more_dimensions(kernel.step, kernel.templates) +
         heading("A: where it is copied from, put, and read") +
         operand_functions(kernel.templates, kernel.side_a, kernel.step) + "\n" +
         heading("B: likewise") + operand_functions(kernel.templates, kernel.side_b, kernel.step) +
         "\n" + heading("D: from accumulators to memory") +
         epilogue_functions(kernel.templates, kernel.step) + "\n" +
         instructions_by_width(atoms_of_widths(kernel.step), kernel.templates) +
         (descriptor_of(kernel.step.b) || reads_along_k(kernel.step)
              ? ""
              : text(kernel, "mma/multiply.cu (row)")) +
         group_functions(kernel) + frame_row_of(kernel.step).functions(kernel);
}

// Where the symbol and the contents will stand.
constexpr std::string_view kSymbol = "\1", kContents = "// \2\n";

/// The symbol is the base name and a hash of the text with an empty symbol.
Source named(std::string text, const StepHead& head) {
  text =
      folded_lines(without_unnamed_constants(without_zero_strides(kernel_first(composed(text)))));
  if (const size_t contents = text.find(kContents); contents != std::string::npos) {
    text.erase(contents, kContents.size());
    text.insert(contents, contents_of(text));
  }
  const size_t place = text.find(kSymbol);
  text.erase(place, kSymbol.size());
  const auto hash = static_cast<std::uint32_t>(symbol_hash(text));
  Source source;
  source.symbol = base::format("{}_{:08x}", head.symbol, hash);
  source.text = text.insert(place, source.symbol);
  source.arch = head.arch;
  source.signature = signature(head);
  source.threads_per_block = head.threads;
  source.dynamic_smem_bytes = head.dynamic_smem_bytes;
  return source;
}

std::string signature_text(const StepHead& head) {
  return base::format("{}(\n{})", kSymbol, parameter_text(head));
}

/// Its own text, and before it the words that it is written in.
Source generate_step(const GemmStep& step, const TemplateSet& templates) {
  const Kernel kernel(step, templates);
  Piece piece =
      frame_row_of(step).body(kernel).fill("signature", signature_text(step)).fill("words", "");
  const std::string functions = functions_text(kernel),
                    own = types_text(kernel) + functions + piece.text(),
                    instructions = needed_by(
                        own,
                        prelude_of_instructions(
                            templates,
                            may_be_clustered(step.schedule) ? Blocks::in_clusters : Blocks::alone,
                            says_stages(step) ? StageCount::launched : StageCount::literal)),
                    accesses = needed_by(instructions + own, prelude_of_accesses(templates));
  piece.fill("words", banner(step) + memory_words(step) + std::string(kContents) + "\n" +
                          types_text(kernel) + accesses + "\n" + constants_text(kernel) + "\n" +
                          instructions + frame_row_of(step).ahead_of_functions + functions);
  return named(piece.text(), step);
}

Source generate_step(const MoveStep& step, const TemplateSet& templates) {
  return named(move_piece(step, templates).fill("signature", signature_text(step)).text(), step);
}

}  // namespace

std::vector<Source> generate(const Plan& plan, const TemplateSet& templates) {
  std::vector<Source> sources;
  for (const Step& step : plan.steps)
    sources.push_back(base::with_enough_stack([&] {
      return std::visit([&](const auto& one) { return generate_step(one, templates); }, step);
    }));
  for (const Plan& part : plan.behind)
    for (Source& source : generate(part, templates)) sources.push_back(std::move(source));
  return sources;
}

}  // namespace jute
