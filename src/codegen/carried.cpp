// Fills the pieces of a producer whose warps copy operands.
#include "codegen/carried.hpp"

#include <jute/emit/constants.hpp>
#include <jute/plan/values/carried_stages.hpp>

#include "codegen/groups.hpp"

namespace jute::codegen {

std::string copying_producer(const Kernel& kernel, std::string registers,
                             const std::string& extents) {
  const GemmStep& step = kernel.step;
  const TemplateSet& templates = kernel.templates;
  std::string ways = origin_piece(kernel) + part_of_tile(kernel), targets, loads, ask;
  for (const OperandSide* side : {&kernel.side_a, &kernel.side_b}) {
    if (!is_carried(step, *side->plan)) continue;
    ways += source_piece(templates, *side, takes_split_k(step));
    targets += lettered(templates, "specialised/copies.cu (target)", *side).text();
    loads += load_piece(templates, *side, step.arch);
    ask += lettered(templates, "specialised/copies.cu (ask)", *side).text();
  }
  if (has_boxes(step)) ask = text(kernel, "specialised/copies.cu (boxes)") + ask;
  return Piece(templates, "specialised/copies.cu")
      .fill("registers", std::move(registers))
      .fill("extents", extents)
      .fill("ways", ways + part_of_k_sources(kernel) + targets + loads)
      .fill("ask", ask)
      .text();
}

std::string copying_constants(const GemmStep& step) {
  if (!carries(step)) return "";
  return constant("kCopiesAhead", copies_in_flight(step.schedule),
                  "k-tiles on their way behind one that has landed");
}

}  // namespace jute::codegen
