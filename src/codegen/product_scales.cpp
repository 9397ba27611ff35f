// Fills specialised/scales.cu: blocks of a tile, scales of a run, the sum that takes them.
#include "codegen/product_scales.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/plan/values/promoted_sums.hpp>

#include <numeric>

#include "base/format.hpp"
#include "codegen/edges.hpp"
#include "codegen/operand.hpp"

namespace jute::codegen {
using namespace emit;
namespace {

/// An operand whose products are scaled.
struct ScaledSide {
  const OperandSide& side;
  const ProductScales& scales;
  [[nodiscard]] Piece piece(const TemplateSet& templates, const char* name) const {
    return lettered(templates, base::format("specialised/scales.cu{}", name), side)
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

/// How many scales a stage has beside its tile; 0: threads fetch those of their lines.
Index slots_of(const GemmStep& step, const ScaledSide& one) {
  return staged_scales(step, &one.scales == &*step.b.scales ? step.b : step.a);
}

/// Where an operand's scales of line i lie, by blocks along M or N.
std::string place_of_line(const ScaledSide& one) {
  const std::string& x = one.side.lower;
  std::string at = base::format("matrix * {}_scale_batch_stride", x);
  if (one.scales.numbers.block_outer != 0)
    at += base::format(" + {0}_block[i] * {0}_scale_outer", x);
  return at;
}

/// From there, that of the run that begins at such a k-tile of the slice.
std::string place_of_run(const GemmStep& step, const ScaledSide& one, const std::string& k_tile) {
  const MoveNumbers& numbers = one.scales.numbers;
  if (numbers.block_inner == 0) return "0";
  const std::string tile = k_tile_of_all(step, k_tile);
  const Index tiles = numbers.block_inner / std::gcd(Index{step.tile.k}, numbers.block_inner);
  const std::string block = tiles == 1 ? tile : base::format("{} / {}", tile, tiles);
  return base::format("{} * {}_scale_inner", block, one.side.lower);
}

/// Where the scale of a slice's first run lies, if that is not the first of all.
std::string place_of_first_run(const GemmStep& step, const ScaledSide& one) {
  const bool begins_later = takes_split_k(step) && one.scales.numbers.block_inner != 0;
  return begins_later ? " + " + place_of_run(step, one, "0") : "";
}

}  // namespace

std::string scale_constants(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  constexpr Index kBytes = sizeof(float);
  std::string text;
  Index place = 0;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const std::string& X = one.side.upper;
    text +=
        constant("kScaleLines" + X, one.scales.count, "scales that a thread takes for a run of k");
    const Index slots = slots_of(step, one);
    if (slots == 0) return;
    text += constant("kScaleSlots" + X, slots, "blocks that a tile's lines lie in") +
            constant("kScalePlace" + X, place, "where their scales lie in a stage's");
    place += kBytes * slots;
  });
  if (place == 0) return text;
  return text +
         constant("kScalesOffset", smem_region(step, "scales").offset, "scales of all stages") +
         constant("kScaleBytes", place, "of a stage's scales");
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
    if (slots_of(kernel.step, one) > 0) return;
    if (by != ScalesBy::one)
      text += one.piece(kernel.templates, by == ScalesBy::spans ? " (spans)" : "").text();
    text += one.piece(kernel.templates, " (first)")
                .fill("type", std::string(name(one.scales.numbers.type)))
                .fill("at", place_of_line(one))
                .fill("run", place_of_first_run(kernel.step, one))
                .fill("if_any", if_any(kernel.step))
                .text();
  });
  return text;
}

namespace {

/// A run's scales, and which of them is an accumulator's.
std::string kept_scales(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const bool by_spans = one.scales.by == ScalesBy::spans;
    text += one.piece(kernel.templates, " (kept)").text();
    if (one.scales.count > 1)
      text += one.piece(kernel.templates, by_spans ? " (of a span)" : " (of a line)").text();
  });
  return text;
}

