// Picks and fills the pieces that scale accumulators and store them.
#include "codegen/epilogue.hpp"

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "codegen/constant_text.hpp"
#include "codegen/index_function.hpp"

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

std::string c_source(const TemplateSet& templates, const EpiloguePlan& out) {
  return Piece(templates,
               out.c_order == Order::row ? "epilogue/c_source_row.cu" : "epilogue/c_source_col.cu")
      .text();
}

/// Up to four vectors of up to sixteen elements together; every turn takes equally many.
Index vectors_in_flight(const EpiloguePlan& out) {
  return std::gcd(size(out.row_tv[1]) / out.vector_elems,
                  Index{std::clamp(16 / out.vector_elems, 1, 4)});
}

}  // namespace

std::string epilogue_functions(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool direct = out.store == Store::direct;
  const std::string prefix = direct ? "out" : "row";
  const std::string what = direct ? "in store order" : "as a thread stores it";
  std::string text = layout_function("out_acc", "the accumulator that is stored next", out.order);
  const int bytes = width_bytes(step.accumulate);
  if (!direct)
    text += smem_function("row_write", "where a thread puts its accumulators, in store order",
                          out.stage_write, bytes) +
            smem_function("row_read", "where a thread finds its part of D's rows", out.stage_read,
                          bytes);
  return text + coordinate_function(prefix + "_m", "row of D in the tile, " + what, out.m) +
         coordinate_function(prefix + "_n", "column of D in the tile, " + what, out.n);
}

std::string epilogue_constants(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string text =
      "// The way out.\n" + constant("kOutElems", out.vector_elems, "elements of one store to D");
  if (out.beta != Scale::zero)
    text += constant("kInElems", out.c_vector_elems, "elements of one load from C");
  if (out.store == Store::staged_rows)
    text += constant("kRowElems", size(out.row_tv[1]), "elements of D that a thread stores") +
            constant("kInFlight", vectors_in_flight(out), "of its stores that overlap") +
            constant("kStageElems", out.stage_write_elems,
                     "accumulators of one write into the staging buffer") +
            constant("kStageReadElems", out.stage_read_elems, "accumulators of one read from it");
  return text;
}

namespace {

/// A vector is cut in two where N is no multiple of its length.
bool may_be_ragged(const GemmStep& step) {
  const int elems = step.epilogue.vector_elems;
  return elems > 1 && !(step.n.baked && step.n.value % elems == 0);
}

std::string direct_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool ragged = may_be_ragged(step), row = out.c_order == Order::row;
  std::string add_c;
  if (out.beta != Scale::zero)
    add_c = Piece(templates, row ? "epilogue/add_c_row.cu" : "epilogue/add_c_col.cu")
                .fill("left", row ? (ragged ? "valid - first" : "kInElems")
                                  : (ragged ? "valid" : "kOutElems"))
                .fill("multiply_add",
                      add_product(step.accumulate, row ? "value[first + e]" : "value[e]",
                                  row ? "to_compute(in.elem[e])" : "to_compute(in)"))
                .text();
  return Piece(templates, "epilogue/direct.cu")
      .fill("scaled", scaled(step, "acc.elem[out_acc(i + e)]"))
      .fill("c_source", out.beta == Scale::zero ? "" : c_source(templates, out))
      .fill("edge", ragged ? Piece(templates, "epilogue/cut_vector.cu").text()
                           : Piece(templates, "epilogue/whole_vector.cu").text() +
                                 "if (!whole) continue;\n")
      .fill("add_c", add_c)
      .fill("stored", ragged ? "valid" : "kOutElems")
      .text();
}

std::string staged_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool reads_c = out.beta != Scale::zero, row = out.c_order == Order::row;
  const auto add_c = [&](const std::string& c) {
    return reads_c ? base::format("if (beta != 0) value = {};\n",
                                  add_product(step.accumulate, "value", "to_compute(" + c + ")"))
                   : std::string();
  };
  std::string ragged;
  if (may_be_ragged(step))
    ragged =
        Piece(templates, "epilogue/ragged_rows.cu")
            .fill("scaled", scaled(step, "sum"))
            .fill("add_c", add_c(row ? "c_thread[row * ldc + col]" : "c_thread[col * ldc + row]"))
            .text();
  const std::string edge = Piece(templates, "epilogue/whole_vector.cu").text();
  std::string load_c;
  if (reads_c)
    load_c = Piece(templates, "epilogue/load_c.cu")
                 .fill("edge", edge)
                 .fill("place", row ? "row * ldc + col + e" : "(col + e) * ldc + row")
                 .text();
  return Piece(templates, "epilogue/staged_rows.cu")
      .fill("scaled", scaled(step, "sum[e]"))
      .fill("edge", edge)
      .fill("add_c", add_c("from_c[turn][e]"))
      .fill("c_source", reads_c ? c_source(templates, out) : "")
      .fill("load_c", load_c)
      .fill("ragged", ragged)
      .text();
}

}  // namespace

std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step) {
  return step.epilogue.store == Store::staged_rows ? staged_piece(templates, step)
                                                   : direct_piece(templates, step);
}

}  // namespace jute::codegen
