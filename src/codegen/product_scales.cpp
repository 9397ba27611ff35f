// Fills specialised/scales.cu: blocks of a tile, scales of a run, the sum that takes them.
#include "codegen/product_scales.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>

#include <numeric>

#include "base/format.hpp"
#include "codegen/operand.hpp"

namespace jute::codegen {
using namespace emit;
namespace {

/// An operand whose products are scaled.
struct ScaledSide {
  const OperandSide& side;
  const ProductScales& scales;
  [[nodiscard]] Piece piece(const TemplateSet& templates, const char* name) const {
    return Piece(templates, base::format("specialised/scales.cu{}", name))
        .fill_if("x", side.lower)
        .fill_if("X", side.upper)
        .fill_if("mn", side.mn_lower)
        .fill_if("MN", side.mn_upper)
        .fill_if("block", std::to_string(scales.numbers.block_outer));
  }
};

/// `do_one` of each operand that has scales.
template <class Do>
void for_each_scaled(const Kernel& kernel, Do do_one) {
  const GemmStep& step = kernel.step;
  if (step.a.scales) do_one(ScaledSide{kernel.side_a, *step.a.scales});
  if (step.b.scales) do_one(ScaledSide{kernel.side_b, *step.b.scales});
}

/// ` + a_block[i] * a_scale_outer`, and likewise along K.
std::string place_of_scale(const GemmStep& step, const ScaledSide& one) {
  const std::string& x = one.side.lower;
  const MoveNumbers& numbers = one.scales.numbers;
  std::string at = base::format("matrix * {}_scale_batch_stride", x);
  if (numbers.block_outer != 0) at += base::format(" + {0}_block[i] * {0}_scale_outer", x);
  if (numbers.block_inner == 0) return at;
  const char* const tile = takes_split_k(step) ? "(first_k_tile + run_start)" : "run_start";
  const Index tile_k = step.tile.k,
              tiles = numbers.block_inner / std::gcd(tile_k, numbers.block_inner);
  return at + (tiles == 1 ? base::format(" + {} * {}_scale_inner", tile, x)
                          : base::format(" + {} / {} * {}_scale_inner", tile, tiles, x));
}

}  // namespace

std::string scale_constants(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    text += constant("kScaleLines" + one.side.upper, one.scales.count,
                     "scales that a thread takes for a run of k");
  });
  return text;
}

std::string scale_functions(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const std::string& x = one.side.lower;
    text +=
        coordinate_function("scaled_" + x, "the line of an accumulator, which has a scale",
                            one.scales.place) +
        layout_function("scale_slot_" + x, "which of its thread's lines that is", one.scales.slot) +
        layout_function("scale_line_" + x, "where a thread's lines lie, from its first",
                        one.scales.line);
  });
  return text;
}

std::string scales_of_tile(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const ScalesBy by = one.scales.by;
    if (by != ScalesBy::one)
      text += one.piece(kernel.templates, by == ScalesBy::spans ? " (spans)" : "").text();
  });
  return text;
}

std::string scales_of_run(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const bool by_spans = one.scales.by == ScalesBy::spans;
    text += one.piece(kernel.templates, " (load)")
                .fill("type", std::string(name(one.scales.numbers.type)))
                .fill("at", place_of_scale(kernel.step, one))
                .text();
    if (one.scales.count > 1)
      text += one.piece(kernel.templates, by_spans ? " (of a span)" : " (of a line)").text();
  });
  return text;
}

std::string scaled_addition(const Kernel& kernel) {
  std::string factor;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const std::string own = one.scales.count > 1 ? base::format("scale_of_{}(i)", one.side.lower)
                                                 : base::format("{}_scales[0]", one.side.lower);
    factor = factor.empty() ? own : base::format("__fmul_rn({}, {})", factor, own);
  });
  if (factor.empty()) return "acc.elem[i] += part.elem[i]";
  return base::format("acc.elem[i] = __fmaf_rn(part.elem[i], {}, acc.elem[i])", factor);
}

}  // namespace jute::codegen
