// Fills the templates by which threads bring an operand's tiles from global memory.
#include <jute/emit/constants.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include "base/format.hpp"
#include "codegen/conversions.hpp"
#include "codegen/edges.hpp"
#include "codegen/operand.hpp"
#include "codegen/row_tables.hpp"

namespace jute::codegen {
namespace {

/// Are neighbours in a gated product's tile so many lines apart?
bool is_stepped(const OperandSide& side) { return side.gate != nullptr && side.gate->step > 1; }

/// From a tile's first element to one at (mn, along_k).
std::string place_of(const OperandSide& side, const std::string& line) {
  return side.plan->major == Major::k ? base::format("{} * ld{} + along_k", line, side.lower)
                                      : base::format("along_k * ld{} + {}", side.lower, line);
}

}  // namespace

std::string step_along_k(const OperandSide& side) {
  return side.plan->major == Major::k ? "kTileK" : "kTileK * ld" + side.lower;
}

std::string source_piece(const TemplateSet& templates, const OperandSide& side, bool in_slice) {
  if (side.plan->rows) return row_sources(templates, side, in_slice);
  if (side.plan->view)
    return lettered(templates, "copy/view.cu", side).text() +
           (in_slice ? lettered(templates, "copy/view.cu (slice)", side).text() : "");
  const std::string first =
      base::format("first_{} + copy_{}_mn_base({})", side.mn_lower, side.lower, side.thread);
  const bool by_k = side.plan->major == Major::k;
  const std::string line = is_stepped(side) && !by_k
                               ? base::format("{} * ({})", side.gate->step, first)
                               : first,
                    k = base::format("copy_{}_k_base({})", side.lower, side.thread);
  return lettered(templates, "copy/operand.cu (tile)", side)
             .fill("line", by_k ? line : k)
             .fill("in_line", by_k ? k : line)
             .text() +
         (in_slice ? lettered(templates, "copy/operand.cu (slice)", side)
                         .fill("step", step_along_k(side))
                         .text()
                   : "");
}

namespace {

/// How many elements of an access at (mn, along_k) lie inside the matrix; `line` is the place along
/// M or N. Vectors that lie inside as a whole, or not at all, count all of theirs.
std::string left_of_access(const OperandSide& side, const std::string& line = "mn") {
  const bool by_k = side.plan->major == Major::k;
  const std::string k_left = side.lower + "_k_left", mn_left = side.lower + "_left";
  const Condition of_line{side.whole_mn, line + " < " + mn_left},
      of_k{side.whole_k, "along_k < " + k_left};
  const Condition &across = by_k ? of_line : of_k, &along = by_k ? of_k : of_line;
  const std::string all = "kCopyElems" + side.upper;
  if (along.always) return where(joined({across}), all);
  if (side.whole_vectors) return where(joined({across, along}), all);
  return where(joined({across}), by_k ? k_left + " - along_k" : mn_left + " - " + line);
}

/// How many elements a vector has that begins anywhere: as many as the row has left.
std::string left_in_row(const OperandSide& side) {
  const bool by_k = side.plan->major == Major::k;
  return by_k ? where(joined({{side.whole_mn, "mn < " + side.lower + "_left"}}),
                      side.lower + "_k_left - along_k")
              : where(joined({{side.whole_k, "along_k < " + side.lower + "_k_left"}}),
                      side.lower + "_left - mn");
}

std::string fragments_piece(const TemplateSet& templates, const OperandSide& side, Arch arch) {
  if (side.plan->stored) return stored_piece(templates, side, arch);
  if (has_line_ends(*side.plan))
    return lettered(templates, "copy/straight.cu (line chunks)", side).text() +
           lettered(templates, "copy/straight.cu (line loads)", side).text();
  const bool is_shifted = straight_of(*side.plan).shifted;
  if (is_shifted && side.k_begins_elsewhere)
    return lettered(templates, "copy/straight.cu (inside k_major)", side).text();
  const bool is_one = side.gate == nullptr, by_k = side.plan->major == Major::k;
  const std::string line = is_one ? "mn" : "(mn % kTile" + side.mn_upper + ")";
  return lettered(templates, is_shifted ? "copy/straight.cu (shifted)" : "copy/straight.cu (tile)",
                  side)
      .fill("at", place_of(side, line) +
                      (is_one ? "" : " + (mn < kTile" + side.mn_upper + " ? 0 : gate_stride)"))
      .fill("left", is_shifted ? left_in_row(side) : left_of_access(side, line))
      .fill("step", step_along_k(side))
      .fill_if("past", by_k ? "k - " + side.lower + "_k_left + along_k"
                            : side.mn_lower + " - " + side.lower + "_left + mn")
      .text();
}

/// Where copy `i` comes from: of two halves the second is copied behind the first.
std::string source_of_copy(const OperandSide& side) {
  return side.gate == nullptr
             ? side.lower + "_source"
             : base::format("(i < kCopies{0} / 2 ? {1}_source : {1}_source + gate_stride)",
                            side.upper, side.lower);
}

}  // namespace

std::string load_piece(const TemplateSet& templates, const OperandSide& side, Arch arch) {
  if (is_straight(*side.plan)) return fragments_piece(templates, side, arch);
  const auto piece = [&](const char* path, const std::string& settle = "") {
    return lettered(templates, path, side).fill_if("settle", settle).text();
  };
  if (side.plan->stored)
    return stored_piece(templates, side, arch) + piece("copy/staged.cu (store)") +
           piece("copy/staged.cu (put)", call("settle_" + side.lower));
  const bool staged = transfer_of(*side.plan) == Transfer::registers;
  const std::string left = left_of_access(side);
  const bool has_zeros = side.plan->view && side.plan->view->outside == OutsideBox::zero,
             is_certain = !has_zeros && side.whole_mn && side.whole_k;
  std::string load;
  if (side.plan->rows)
    load = row_loads(templates, side);
  else if (side.plan->view)
    load = lettered(templates, staged ? "copy/view.cu (load)" : "copy/view.cu (async)", side)
               .fill("from", is_certain ? "element" : "(valid > 0 ? element : 0)")
               .fill("left", has_zeros ? "element < 0 ? 0 : " + left : left)
               .text();
  else
    load = lettered(templates, staged ? "copy/load.cu (tile)" : "copy/async.cu (tile)", side)
               .fill("from", source_of_copy(side))
               .fill("at", place_of(side, side.plan->major == Major::mn && is_stepped(side)
                                              ? base::format("{} * mn", side.gate->step)
                                              : "mn"))
               .fill("step", step_along_k(side))
               .fill("left", left)
               .text();
  return staged ? piece("copy/staged.cu") + load + piece("copy/staged.cu (put)") : load;
}

std::string chunks_piece(const TemplateSet& templates, const OperandSide& streamed,
                         const OperandSide& kept) {
  const bool is_cut = straight_of(*kept.plan).shifted;
  const auto end_of_row = [&](const OperandSide& side) {
    return lettered(templates, "mainloop/straight.cu (end of row)", side)
        .fill("place", is_sorted(*side.plan) ? base::format("place_{}(i)", side.lower) : "i")
        .text();
  };
  // Vectors that begin anywhere are cut out of the chunks ahead of them and behind.
  const char* const behind = "mainloop/straight.cu (behind first)";
  return lettered(templates, "mainloop/straight.cu (from chunk)", streamed)
             .fill("room", is_cut ? "kOfChunk" : "0")
             .fill("behind", is_cut ? lettered(templates, behind, kept).text() : "")
             .text() +
         end_of_row(kept) + end_of_row(streamed);
}

std::string ahead_piece(const TemplateSet& templates, const OperandSide& side) {
  if (side.plan->stored) return {};  // it counts elements as what they become
  const Index row = std::max<Index>(side.plan->ld.value * width_bytes(side.plan->type), 1);
  Piece piece = lettered(templates,
                         side.plan->major == Major::k ? "copy/straight.cu (ahead k_major)"
                                                      : "copy/straight.cu (ahead mn_major)",
                         side);
  piece.fill("together", std::max(Index{128} / row, Index{1}))
      .fill("share", side.operand == Operand::a ? "tile_n, gridDim.y" : "tile_m, gridDim.x");
  const auto of_half = [&](const char* half) { return Piece(piece).fill("half", half).text(); };
  return of_half("") + (side.gate == nullptr ? "" : of_half(" + gate_stride"));
}

}  // namespace jute::codegen
