// Fills the templates of kernels whose fragments come straight from global memory.
#include <jute/plan/values/line_chunks.hpp>

#include "base/format.hpp"
#include "codegen/conversions.hpp"
#include "codegen/edges.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/frames.hpp"
#include "codegen/groups.hpp"
#include "codegen/line_ends.hpp"
#include "codegen/parameters.hpp"
#include "codegen/stamps.hpp"

namespace jute::codegen {

namespace {

const char* place_of(const KernelSchedule& schedule) {
  if (tiles_beside(schedule) > 1) return "mainloop/straight.cu (beside)";
  return is_batch_first(schedule) ? "mainloop/straight.cu (batch first)"
                                  : "mainloop/straight.cu (in the grid)";
}

/// A call for each operand that stages have, or that they have not.
std::string of_rings(const Kernel& kernel, bool has_ring, const char* function,
                     const char* argument = "") {
  std::string calls;
  for (const OperandSide* const side : {&kernel.side_b, &kernel.side_a})
    if (side->has_ring == has_ring)
      calls += call(base::format("{}_{}", function, side->lower), argument);
  return calls;
}

/// All k-tiles.
Piece products_piece(const Kernel& kernel, bool has_ends, const std::string& line_products) {
  const GemmStep& step = kernel.step;
  if (kernel.side_a.has_ring || kernel.side_b.has_ring)
    return Piece(kernel.templates, "mainloop/straight.cu (products of a ring)")
        .fill("first", of_rings(kernel, true, "ask", "ahead"))
        .fill("numbers", of_rings(kernel, true, "ask_numbers"))
        .fill("others", of_rings(kernel, false, "load"))
        .fill("load", of_rings(kernel, true, "load", "stage"))
        .fill("ask", of_rings(kernel, true, "ask", "left"))
        .fill("settle", settle_text(step));
  const bool is_a = is_asked_ahead(step.a), is_b = is_asked_ahead(step.b);
  if (!is_a && !is_b)
    return Piece(kernel.templates, has_ends ? "mainloop/straight.cu (products of chunks)"
                                            : "mainloop/straight.cu (products)")
        .fill("settle", settle_text(step))
        .fill_if("ends", line_products);
  return Piece(kernel.templates, "mainloop/straight.cu (products ahead)")
      .fill("if_any", if_any(step))
      .fill("ask", (is_b ? call("ask_b") : "") + (is_a ? call("ask_a") : ""))
      .fill("settle", settle_text(step));
}

}  // namespace

Piece straight_body(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const TemplateSet& set = kernel.templates;
  const std::string drain = epilogue_piece(set, step);
  const std::optional<Operand> lines = operand_of_line_ends(step);
  const OperandSide &a = kernel.side_a, &b = kernel.side_b;
  const OperandSide &streamed = lines == Operand::a ? a : b, &kept = lines == Operand::a ? b : a;
  Piece piece(set, "kernel/straight.cu");
  const bool is_ahead = step.schedule.first_stages == FirstStages::prefetched;
  const std::string ahead =
      is_ahead ? ahead_piece(set, kernel.side_a) + ahead_piece(set, kernel.side_b) : "";
  const bool is_a = begins_inside_k(step.a), has_ends = is_a || begins_inside_k(step.b);
  const std::string chunks = !has_ends ? ""
                             : is_a    ? chunks_piece(set, a, b)
                                       : chunks_piece(set, b, a);
  const std::string line_products = lines ? line_products_piece(set, streamed, kept) : "";
  const Piece products = products_piece(kernel, has_ends, line_products);
  const bool by_elements = step.a.major == Major::mn && step.b.major == Major::mn;
  piece
      .fill("thread",
            tiles_beside(step.schedule) > 1 ? "threadIdx.x % kTileThreads" : "threadIdx.x")
      .fill("share", if_stamped(kernel, "kernel/stamp.cu (begin)") + literal_text(step) +
                         text(kernel, place_of(step.schedule)) + origin_piece(kernel) +
                         source_piece(set, kernel.side_a) + source_piece(set, kernel.side_b) +
                         ways_text(kernel) + multiply_piece(kernel) +
                         (lines ? line_names_piece(set, streamed, kept) : "") +
                         release_piece(step, Release::at_start) +
                         (by_elements ? text(kernel, "mainloop/straight.cu (places)") : "") +
                         ahead + waits_for_previous(step) +
                         release_piece(step, Release::after_previous) +
                         if_stamped(kernel, "kernel/stamp.cu (start)") + chunks)
      .fill("products", products.text())
      .fill("epilogue", release_piece(step, Release::after_main_loop) +
                            stamped_epilogue(
                                step, lines ? line_sums_piece(set, streamed, kept, drain) : drain));
  return piece;
}

}  // namespace jute::codegen
