// Writes the numbers and functions by which threads know their blocks of D.
#include "codegen/block_lines.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>

#include "base/format.hpp"

namespace jute::codegen {

using namespace emit;

std::string block_constants(const GemmStep& step) {
  if (!step.epilogue.blocks) return {};
  const auto& [block, of_rows, lines] = *step.epilogue.blocks;
  std::string text =
      constant("kBlockM", block.m, "rows of D that have a number in common") +
      constant("kBlockN", block.n, "and columns") +
      constant("kBlockSlots", size(lines.line), "blocks that a thread has elements of") +
      constant("kBlockLanes", lines.lanes, "bits in which lanes with the same differ") +
      constant("kBlockParts", lines.parts, "that warps have of a block");
  if (lines.parts > 1)
    text +=
        constant("kBlocksOffset", smem_region(step, "blocks").offset, "what warps tell of them");
  return text;
}

std::string block_functions(const GemmStep& step) {
  if (!step.epilogue.blocks) return {};
  const GatherLines& lines = step.epilogue.blocks->lines;
  return layout_function("block_slot", "of a thread's blocks, the one that a value belongs to",
                         lines.slot) +
         layout_function("block_line", "where a block lies in the tile, from the thread's first",
                         lines.line) +
         layout_function("block_part", "which part of its blocks a thread's warp has", lines.part);
}

std::string block_parameter(const GemmStep& step) {
  return step.epilogue.blocks ? ", Compute block_most" : "";
}

std::string block_argument(const GemmStep& step, std::string_view value) {
  return step.epilogue.blocks ? base::format(", block_most[block_slot({})]", value) : "";
}

}  // namespace jute::codegen
