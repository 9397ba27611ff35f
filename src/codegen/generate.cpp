// Pieces -> Source.
#include <jute/codegen/generate.hpp>
#include <jute/emit/constants.hpp>
#include <jute/emit/contents.hpp>
#include <jute/emit/copy_functions.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/piece.hpp>
#include <jute/emit/unnamed_constants.hpp>
#include <jute/plan/banner.hpp>

#include <set>

#include "base/format.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/kernel.hpp"
#include "codegen/mma.hpp"
#include "codegen/moves.hpp"
#include "codegen/operand.hpp"
#include "codegen/parameters.hpp"
#include "codegen/specialised.hpp"
#include "codegen/straight.hpp"

namespace jute {
namespace {

using namespace codegen;

std::string types_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::set<DType> used{step.a.type, step.b.type, step.epilogue.d_type, step.accumulate};
  if (step.epilogue.beta != Scale::zero) used.insert(step.epilogue.c_type);
  codegen::add_operand_types(used, step);
  std::string text;
  for (const DType type : used) text += element_type(kernel.templates, type, step.arch);
  text += codegen::output_conversions(kernel.templates, step);
  text +=
      base::format("typedef {} ElemA;\ntypedef {} ElemB;\n", name(step.a.type), name(step.b.type));
  if (step.epilogue.beta != Scale::zero)
    text += base::format("typedef {} ElemC;\n", name(step.epilogue.c_type));
  text += base::format("typedef {} ElemD;\ntypedef {} Accum;\ntypedef {} Compute;\n",
                       name(step.epilogue.d_type), name(step.accumulate),
                       codegen::compute_type(step.epilogue.compute));
  text += codegen::operand_types(step);
  text += "\n" + Piece(kernel.templates, "prelude/vector_access.cu").text() + "\n" +
          Piece(kernel.templates, "prelude/fragment.cu").text();
  const bool copies = step.a.transfer == Transfer::cp_async;
  const bool specialised = is_specialised(step);
  const bool stages_rows = step.epilogue.store == Store::staged_rows;
  if (copies || stages_rows || specialised || step.a.read_atom || step.b.read_atom)
    text += "\n" + Piece(kernel.templates, "prelude/shared_address.cu").text();
  if (copies) text += "\n" + async_copies(kernel.templates);
  if (stages_rows) text += "\n" + Piece(kernel.templates, "prelude/staging.cu").text();
  return text;
}

std::string k_step_constants(const Kernel& kernel) {
  const int at_once = kernel.step.schedule.k_steps_at_once;
  if (!codegen::reads_along_k(kernel.step))
    return constant("kKSteps", kernel.a.steps, "instructions along K in a stage");
  return constant("kStepsAtOnce", at_once,
                  "instructions along K whose fragments are read together") +
         constant("kKSteps", kernel.a.steps / at_once, "such reads in a stage");
}

/// The block and its share of the work.
std::string block_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  return "// The block: its tile of D, its stages, its k-steps.\n" +
         constant("kThreads", step.threads, "threads of a block") +
         constant("kBlocksPerSm", step.schedule.blocks_per_sm,
                  "blocks that an SM's registers are shared by") +
         constant("kTileM", step.tile.m, "rows of D that a block computes") +
         constant("kTileN", step.tile.n, "columns of D that a block computes") +
         constant("kTileK", step.tile.k, "k of one stage") +
         constant("kStages", step.schedule.stages,
                  "k-tiles in shared memory, landed or on their way") +
         constant("kRasterGroup", step.schedule.raster_group, "tiles along M that run together") +
         (is_specialised(step) ? codegen::specialised_constants(kernel)
          : is_straight(step)  ? codegen::straight_constants(kernel)
                               : constant("kSmemABytes", smem_region(step, "b").offset,
                                          "all stages of A; those of B follow")) +
         flag("kWholeTilesK", step.k.baked && step.k.value % step.tile.k == 0,
              "no k-tile reaches past K") +
         k_step_constants(kernel) +
         constant("kRepeatM", kernel.a.repeats, "instructions of a warp along M") +
         constant("kRepeatN", kernel.b.repeats, "instructions of a warp along N");
}

std::string accumulator_constants(const Kernel& kernel) {
  const TiledMma& mma = kernel.step.mma;
  const int accumulators = kernel.c.values * kernel.c.repeats * kernel.c.steps;
  const int atom_registers = registers(mma.atom(), Operand::c);
  const std::string_view cuda = cuda_type(register_of(mma.atom(), Operand::c));
  return "// The accumulators of a thread.\n" +
         constant("kAccumulators", accumulators, "elements of D") +
         constant("kAtomRegistersC", atom_registers, "registers of one instruction") +
         constant("kAccumulatorRegisters", atom_registers * kernel.c.repeats * kernel.c.steps,
                  "registers of all instructions") +
         base::format("typedef {} RegisterC;\n", cuda.empty() ? "Accum" : cuda) +
         "typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;\n";
}

std::string constants_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  return block_constants(kernel) + codegen::operand_constants(kernel.side_a, step) +
         codegen::operand_constants(kernel.side_b, step) + accumulator_constants(kernel) +
         codegen::epilogue_constants(step);
}

const char* row_template(const Kernel& kernel) {
  return codegen::reads_along_k(kernel.step) ? "mma/multiply.cu (steps)" : "mma/multiply.cu (row)";
}

