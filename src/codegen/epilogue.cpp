// Picks and fills the pieces that scale accumulators and store them.
#include "codegen/epilogue.hpp"

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

std::string scaled(const GemmStep& step) {
  const std::string value = step.accumulate == DType::f16 ? "to_compute(acc.elem[out_acc(i + e)])"
                                                          : std::string("acc.elem[out_acc(i + e)]");
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

}  // namespace

std::string epilogue_functions(const GemmStep& step, const plan::Fragment& c) {
  const plan::StoreOrder order = plan::store_order(c, step.tile.m);
  return emit_table("out_acc", "the accumulator that is stored next", order.accumulator) +
         emit(coordinate_function("out_m", "row of D in the tile, in store order", order.tile,
                                  step.tile.m, 0)) +
         emit(coordinate_function("out_n", "column of D in the tile, in store order", order.tile,
                                  step.tile.m, 1));
}

std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step) {
  Piece piece(templates, "epilogue/direct.cu");
  piece.fill("scaled", scaled(step));
  if (step.epilogue.beta == Scale::zero) return piece.fill("c_source", "").fill("add_c", "").text();
  const bool row = step.epilogue.c_order == Order::row;
  Piece add(templates, row ? "epilogue/add_c_row.cu" : "epilogue/add_c_col.cu");
  add.fill("multiply_add",
           row ? add_product(step.accumulate, "value[first + e]", "to_compute(in.elem[e])")
               : add_product(step.accumulate, "value[e]", "to_compute(in)"));
  const std::string source = row ? "epilogue/c_source_row.cu" : "epilogue/c_source_col.cu";
  return piece.fill("c_source", Piece(templates, source).text()).fill("add_c", add.text()).text();
}

}  // namespace jute::codegen
