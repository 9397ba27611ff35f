// Picks and fills the pieces that scale accumulators and store them.
#include "codegen/epilogue.hpp"

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "codegen/constant_text.hpp"
#include "codegen/index_function.hpp"

namespace jute::codegen {
namespace {

/// An expression as CUDA: the text of a value, and the lines before it. A sum may leave C unread,
/// so that it takes lines of its own.
struct CudaText {
  using Value = std::string;
  DType accumulate;
  std::string lines;
  int sums = 0;

  Value acc() const { return accumulate == DType::f16 ? "to_compute(acc)" : "acc"; }
  Value alpha() const { return "alpha"; }
  Value multiply(const Value& x, const Value& y) const {
    switch (accumulate) {
      case DType::f64:
        return base::format("__dmul_rn({}, {})", x, y);
      case DType::s32:
        return base::format("{} * {}", x, y);
      default:
        return base::format("__fmul_rn({}, {})", x, y);
    }
  }
  Value add_beta_c(const Value& x) {
    std::string name = sums++ == 0 ? "sum" : base::format("sum_{}", sums);
    lines += base::format("Compute {0} = {1};\nif (beta != 0) {0} = {2};\n", name, x,
                          multiply_add(name));
    return name;
  }
  /// beta * c + x, with one rounding where the type has rounding.
  std::string multiply_add(std::string_view x) const {
    switch (accumulate) {
      case DType::f64:
        return base::format("__fma_rn(beta, to_compute(c), {})", x);
      case DType::s32:
        return base::format("beta * to_compute(c) + {}", x);
      default:
        return base::format("__fmaf_rn(beta, to_compute(c), {})", x);
    }
  }
};

/// What the function `epilogue` takes beside an accumulator: its type and the expression's name.
struct Argument {
  EpilogueNode::Kind kind;
  std::string_view type, name;
};
constexpr Argument kArguments[] = {{EpilogueNode::Kind::alpha, "Compute", "alpha"},
                                   {EpilogueNode::Kind::beta, "Compute", "beta"},
                                   {EpilogueNode::Kind::c, "const ElemC&", "c"}};

std::string expression_function(const TemplateSet& templates, const GemmStep& step) {
  const EpilogueExpression& expression = step.epilogue.expression;
  CudaText text{step.accumulate, {}};
  const std::string value = evaluate(expression, text);
  std::string parameters = "Accum acc";
  for (const Argument& argument : kArguments)
    if (names(expression, argument.kind))
      parameters += base::format(", {} {}", argument.type, argument.name);
  return Piece(templates, "epilogue/expression.cu")
      .fill("text", to_string(expression))
      .fill("parameters", parameters)
      .fill("sums", text.lines)
      .fill("value", value)
      .text();
}

/// The call that makes an element of D of an accumulator and, if it is named, an element of C.
std::string expression_call(const GemmStep& step, std::string_view acc, std::string_view c) {
  std::string arguments(acc);
  for (const Argument& argument : kArguments)
    if (names(step.epilogue.expression, argument.kind))
      arguments += base::format(", {}", argument.kind == EpilogueNode::Kind::c ? c : argument.name);
  return base::format("epilogue({})", arguments);
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

std::string epilogue_functions(const TemplateSet& templates, const GemmStep& step) {
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
         coordinate_function(prefix + "_n", "column of D in the tile, " + what, out.n) +
         expression_function(templates, step);
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
  const std::string valid = ragged ? "valid" : "kOutElems";
  std::string read_c;
  if (out.beta != Scale::zero)
    read_c = Piece(templates, row ? "epilogue/read_c_row.cu" : "epilogue/read_c_col.cu")
                 .fill("left", !row ? valid : (ragged ? "valid - first" : "kInElems"))
                 .text();
  return Piece(templates, "epilogue/direct.cu")
      .fill("epilogue", expression_call(step, "acc.elem[out_acc(i + e)]", "from_c[e]"))
      .fill("c_source", out.beta == Scale::zero ? "" : c_source(templates, out))
      .fill("edge", ragged ? Piece(templates, "epilogue/cut_vector.cu").text()
                           : Piece(templates, "epilogue/whole_vector.cu").text() +
                                 "if (!whole) continue;\n")
      .fill("read_c", read_c)
      .fill("stored", valid)
      .text();
}

std::string staged_piece(const TemplateSet& templates, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const bool reads_c = out.beta != Scale::zero, row = out.c_order == Order::row;
  std::string ragged;
  if (may_be_ragged(step))
    ragged = Piece(templates, "epilogue/ragged_rows.cu")
                 .fill("epilogue", expression_call(step, "sum",
                                                   row ? "c_thread[row * ldc + col]"
                                                       : "c_thread[col * ldc + row]"))
                 .text();
  const std::string edge = Piece(templates, "epilogue/whole_vector.cu").text();
  std::string load_c;
  if (reads_c)
    load_c = Piece(templates, "epilogue/load_c.cu")
                 .fill("edge", edge)
                 .fill("place", row ? "row * ldc + col + e" : "(col + e) * ldc + row")
                 .text();
  return Piece(templates, "epilogue/staged_rows.cu")
      .fill("epilogue", expression_call(step, "sum[e]", "from_c[turn][e]"))
      .fill("edge", edge)
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
