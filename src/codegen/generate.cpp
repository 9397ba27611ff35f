// Pieces -> Source.
#include <jute/codegen/generate.hpp>

#include <fmt/format.h>

#include <set>

#include "codegen/banner.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/mma.hpp"
#include "codegen/operand.hpp"
#include "codegen/parameters.hpp"
#include "codegen/piece.hpp"

namespace jute {
namespace {

using codegen::OperandSide;
using codegen::Piece;

/// A step with what its pieces share.
struct Kernel {
  const GemmStep& step;
  const TemplateSet& templates;
  plan::Fragment a, b, c;
  OperandSide side_a, side_b;

  Kernel(const GemmStep& gemm, const TemplateSet& set)
      : step(gemm),
        templates(set),
        a(plan::fragment(gemm.mma, Operand::a, gemm.tile)),
        b(plan::fragment(gemm.mma, Operand::b, gemm.tile)),
        c(plan::fragment(gemm.mma, Operand::c, gemm.tile)),
        side_a{&gemm.a, &a, "a", "A", "m", "M", gemm.tile.m},
        side_b{&gemm.b, &b, "b", "B", "n", "N", gemm.tile.n} {}
  Kernel(const Kernel&) = delete;
};

std::string convert_template(DType type, Arch arch) {
  if (type == DType::bf16 && arch.number < 80) return "convert/bf16_sm75.cu";
  return fmt::format("convert/{}.cu", name(type));
}

std::string types_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::set<DType> used{step.a.type, step.b.type, step.epilogue.d_type, step.accumulate};
  if (step.epilogue.beta != Scale::zero) used.insert(step.epilogue.c_type);
  std::string text;
  for (const DType type : used)
    text += Piece(kernel.templates, convert_template(type, step.arch)).text();
  text +=
      fmt::format("typedef {} ElemA;\ntypedef {} ElemB;\n", name(step.a.type), name(step.b.type));
  if (step.epilogue.beta != Scale::zero)
    text += fmt::format("typedef {} ElemC;\n", name(step.epilogue.c_type));
  text += fmt::format("typedef {} ElemD;\ntypedef {} Accum;\ntypedef {} Compute;\n",
                      name(step.epilogue.d_type), name(step.accumulate),
                      codegen::compute_type(step.accumulate));
  return text + "\n" + Piece(kernel.templates, "prelude/vector_access.cu").text();
}

std::string constants_text(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  std::string text;
  const auto constant = [&](std::string_view name, Index value) {
    text += fmt::format("constexpr int {} = {};\n", name, value);
  };
  constant("kThreads", step.threads);
  constant("kBlocksPerSm", step.blocks_per_sm);
  constant("kTileM", step.tile.m);
  constant("kTileN", step.tile.n);
  constant("kTileK", step.tile.k);
  constant("kStages", step.stages);
  constant("kRasterGroup", step.raster_group);
  constant("kSmemABytes", step.smem_a_bytes);
  text += codegen::operand_constants(kernel.side_a) + codegen::operand_constants(kernel.side_b);
  constant("kKSteps", kernel.a.steps);
  constant("kRepeatM", kernel.a.repeats);
  constant("kRepeatN", kernel.b.repeats);
  constant("kValuesC", kernel.c.values);
  constant("kAccumulators", kernel.c.values * kernel.c.repeats * kernel.c.steps);
  constant("kOutElems", step.epilogue.vector_elems);
  if (step.epilogue.beta != Scale::zero) constant("kInElems", step.epilogue.c_vector_elems);
  return text;
}

std::string functions_text(const Kernel& kernel) {
  return codegen::operand_functions(kernel.side_a) + codegen::operand_functions(kernel.side_b) +
         codegen::epilogue_functions(kernel.step, kernel.c) + "\n" +
         codegen::mma_function(kernel.templates, kernel.step);
}

std::string mainloop_text(const Kernel& kernel) {
  const auto both = [&](auto piece) {
    return piece(kernel.templates, kernel.side_a) + piece(kernel.templates, kernel.side_b);
  };
  Piece multiply(kernel.templates, "mma/multiply_tile.cu");
  multiply.fill("read", both(codegen::read_piece));
  return Piece(kernel.templates, "mainloop/register_staged.cu")
      .fill("load", both(codegen::load_piece))
      .fill("store", both(codegen::store_piece))
      .fill("multiply", multiply.text())
      .text();
}

Source generate_gemm(const GemmStep& step, const TemplateSet& templates) {
  const Kernel kernel(step, templates);
  const codegen::ParameterList parameters = codegen::parameters(step);
  Piece piece(templates, "kernel/smem_gemm.cu");
  piece.fill("banner", codegen::banner(step))
      .fill("types", types_text(kernel))
      .fill("constants", constants_text(kernel))
      .fill("functions", functions_text(kernel))
      .fill("parameters", parameters.text)
      .fill("extents", parameters.constants)
      .fill("raster", Piece(templates, "kernel/raster.cu").text())
      .fill("operands", codegen::source_piece(templates, kernel.side_a) +
                            codegen::source_piece(templates, kernel.side_b))
      .fill("mainloop", mainloop_text(kernel))
      .fill("epilogue", codegen::epilogue_piece(templates, step))
      .fill("symbol", "");
  const std::uint32_t hash = static_cast<std::uint32_t>(codegen::hash_of(piece.text()));
  Source source;
  source.symbol = fmt::format("{}_{:08x}", step.symbol, hash);
  source.text = piece.fill("symbol", source.symbol).text();
  source.arch = step.arch;
  source.signature = parameters.signature;
  source.threads_per_block = step.threads;
  source.dynamic_smem_bytes = step.dynamic_smem_bytes;
  return source;
}

}  // namespace

std::vector<Source> generate(const Plan& plan, const TemplateSet& templates) {
  std::vector<Source> sources;
  for (const Step& step : plan.steps)
    sources.push_back(
        std::visit([&](const GemmStep& gemm) { return generate_gemm(gemm, templates); }, step));
  return sources;
}

}  // namespace jute
