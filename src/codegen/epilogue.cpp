// Picks and fills the pieces that scale accumulators and store them.
#include "codegen/epilogue.hpp"

#include <fmt/format.h>

#include "codegen/constant_text.hpp"
#include "codegen/index_function.hpp"
#include "plan/store_order.hpp"

namespace jute::codegen {
namespace {

/// value + beta * c, with one rounding where the type has rounding.
std::string add_product(DType accumulate, const std::string& value, const std::string& c) {
  switch (accumulate) {
    case DType::f64:
      return "__fma_rn(beta, " + c + ", " + value + ")";
    case DType::s32:
      return "beta * " + c + " + " + value;
    default:
      return "__fmaf_rn(beta, " + c + ", " + value + ")";
  }
}

/// alpha times the accumulator that `sum` names, in the type of the epilogue's arithmetic.
std::string scaled(const GemmStep& step, const std::string& sum) {
  const std::string value = step.accumulate == DType::f16 ? "to_compute(" + sum + ")" : sum;
  if (step.epilogue.alpha == Scale::one) return value;
  switch (step.accumulate) {
    case DType::f64:
      return "__dmul_rn(alpha, " + value + ")";
    case DType::s32:
      return "alpha * " + value;
    default:
      return "__fmul_rn(alpha, " + value + ")";
  }
}

std::string coordinate_functions(const std::string& prefix, const std::string& what,
                                 const plan::TileAccess& tile, int tile_m) {
  return emit(
             coordinate_function(prefix + "_m", "row of D in the tile, " + what, tile, tile_m, 0)) +
         emit(coordinate_function(prefix + "_n", "column of D in the tile, " + what, tile, tile_m,
                                  1));
}

}  // namespace

std::string epilogue_functions(const GemmStep& step, const plan::Fragment& c) {
  const plan::StoreOrder order = plan::store_order(c, step.tile.m);
  const std::string accumulators =
      emit_table("out_acc", "the accumulator that is stored next", order.accumulator);
  const EpiloguePlan& out = step.epilogue;
  if (out.store == Store::direct)
    return accumulators + coordinate_functions("out", "in store order", order.tile, step.tile.m);
  const plan::TileAccess rows = plan::tile_access(out.row_tv);
  const int bytes = width_bytes(step.accumulate);
  return accumulators +
         emit(smem_function("row_write", "where a thread puts its accumulators, in store order",
                            order.tile, out.stage, bytes)) +
         emit(smem_function("row_read", "where a thread finds its part of D's rows", rows,
                            out.stage, bytes)) +
         coordinate_functions("row", "as a thread stores it", rows, step.tile.m);
}

std::string epilogue_constants(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string text =
      "// The way out.\n" + constant("kOutElems", out.vector_elems, "elements of one store to D");
  if (out.beta != Scale::zero)
    text += constant("kInElems", out.c_vector_elems, "elements of one load from C");
  if (out.store == Store::staged_rows)
    text += constant("kRowElems", size(out.row_tv[1]), "elements of D that a thread stores") +
            constant("kStageElems", out.stage_write_elems,
                     "accumulators of one write into the staging buffer") +
            constant("kStageReadElems", out.stage_read_elems, "accumulators of one read from it");
  return text;
}

std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool staged = out.store == Store::staged_rows;
  Piece piece(templates, staged ? "epilogue/staged_rows.cu" : "epilogue/direct.cu");
  piece.fill("scaled", scaled(step, staged ? "sum[e]" : "acc.elem[out_acc(i + e)]"));
  if (staged) piece.fill("inside", out.beta == Scale::zero ? "inside" : "inside && beta == 0");
  if (out.beta == Scale::zero) return piece.fill("c_source", "").fill("add_c", "").text();
  const bool row = out.c_order == Order::row;
  Piece add(templates, row ? "epilogue/add_c_row.cu" : "epilogue/add_c_col.cu");
  add.fill("multiply_add",
           row ? add_product(step.accumulate, "value[first + e]", "to_compute(in.elem[e])")
               : add_product(step.accumulate, "value[e]", "to_compute(in)"));
  const std::string source = row ? "epilogue/c_source_row.cu" : "epilogue/c_source_col.cu";
  return piece.fill("c_source", Piece(templates, source).text()).fill("add_c", add.text()).text();
}

}  // namespace jute::codegen
