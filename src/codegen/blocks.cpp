// Writes how threads find the largest magnitudes of blocks of D, and store what is made of them.
#include "codegen/blocks.hpp"

#include "base/format.hpp"
#include "codegen/epilogue_expression.hpp"
#include "codegen/gathers.hpp"

namespace jute::codegen {

namespace {

/// How warps that have parts of the same blocks tell each other what they found.
std::string shared_piece(const TemplateSet& templates, const GemmStep& step) {
  if (step.epilogue.blocks->lines.parts == 1) return {};
  return Piece(templates, "epilogue/gather.cu (blocks of warps)")
      .fill("barrier", drain_barrier(step))
      .fill("base", step.epilogue.blocks->of_rows ? "out_m_base" : "out_n_base")
      .fill("block", step.epilogue.blocks->of_rows ? "kBlockM" : "kBlockN")
      .text();
}

/// The outputs that hold a number a block.
std::string stores(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const BlockLines& blocks = *out.blocks;
  std::string text;
  for (size_t i = 0; i < out.outputs.size(); ++i) {
    if (out.outputs[i].extent != EpilogueExtent::blocks) continue;
    const bool by_rows = out.outputs[i].order == Order::row;
    Piece piece(templates, "epilogue/gather.cu (store of a block)");
    text += piece.fill("name", out.outputs[i].name)
                .fill("place", static_cast<Index>(i))
                .fill("at", base::format("{} * ld_out{} + {}", by_rows ? "block_m" : "block_n", i,
                                         by_rows ? "block_n" : "block_m"))
                .fill("value", block_output_call(step, i))
                .fill("m", blocks.of_rows ? "first_m / kBlockM + line" : "first_m / kBlockM")
                .fill("n", blocks.of_rows ? "first_n / kBlockN" : "first_n / kBlockN + line")
                .text();
  }
  if (text.empty()) return {};
  return Piece(templates, "epilogue/gather.cu (what is made of blocks)")
      .fill("base", blocks.of_rows ? "out_m_base" : "out_n_base")
      .fill("block", blocks.of_rows ? "kBlockM" : "kBlockN")
      .fill("along", blocks.of_rows ? "m" : "n")
      .fill("stores", text)
      .text();
}

}  // namespace

std::string find_blocks(const TemplateSet& templates, const GemmStep& step, const BlockWalk& walk) {
  return Piece(templates, "epilogue/gather.cu (blocks)")
      .fill("worker", walk.worker)
      .fill("first", walk.first)
      .fill("end", walk.end)
      .fill("sources", walk.sources)
      .fill("find", Piece(templates, "epilogue/gather.cu (blocks of a thread)")
                        .fill("operands", walk.operands)
                        .fill("edge", walk.edge)
                        .fill("valid", walk.valid)
                        .fill("value", walk.value)
                        .text())
      .fill("told", shared_piece(templates, step) + stores(templates, step))
      .text();
}

}  // namespace jute::codegen
