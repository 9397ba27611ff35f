// Pieces -> Source.
#include <jute/codegen/generate.hpp>
#include <jute/emit/interface.hpp>
#include <jute/emit/piece.hpp>

#include <set>

#include "base/format.hpp"
#include "codegen/banner.hpp"
#include "codegen/constant_text.hpp"
#include "codegen/contents.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/kernel.hpp"
#include "codegen/mma.hpp"
#include "codegen/operand.hpp"
#include "codegen/parameters.hpp"
#include "codegen/specialised.hpp"
#include "codegen/unnamed_constants.hpp"

namespace jute {
namespace {

using codegen::constant;
using codegen::flag;
using codegen::Kernel;

std::string convert_template(DType type, Arch arch) {
  if (type == DType::bf16 && arch.number < 80) return "convert/bf16_sm75.cu";
  return base::format("convert/{}.cu", name(type));
}

bool is_specialised(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::warp_specialised;
}

std::string types_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::set<DType> used{step.a.type, step.b.type, step.epilogue.d_type, step.accumulate};
  if (step.epilogue.beta != Scale::zero) used.insert(step.epilogue.c_type);
  std::string text;
  for (const DType type : used)
    text += Piece(kernel.templates, convert_template(type, step.arch)).text();
  text +=
      base::format("typedef {} ElemA;\ntypedef {} ElemB;\n", name(step.a.type), name(step.b.type));
  if (step.epilogue.beta != Scale::zero)
    text += base::format("typedef {} ElemC;\n", name(step.epilogue.c_type));
  text += base::format("typedef {} ElemD;\ntypedef {} Accum;\ntypedef {} Compute;\n",
                       name(step.epilogue.d_type), name(step.accumulate),
                       codegen::compute_type(step.accumulate));
  text += "\n" + Piece(kernel.templates, "prelude/vector_access.cu").text();
  const bool copies = step.a.transfer == Transfer::cp_async;
  const bool specialised = is_specialised(step);
  const bool stages_rows = step.epilogue.store == Store::staged_rows;
  if (copies || stages_rows || specialised || step.a.read_atom || step.b.read_atom)
    text += "\n" + Piece(kernel.templates, "prelude/shared_address.cu").text();
  if (copies) text += "\n" + Piece(kernel.templates, "prelude/cp_async.cu").text();
  if (stages_rows) text += "\n" + Piece(kernel.templates, "prelude/staging.cu").text();
  return text;
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
                               : constant("kSmemABytes", smem_region(step, "b").offset,
                                          "all stages of A; those of B follow")) +
         flag("kWholeTilesK", step.k.baked && step.k.value % step.tile.k == 0,
              "no k-tile reaches past K") +
         constant("kKSteps", kernel.a.steps, "instructions along K in a stage") +
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

std::string functions_text(const Kernel& kernel) {
  const auto heading = [](std::string_view what) {
    return base::format("// ---- {} ----\n", what);
  };
  const std::string prelude =
      is_specialised(kernel.step) ? codegen::specialised_prelude(kernel) + "\n" : "";
  return prelude + heading("A: where it is copied from, put, and read") +
         codegen::operand_functions(kernel.templates, kernel.side_a) + "\n" +
         heading("B: likewise") + codegen::operand_functions(kernel.templates, kernel.side_b) +
         "\n" + heading("D: from accumulators to memory") +
         codegen::epilogue_functions(kernel.templates, kernel.step) + "\n" +
         codegen::mma_function(kernel.templates, kernel.step) +
         (is_specialised(kernel.step) ? "\n" + codegen::specialised_functions(kernel) : "");
}

std::string read_text(const Kernel& kernel, const codegen::ReadPlace& place) {
  return codegen::read_piece(kernel.templates, kernel.side_a, place) +
         codegen::read_piece(kernel.templates, kernel.side_b, place);
}

std::string multiply_row_text(const Kernel& kernel, const std::string& suffix) {
  return Piece(kernel.templates, "mma/multiply_row.cu")
      .fill("a", "a_frag" + suffix)
      .fill("b", "b_frag" + suffix)
      .text();
}

std::string register_staged_text(const Kernel& kernel) {
  const bool by_matrix = kernel.step.a.read_atom || kernel.step.b.read_atom;
  Piece multiply(kernel.templates, "mma/multiply_stage.cu");
  const int unrolled = kernel.step.schedule.unrolled_k_steps;
  multiply.fill("unrolled", unrolled == 0 ? "" : base::format(" {}", unrolled))
      .fill("read", read_text(kernel, {"", "read_stage", "k_step"}))
      .fill("multiply_row", multiply_row_text(kernel, ""));
  return Piece(kernel.templates, "mainloop/register_staged.cu")
      .fill("shared",
            by_matrix ? Piece(kernel.templates, "mainloop/shared_addresses.cu").text() : "")
      .fill("load", codegen::load_piece(kernel.templates, kernel.side_a) +
                        codegen::load_piece(kernel.templates, kernel.side_b))
      .fill("store", codegen::store_piece(kernel.templates, kernel.side_a) +
                         codegen::store_piece(kernel.templates, kernel.side_b))
      .fill("multiply", multiply.text())
      .text();
}

std::string multistage_text(const Kernel& kernel) {
  return Piece(kernel.templates, "mainloop/multistage.cu")
      .fill("shared", Piece(kernel.templates, "mainloop/shared_addresses.cu").text())
      .fill("copy_a", codegen::load_piece(kernel.templates, kernel.side_a))
      .fill("copy_b", codegen::load_piece(kernel.templates, kernel.side_b))
      .fill("read_first", read_text(kernel, {"[0]", "0", "0"}))
      .fill("read_next", read_text(kernel, {"[next_step % 2]", "read_stage", "next_step", true}))
      .fill("multiply_row", multiply_row_text(kernel, "[k_step % 2]"))
      .text();
}

std::string mainloop_text(const Kernel& kernel) {
  return kernel.step.a.transfer == Transfer::cp_async ? multistage_text(kernel)
                                                      : register_staged_text(kernel);
}

/// Who computes what, and when.
std::string story_text(const Kernel& kernel) {
  const bool copies = kernel.step.a.transfer == Transfer::cp_async;
  return Piece(kernel.templates,
               copies ? "mainloop/multistage_story.cu" : "mainloop/register_staged_story.cu")
      .text();
}

/// The symbol is the base name and a hash of the text with an empty symbol.
Source named(Piece piece, const StepHead& head) {
  const std::string mark = "\1";    // where the symbol will stand
  const std::string line = "\2\n";  // where the contents will
  if (piece.has_hole("contents")) piece.fill("contents", line);
  std::string text =
      codegen::without_unnamed_constants(composed(piece.fill("symbol", mark).text()));
  if (const size_t contents = text.find(line); contents != std::string::npos) {
    text.erase(contents, line.size());
    text.insert(contents, codegen::contents_of(text));
  }
  const size_t place = text.find(mark);
  text.erase(place, mark.size());
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

/// What every frame has.
Piece frame(const Kernel& kernel, const char* path) {
  Piece piece(kernel.templates, path);
  piece.fill("banner", codegen::banner(kernel.step))
      .fill("types", types_text(kernel))
      .fill("constants", constants_text(kernel))
      .fill("functions", functions_text(kernel))
      .fill("parameters", codegen::parameter_text(kernel.step))
      .fill("extents", codegen::literal_text(kernel.step));
  return piece;
}

/// What a block has to do.
const char* share_of_block(const KernelSchedule& schedule) {
  if (walks(schedule)) return "block walks over tiles of D";
  return schedule.slices > 1 ? "block has one slice of K for one tile of D"
                             : "block has one tile of D";
}

Source specialised_source(const Kernel& kernel) {
  Piece piece = frame(kernel, "kernel/warp_specialised.cu");
  codegen::SpecialisedBody body = codegen::specialised_body(kernel);
  piece.fill("rank", std::move(body.rank))
      .fill("tiles", share_of_block(kernel.step.schedule))
      .fill("walk", std::move(body.walk))
      .fill("k_tiles", std::move(body.k_tiles))
      .fill("load", std::move(body.load))
      .fill("start", std::move(body.start))
      .fill("producer", std::move(body.producer))
      .fill("consumer", std::move(body.consumer))
      .fill("leave", std::move(body.leave));
  return named(std::move(piece), kernel.step);
}

Source generate_step(const GemmStep& step, const TemplateSet& templates) {
  const Kernel kernel(step, templates);
  if (is_specialised(step)) return specialised_source(kernel);
  Piece piece = frame(kernel, "kernel/smem_gemm.cu");
  piece.fill("raster", Piece(templates, "kernel/raster.cu").text())
      .fill("operands", codegen::source_piece(templates, kernel.side_a) +
                            codegen::source_piece(templates, kernel.side_b))
      .fill("story", story_text(kernel))
      .fill("mainloop", mainloop_text(kernel))
      .fill("epilogue", codegen::epilogue_piece(templates, step));
  return named(std::move(piece), step);
}

/// Copies move bits, whatever they mean.
std::string_view bits_type(DType type) {
  switch (width_bytes(type)) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned";
    default:
      return "unsigned long long";
  }
}

Source generate_step(const PadStep& step, const TemplateSet& templates) {
  Piece piece(templates, "kernel/pad_rows.cu");
  piece.fill("elem", std::string(bits_type(step.type)))
      .fill("threads", step.threads)
      .fill("elems", step.vector_elems)
      .fill("vector_access", Piece(templates, "prelude/vector_access.cu").text());
  return named(std::move(piece), step);
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