/// From its stage's first scale to that of line i, in bytes.
std::string slot_of_line(const ScaledSide& one) {
  if (one.scales.by == ScalesBy::one) return "";
  if (one.scales.by == ScalesBy::spans) return " + 4 * i";
  const std::string line =
      base::format("scaled_{0}_base(worker) + scale_line_{0}(i)", one.side.lower);
  const Index block = one.scales.numbers.block_outer;
  if (block == 1) return " + 4 * (" + line + ")";
  return base::format(" + 4 * ((first_{0} + {1}) / {2} - first_{0} / {2})", one.side.mn_lower, line,
                      block);
}

std::string load_scales(const Kernel& kernel) {
  std::string text;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    if (slots_of(kernel.step, one) > 0) {
      text += one.piece(kernel.templates, " (staged)").fill("line", slot_of_line(one)).text();
      return;
    }
    text += one.piece(kernel.templates, " (load)")
                .fill("type", std::string(name(one.scales.numbers.type)))
                .fill("run",
                      place_of_run(kernel.step, one, "min(run_start + kPromoteTiles, k_tiles - 1)"))
                .text();
  });
  return text;
}

}  // namespace

std::string scales_of_run(const Kernel& kernel) {
  return kept_scales(kernel) + load_scales(kernel);
}

std::string staged_scales_piece(const Kernel& kernel) {
  std::string copies;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    if (slots_of(kernel.step, one) == 0) return;
    const std::string& x = one.side.lower;
    std::string at = base::format("at.matrix * {0}_scale_batch_stride", x);
    if (one.scales.numbers.block_outer != 0) at += base::format(" + block * {}_scale_outer", x);
    copies +=
        one.piece(kernel.templates, " (copies)")
            .fill_if("block", std::to_string(std::max<Index>(one.scales.numbers.block_outer, 1)))
            .fill("extent", extent_of_all(kernel.step, one.side.operand))
            .fill("at", at + " + " + place_of_run(kernel.step, one, "k_tile"))
            .text();
  });
  if (copies.empty()) return "";
  return Piece(kernel.templates, "specialised/scales.cu (producer)")
      .fill("extents", extents_of_all(kernel.step))
      .fill("copies", copies)
      .text();
}

std::string scales_of_block(const Kernel& kernel) {
  if (kernel.step.promote_every_k == 0) return {};
  return text(kernel, "specialised/scales.cu (part)") + scales_of_tile(kernel);
}

KTileSums sums_of_k_tile(const Kernel& kernel) {
  if (kernel.step.promote_every_k == 0) return {};
  return {"part",
          Piece(kernel.templates, "specialised/scales.cu (begin)")
              .fill("scales", scales_of_run(kernel))
              .text(),
          Piece(kernel.templates, "specialised/scales.cu (add)")
              .fill("add", scaled_addition(kernel, "part.elem[i]"))
              .text()};
}

std::string scaled_addition(const Kernel& kernel, const char* sum) {
  std::string factor;
  for_each_scaled(kernel, [&](const ScaledSide& one) {
    const std::string own = one.scales.count > 1 ? base::format("scale_of_{}(i)", one.side.lower)
                                                 : base::format("{}_scales[0]", one.side.lower);
    factor = factor.empty() ? own : base::format("__fmul_rn({}, {})", factor, own);
  });
  if (factor.empty()) return base::format("acc.elem[i] += {}", sum);
  return base::format("acc.elem[i] = __fmaf_rn({}, {}, acc.elem[i])", sum, factor);
}

std::string promoted_by_instruction(const Kernel& kernel, const std::string& meanwhile) {
  return scales_of_tile(kernel) +
         Piece(kernel.templates, "specialised/products.cu (promoted by instruction)")
             .fill("kept", kept_scales(kernel))
             .fill("scales", load_scales(kernel))
             .fill("issue", Piece(kernel.templates, "specialised/products.cu (of a tile)").text())
             .fill("if_any", if_any(kernel.step))
             .fill("meanwhile", meanwhile)
             .fill("add", scaled_addition(kernel, "part[from]"))
             .text();
}

}  // namespace jute::codegen
