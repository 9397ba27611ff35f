// Fills specialised/fragments.cu: words of a stage, what they become, the numbers of their blocks.
#include "codegen/stored_fragments.hpp"

#include <jute/emit/constants.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <numeric>

#include "base/format.hpp"
#include "codegen/edges.hpp"
#include "codegen/word_conversions.hpp"

namespace jute::codegen {
namespace {

constexpr int kRowsOfFragment = 2;  // a thread's of an instruction

/// Numbers that a row has in a k-tile: one, or as many as there are blocks in it.
Index numbers_of_row(const GemmStep& step) {
  const MoveConversion& conversion = step.a.stored->conversion;
  Index block = step.tile.k;
  for (const auto* numbers : {&conversion.scale, &conversion.zero})
    if (*numbers && (*numbers)->block_inner > 0) block = std::gcd(block, (*numbers)->block_inner);
  return step.tile.k / block;
}

/// The lines by which a thread keeps numbers: declared, asked for, taken over.
struct Kept {
  std::string held, load, take;
};

void add(Kept& kept, const char* what, const std::optional<MoveNumbers>& numbers) {
  if (!numbers) return;
  const std::string it = base::format("a_{}", what);
  const NumberAt found =
      find_number(*numbers, {it, it + "_batch_stride", it + "_outer", it + "_inner"});
  kept.held += base::format(
      "{0} {1}_of[kNumbersOfRow * kRowsOfThread], {1}_next[kNumbersOfRow * "
      "kRowsOfThread];\n",
      kept_type(*numbers), it);
  const std::string next = element(it + "_next", "number");
  kept.load += assign(next, kept_of(*numbers, found));
  kept.take += assign(element(it + "_of", "number"), next);
}

std::string numbers_piece(const Kernel& kernel) {
  const GemmStep& step = kernel.step;
  const MoveConversion& conversion = step.a.stored->conversion;
  Kept kept;
  add(kept, "scale", conversion.scale);
  add(kept, "zero", conversion.zero);
  // The k-tile that a block loads at its turn.
  const char* const tile = step.schedule.k_starts > 1 ? "in_turn(k_tile, k_tiles)" : "k_tile";
  return Piece(kernel.templates, "specialised/fragments.cu (numbers)")
      .fill("held", kept.held)
      .fill("load", kept.load)
      .fill("take", kept.take)
      .fill("tile", k_tile_of_all(step, tile))
      .text();
}

}  // namespace

const char* path_of_release(const GemmStep& step) {
  const bool in_cluster = may_be_clustered(step.schedule);
  if (releases_by_warps(step))
    return in_cluster ? "specialised/release.cu (warp, cluster)" : "specialised/release.cu (warp)";
  if (says_cluster(step.schedule)) return "specialised/release.cu (launched)";
  return in_cluster ? "specialised/release.cu (cluster)" : "specialised/release.cu (block)";
}

std::string stored_constants(const GemmStep& step, const OperandSide& side) {
  const int bits = width_bits(side.plan->stored->type);
  const Index repeats = side.fragment->repeats, rows = kRowsOfFragment * repeats;
  const Index steps = kConvertedK / step.mma.atom().shape.k;
  return constant("kOfWord", 32 / bits, "stored elements of a word") +
         constant("kPartsOfTile", step.tile.k / kConvertedK, "of a k-tile, converted one by one") +
         constant("kStepsOfPart", steps, "instructions along K in a part") +
         constant("kRowsOfThread", rows, "of a tile, in its fragments") +
         constant("kWords", rows * steps * bits / 8, "of a thread's elements in a part") +
         constant("kPartRegisters", steps * repeats * registers(step.mma.atom(), Operand::a),
                  "of its fragments") +
         constant("kNumbersOfRow", numbers_of_row(step), "blocks that a row has in a k-tile");
}

std::string stored_places(const Kernel& kernel) {
  const bool are_halves = width_bits(kernel.step.a.stored->type) == 4;
  return text(kernel, "specialised/fragments.cu (stored places)") +
         text(kernel, are_halves ? "specialised/fragments.cu (words of 4 bits)"
                                 : "specialised/fragments.cu (words of 8 bits)");
}

std::string stored_products(const Kernel& kernel, const std::string& meanwhile) {
  const auto words = stored_conversion(kernel.templates, kernel.step);
  return numbers_piece(kernel) +
         Piece(kernel.templates, words->piece)
             .fill("type", std::string(name(kernel.step.a.stored->type)))
             .fill("numbers", words->numbers)
             .fill("value", words->value)
             .text() +
         text(kernel, "specialised/fragments.cu (multiply)") +
         Piece(kernel.templates, "specialised/fragments.cu (stored)")
             .fill("meanwhile", meanwhile)
             .fill("if_any", if_any(kernel.step))
             .fill("none", without_k_tiles(kernel))
             .text();
}

}  // namespace jute::codegen
