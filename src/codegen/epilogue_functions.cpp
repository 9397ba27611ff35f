// Writes the functions that an epilogue calls: where elements lie, what becomes of them.
#include <jute/emit/index_function.hpp>

#include "base/format.hpp"
#include "codegen/epilogue.hpp"
#include "codegen/epilogue_expression.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/gathers.hpp"
#include "codegen/row_tables.hpp"
#include "codegen/views.hpp"

namespace jute::codegen {

using namespace emit;

bool reads_places(const GemmStep& step) {
  return has_operands(step) || !gather_parameters(step).empty();
}

bool stores_words(const GemmStep& step) { return width_bits(step.epilogue.d_type) == 32; }

std::string epilogue_functions(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool direct = out.store != Store::staged_rows;
  const std::string prefix = direct ? "out" : "row";
  const std::string what = direct ? "in store order" : "as a thread stores it";
  std::string text = layout_function("out_acc", "the accumulator that is stored next", out.order);
  if (out.c_view && c_read(out.expression) != CRead::never)
    text += element_function(templates, "c", *out.c_view);
  if (out.d_view) text += element_function(templates, "d", *out.d_view);
  text += row_function(templates, "d", out.d_rows);
  const int bytes = width_bytes(step.accumulate);
  if (!direct)
    text += smem_function("row_write", "where a thread puts its accumulators, in store order",
                          out.stage_write, bytes) +
            smem_function("row_read", "where a thread finds its part of D's rows", out.stage_read,
                          bytes);
  const bool reads_c = c_read(out.expression) != CRead::never;
  const bool has_places = out.drain && ((reads_c && !out.drain->c_atom) || reads_places(step));
  if (out.drain)
    return text +
           (!has_places
                ? ""
                : coordinate_function("out_m", "row of D in the tile, in store order", out.m) +
                      coordinate_function("out_n", "column of D likewise", out.n)) +
           (stores_words(step)
                ? expression_function(templates, step)
                : Piece(templates, base::format("convert/{}.cu (pair)", name(out.d_type))).text() +
                      expression_function(templates, step, "epilogue/unrounded.cu"));
  return text + coordinate_function(prefix + "_m", "row of D in the tile, " + what, out.m) +
         coordinate_function(prefix + "_n", "column of D in the tile, " + what, out.n) +
         expression_function(templates, step);
}

}  // namespace jute::codegen