std::string functions_text(const Kernel& kernel) {
  const auto heading = [](std::string_view what) {
    return base::format("// ---- {} ----\n", what);
  };
  const std::string prelude = is_specialised(kernel.step)
                                  ? codegen::specialised_prelude(kernel) + "\n"
                              : is_straight(kernel.step) ? codegen::straight_prelude(kernel) + "\n"
                                                         : "";
  return prelude + heading("A: where it is copied from, put, and read") +
         codegen::operand_functions(kernel.templates, kernel.side_a) + "\n" +
         heading("B: likewise") + codegen::operand_functions(kernel.templates, kernel.side_b) +
         "\n" + heading("D: from accumulators to memory") +
         codegen::epilogue_functions(kernel.templates, kernel.step) + "\n" +
         codegen::mma_function(kernel.templates, kernel.step) +
         (kernel.step.a.descriptor ? "" : Piece(kernel.templates, row_template(kernel)).text()) +
         (is_specialised(kernel.step) ? "\n" + codegen::specialised_functions(kernel) : "");
}

/// Literals, the tile of this block, and where its threads read.
std::string share_text(const Kernel& kernel) {
  return codegen::literal_text(kernel.step) + Piece(kernel.templates, "kernel/raster.cu").text() +
         codegen::source_piece(kernel.templates, kernel.side_a) +
         codegen::source_piece(kernel.templates, kernel.side_b);
}

std::string ways_text(const Kernel& kernel) {
  return codegen::load_piece(kernel.templates, kernel.side_a) +
         codegen::load_piece(kernel.templates, kernel.side_b) +
         codegen::feed_piece(kernel.templates, kernel.side_a) +
         codegen::feed_piece(kernel.templates, kernel.side_b);
}

// Where the symbol and the contents will stand.
constexpr std::string_view kSymbol = "\1", kContents = "\2\n";

/// The symbol is the base name and a hash of the text with an empty symbol.
Source named(const Piece& piece, const StepHead& head) {
  std::string text = without_unnamed_constants(composed(piece.text()));
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

/// What every frame has: the words of its text, and the kernel's name and parameters.
Piece frame(const Kernel& kernel, const char* path) {
  Piece piece(kernel.templates, path);
  piece
      .fill("words", banner(kernel.step) + std::string(kContents) + "\n" + types_text(kernel) +
                         "\n" + constants_text(kernel) + "\n" + functions_text(kernel))
      .fill("signature", base::format("{}(\n{})", kSymbol, codegen::parameter_text(kernel.step)));
  return piece;
}

Source specialised_source(const Kernel& kernel) {
  codegen::SpecialisedBody body = codegen::specialised_body(kernel);
  Piece piece = frame(kernel, "kernel/warp_specialised.cu");
  piece.fill("share", codegen::literal_text(kernel.step) + body.share)
      .fill("producer", std::move(body.producer))
      .fill("consumer", std::move(body.consumer))
      .fill("leave", std::move(body.leave));
  return named(piece, kernel.step);
}

Source multistage_source(const Kernel& kernel) {
  const TemplateSet& set = kernel.templates;
  Piece piece = frame(kernel, "kernel/multistage.cu");
  piece
      .fill("share", share_text(kernel) + Piece(set, "mainloop/k_tiles.cu").text() +
                         Piece(set, "mainloop/k_tiles.cu (addresses)").text() + ways_text(kernel) +
                         Piece(set, "mainloop/stages.cu").text() +
                         Piece(set, "mainloop/stages.cu (interleave)").text())
      .fill("epilogue", codegen::epilogue_piece(set, kernel.step));
  return named(piece, kernel.step);
}

Source register_staged_source(const Kernel& kernel) {
  const TemplateSet& set = kernel.templates;
  const bool by_matrix = kernel.step.a.read_atom || kernel.step.b.read_atom;
  Piece piece = frame(kernel, "kernel/register_staged.cu");
  piece
      .fill("share", share_text(kernel) + Piece(set, "mainloop/k_tiles.cu").text() +
                         (by_matrix ? Piece(set, "mainloop/k_tiles.cu (addresses)").text() : "") +
                         ways_text(kernel))
      .fill("multiply", codegen::multiply_piece(set, kernel.step.schedule.unrolled_k_steps))
      .fill("epilogue", codegen::epilogue_piece(set, kernel.step));
  return named(piece, kernel.step);
}

Source straight_source(const Kernel& kernel) {
  codegen::StraightBody body = codegen::straight_body(kernel);
  Piece piece = frame(kernel, "kernel/straight.cu");
  piece.fill("share", std::move(body.share))
      .fill("start", std::move(body.start))
      .fill("settle", std::move(body.settle))
      .fill("epilogue", std::move(body.epilogue));
  return named(piece, kernel.step);
}

Source generate_step(const GemmStep& step, const TemplateSet& templates) {
  const Kernel kernel(step, templates);
  if (is_straight(step)) return straight_source(kernel);
  if (is_specialised(step)) return specialised_source(kernel);
  return step.a.transfer == Transfer::cp_async ? multistage_source(kernel)
                                               : register_staged_source(kernel);
}

Source generate_step(const MoveStep& step, const TemplateSet& templates) {
  Piece piece = codegen::move_piece(step, templates);
  piece.fill("signature", base::format("{}(\n{})", kSymbol, codegen::parameter_text(step)));
  return named(piece, step);
}

}  // namespace

std::vector<Source> generate(const Plan& plan, const TemplateSet& templates) {
  std::vector<Source> sources;
  for (const Step& step : plan.steps)
    sources.push_back(
        std::visit([&](const auto& one) { return generate_step(one, templates); }, step));
  return sources;
}

}  // namespace jute
