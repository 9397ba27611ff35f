// Fills the copy and fragment templates for A and B.
#include "codegen/operand.hpp"

#include <jute/emit/copy_functions.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/products.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include "base/format.hpp"
#include "codegen/boxes.hpp"
#include "codegen/conversions.hpp"
#include "codegen/groups.hpp"
#include "codegen/kernel.hpp"
#include "codegen/line_ends.hpp"
#include "codegen/row_tables.hpp"
#include "codegen/stored_fragments.hpp"
#include "codegen/views.hpp"
#include "codegen/word_conversions.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// The template with the operand's letters in it.
Piece lettered(const TemplateSet& templates, const std::string& path, const OperandSide& side) {
  return Piece(templates, path)
      .fill_if("x", side.lower)
      .fill_if("X", side.upper)
      .fill_if("mn", side.mn_lower)
      .fill_if("MN", side.mn_upper);
}

std::string by_major(const OperandSide& side, const std::string& stem) {
  return stem + (side.plan->major == Major::k ? "k_major)" : "mn_major)");
}

/// Coordinates of what a thread copies, or holds.
std::string coordinate_functions(const OperandSide& side, std::string_view of_what,
                                 const auto& place) {
  return coordinate_function("copy_" + side.lower + "_mn",
                             base::format("{} of {}", side.mn_lower, of_what), place.copy_mn) +
         coordinate_function("copy_" + side.lower + "_k", base::format("k of {}", of_what),
                             place.copy_k);
}

/// Where threads copy a tile from, and where to.
std::string copy_functions(const TemplateSet& templates, const OperandSide& side) {
  return row_function(templates, side.lower, side.plan->rows) +
         (side.plan->view ? element_function(side.lower, *side.plan->view) : "") +
         coordinate_functions(side, "the values that a thread copies", copy_of(*side.plan)) +
         smem_function(
             "store_" + side.lower,
             base::format("where a thread puts what it copies into {}'s stage", side.upper),
             copied_of(*side.plan).store, width_bytes(side.plan->type));
}

/// Constants of an operand: `kBoxesA`.
struct Named {
  const std::string& letter;
  std::string operator()(std::string_view stem, Index value, std::string_view meaning) const {
    return constant(std::string(stem) + letter, value, meaning);
  }
};

/// Of all parts, or of the first where a launch says how many there are.
std::string box_functions(const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const Layout& place = tma_of(operand).boxes->place;
  return layout_function("box_" + side.lower,
                         base::format("where a box of {} begins in its stage; bytes", side.upper),
                         scaled(tma_of(operand).boxes->parts_at_run_time ? place[1] : place,
                                width_bytes(staged_type(operand))));
}

/// Those of rows that are left out of stages, or that blocks share out.
std::string row_constants(const OperandSide& side) {
  if (const TmaBoxes& boxes = *tma_of(*side.plan).boxes; boxes.parts_at_run_time)
    return share_constants(side.operand, Index{boxes.outer} * boxes.parts,
                           Index{boxes.inner} * width_bytes(side.plan->type),
                           stage_of(*side.plan).stage_stride_elems * width_bytes(side.plan->type));
  const Named named{side.upper};
  const Index bytes = size(stage_of(*side.plan).smem) * width_bytes(staged_type(*side.plan));
  return named("kEdgeUnit", tma_of(*side.plan).edge_unit,
               "rows past the edge that are left out together") +
         named("kRowBytes", bytes / side.tile_mn, "of a row of a stage");
}

/// The constants of what threads copy.
std::string copy_constants(const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const Named named{side.upper};
  return named("kCopyElems", operand.vector_elems, "elements of one global access") +
         named("kCopies", size(copy_of(operand).copy_tv[1]) / operand.vector_elems,
               "accesses of a thread for one stage") +
         named("kStoreElems", copied_of(operand).store_elems,
               "elements of one write into shared memory");
}

bool is_straight(const OperandPlan& operand) { return transfer_of(operand) == Transfer::straight; }
/// Do threads load fragments in another order than they are multiplied in?
bool is_sorted(const OperandPlan& operand) { return straight_of(operand).order != Layout(); }

/// Where a thread's fragments lie, and in which of its registers.
std::string fragment_functions(const OperandSide& side, const GemmStep& step) {
  std::string text = coordinate_functions(side, "a thread's fragments", copy_of(*side.plan));
  if (is_sorted(*side.plan))
    text += layout_function("place_" + side.lower,
                            base::format("when a value of {}'s fragments is loaded", side.upper),
                            right_inverse(straight_of(*side.plan).order));
  if (has_line_ends(*side.plan)) text += line_end_functions(side, step);
  return text;
}

}  // namespace

std::string operand_functions(const TemplateSet& templates, const OperandSide& side,
                              const GemmStep& step) {
  const OperandPlan& operand = *side.plan;
  const TmaWay& tma = tma_of(operand);
  const FragmentRead& read = fragments_of(operand);
  if (is_straight(operand)) return fragment_functions(side, step);
  const std::string &x = side.lower, &X = side.upper;
  const int bytes = width_bytes(operand.type);
  const std::string read_comment =
      read.atom ? base::format("the row of {} that a lane points at", X)
                : base::format("where a thread finds its fragments of {}", X);
  std::string text = tma.boxes ? box_functions(side) : copy_functions(templates, side);
  if (tma.map) text += loads_of_view(side.lower, *tma.map, loads_of(*side.plan, step));
  if (descriptor_of(operand))
    return text + smem_function("matrix_" + x,
                                base::format("where a group's matrices of {} begin", X),
                                descriptor_of(operand)->start, bytes);
  if (has_stored_boxes(operand))
    return text + coordinate_functions(side, "a thread's fragments", read) +
           smem_function("read_" + x, read_comment, read.address, 1);
  text += smem_function("read_" + x, read_comment, read.address, bytes);
  if (read.atom) text += fragment_load(*read.atom, x, X, read.bytes, templates);
  if (side.in_order)
    text += layout_function(
        "value_" + x, base::format("which value of {}'s fragments is read when", X), read.order);
  return text;
}

std::string operand_constants(const OperandSide& side, const GemmStep& step) {
  const OperandPlan& operand = *side.plan;
  const std::optional<TmaBoxes>& boxes = tma_of(operand).boxes;
  const FragmentRead& read = fragments_of(operand);
  const Fragment& fragment = *side.fragment;
  const Operand which = side.operand;
  const Named named{side.upper};
  std::string text =
      base::format("// {} on its way: global memory, a stage, a thread's fragments.\n",
                   side.upper) +
      named("kStageBytes",
            stage_of(operand).stage_stride_elems * width_bytes(staged_type(operand)) /
                product_table(step).terms,
            step.products.empty() ? "from one stage to the next" : "from one term to the next") +
      (boxes ? box_constants(boxes->place, boxes->inner, boxes->outer, "k", side.upper,
                             "boxes that a block asks for in a stage") +
                   row_constants(side)
             : copy_constants(side));
  const Extent& extent = which == Operand::a ? step.m : step.n;
  const Extent& along = operand.major == Major::k ? step.k : extent;
  if (is_straight(operand))
    text += flag("kWholeVectors" + side.upper,
                 straight_of(operand).from_chunk || is_multiple(along, operand.vector_elems),
                 "no access reaches past an edge with some of its elements");
  // A cluster may reach past an edge with a whole tile.
  const ClusterShape& cluster = step.schedule.cluster;
  const int together = side.tile_mn * (says_cluster(step.schedule) ? kMostClusterBlocks
                                       : which == Operand::a       ? cluster.m
                                                                   : cluster.n);
  const std::string whole_tiles = flag("kWholeTiles" + side.mn_upper, is_multiple(extent, together),
                                       base::format("no tile reaches past {}", side.mn_upper));
  if (descriptor_of(operand)) return text + whole_tiles;
  if (has_stored_boxes(operand)) return text + whole_tiles + stored_constants(step, side);
  const int values = fragment.values * fragment.repeats * step.schedule.k_steps_at_once;
  const int elems = read.elems, reads = values / elems, bits = elems * width_bits(operand.type);
  if (has_stored_stages(operand) || side.has_ring)
    text += named("kStoredAt", smem_region(step, "stored_" + side.lower).offset,
                  "where stages begin that have it as it is stored");
  text += named("kReads", reads, read.atom ? "matrix loads of a k-step" : "reads of a k-step") +
          (read.atom ? named("kReadRegisters", bits / 32, "registers that one of them fills")
                     : named("kReadElems", elems, "elements of one of them"));
  const std::string_view cuda = cuda_type(register_of(step.mma.atom(), which));
  const bool by_words = becomes_pairs(operand, step.arch);
  return text + named("kFragment", values, "elements of a thread in a k-step") +
         named("kAtomRegisters", registers(step.mma.atom(), which),
               "registers that one instruction takes") +
         whole_tiles +
         base::format("typedef {} Register{};\n",
                      cuda.empty() ? "Elem" + side.upper : std::string(cuda), side.upper) +
         (boxes ? ""
                : base::format("typedef {1}<Elem{0}, kCopyElems{0}> Vector{0};\n", side.upper,
                               by_words ? "Pairs" : "Vector")) +
         base::format("typedef Fragment<Elem{0}, kFragment{0}, Register{0}> Fragment{0};\n",
                      side.upper);
}

/// Boxes of both halves of a gated product, one behind the other in a stage.
std::string boxes_of_halves(const TemplateSet& templates, const OperandSide& side,
                            const BoxCorner& corner, const std::string& load,
                            const std::string& rest) {
  const bool by_k = side.plan->major == Major::k;
  const std::string inner = base::format("box % kBoxesInner{0} * kBoxInner{0}", side.upper),
                    outer = base::format("box / kBoxesInner{0} * kBoxOuter{0}", side.upper),
                    in_half = base::format("line % kTile{0} + line / kTile{0} * {1}", side.mn_upper,
                                           side.mn_lower);
  return lettered(templates, "specialised/load_stage.cu (halves)", side)
      .fill("corner", corner.text(side.operand))
      .fill("line", by_k ? outer : inner)
      .fill("load", load)
      .fill("at", base::format("{0}_inner + {1}, {0}_outer + {2}, {3}", side.lower,
                               by_k ? inner : in_half, by_k ? in_half : outer, rest))
      .text();
}

std::string tma_piece(const TemplateSet& templates, const OperandSide& side, const GemmStep& step,
                      BoxesTo target) {
  const ClusterShape& cluster = step.schedule.cluster;
  const OperandPlan& operand = *side.plan;
  const TmaWay& tma = tma_of(operand);
  const bool by_k = operand.major == Major::k;
  const int parts = tma.boxes->parts;
  const Terms terms = step.products.empty() ? Terms::one : Terms::several;
  const bool is_broadcast = is_always(operand.batch_stride, 0) || lists_operands(step.groups);
  const std::string of_view = tma.map ? "_" + side.lower : "";
  BoxCorner corner;
  std::string &mn = by_k ? corner.outer : corner.inner, &k = by_k ? corner.inner : corner.outer;
  mn = first_of_box(step, side);
  k = base::format("{} * {}", k_tile_of_all(step, "k_tile"),
                   has_stored_boxes(operand) ? "kRowBytes" + side.upper : "kTileK");
  corner.matrix = is_broadcast ? "0" : "at.matrix";
  if (terms == Terms::several) corner.matrix = is_broadcast ? "term" : "at.matrix * kTerms + term";
  if (target == BoxesTo::cache) return boxes_ahead(side.operand, corner, terms, of_view, templates);
  if (tma.boxes->parts_at_run_time) return boxes_of_share(side.operand, corner, terms, templates);
  std::string place = "box", mask;
  if (parts > 1) {
    const bool along_mn = tma.boxes->parts_along == Major::mn;
    const Index extent = size(stage_of(operand).smem.layout()[along_mn ? 0 : 1]);
    const SharedBoxes shared =
        shared_boxes(side.operand, parts, extent / parts, cluster.m, cluster.n);
    (along_mn ? mn : k) += shared.offset;
    place = shared.place;
    mask = ", " + shared.blocks;
  }
  const bool is_once = tma.hint == CacheHint::evict_first;
  if (is_once) mask = ", once";
  const std::string rest = base::format("{}, stage_full{}", corner.matrix, mask);
  const std::string load = (is_once     ? "load_box_once"
                            : parts > 1 ? "load_box_for"
                                        : "load_box") +
                           of_view;
  if (side.gate != nullptr) return boxes_of_halves(templates, side, corner, load, rest);
  const bool leaves_out = tma.edge_unit > 0;
  Piece piece =
      lettered(templates,
               base::format("specialised/load_stage.cu ({}{})",
                            terms == Terms::one ? "boxes" : "terms", leaves_out ? " inside" : ""),
               side);
  piece.fill("place", place).fill("corner", corner.text(side.operand));
  if (!leaves_out) return piece.fill("load", load).fill("rest", rest).text();
  std::string map = "map_" + side.lower;
  if (has_edge_map(operand))
    map = base::format("outer + kBoxOuter{0} <= {1} ? {2} : {2}_edge", side.upper, side.mn_lower,
                       map);
  return piece
      .fill("ask", lettered(templates, "specialised/load_stage.cu (ask)", side)
                       .fill("inside", base::format("{} < {}", by_k ? "outer" : "inner",
                                                    end_of_part(step, side)))
                       .fill("load", load)
                       .fill("map", map)
                       .fill("rest", rest)
                       .text())
      .text();
}

std::string less_left_out(const OperandSide& side, const GemmStep& step) {
  if (tma_of(*side.plan).edge_unit == 0) return {};
  const bool is_any = has_widths(step) && side.operand == Operand::b;
  if (is_any) return " - rows_left_out_of<kEdgeUnitB>(kTileN, at.tile_n, n) * kRowBytesB";
  return base::format(" - rows_left_out<kTile{0}, kEdgeUnit{1}>(at.tile_{2}, {3}) * kRowBytes{1}",
                      side.mn_upper, side.upper, side.mn_lower, length_of_part(step, side));
}

std::string source_piece(const TemplateSet& templates, const OperandSide& side, bool in_slice) {
  if (side.plan->rows) return row_sources(templates, side, in_slice);
  if (side.plan->view)
    return lettered(templates, "copy/view.cu", side).text() +
           (in_slice ? lettered(templates, "copy/view.cu (slice)", side).text() : "");
  const bool is_stepped = side.gate != nullptr && side.gate->step > 1;
  const std::string first =
      base::format("first_{} + copy_{}_mn_base(thread)", side.mn_lower, side.lower);
  return lettered(templates, by_major(side, "copy/operand.cu ("), side)
             .fill_if("first",
                      is_stepped ? base::format("{} * ({})", side.gate->step, first) : first)
             .text() +
         (in_slice ? lettered(templates, by_major(side, "copy/operand.cu (slice, "), side).text()
                   : "");
}

namespace {

std::string fragments_piece(const TemplateSet& templates, const OperandSide& side, Arch arch) {
  if (side.plan->stored) return stored_piece(templates, side, arch);
  if (has_line_ends(*side.plan))
    return lettered(templates, "copy/straight.cu (line chunks)", side).text() +
           lettered(templates, "copy/straight.cu (line loads)", side).text();
  const char* const way = !straight_of(*side.plan).shifted ? "copy/straight.cu ("
                          : side.k_begins_elsewhere        ? "copy/straight.cu (inside "
                                                           : "copy/straight.cu (shifted ";
  const bool is_one = side.gate == nullptr;
  return lettered(templates, by_major(side, way), side)
      .fill_if("line", is_one ? "mn" : "(mn % kTile" + side.mn_upper + ")")
      .fill_if("half", is_one ? "" : " + (mn < kTile" + side.mn_upper + " ? 0 : gate_stride)")
      .text();
}

/// Threads that walk a View: how many elements of an access lie inside the matrix, and the box.
std::string left_in_view(const OperandSide& side) {
  const bool by_k = side.plan->major == Major::k;
  const std::string across_k = "kWholeTilesK || along_k < " + side.lower + "_k_left",
                    across_mn =
                        base::format("kWholeTiles{} || mn < {}_left", side.mn_upper, side.lower),
                    left_k = base::format("kWholeTilesK ? kCopyElems{} : {}_k_left - along_k",
                                          side.upper, side.lower),
                    left_mn = base::format("kWholeTiles{} ? kCopyElems{} : {}_left - mn",
                                           side.mn_upper, side.upper, side.lower);
  const char* const inside = side.plan->view->outside == OutsideBox::zero ? "at < 0 ? 0 : " : "";
  return base::format("{}!({}) ? 0 : {}", inside, by_k ? across_mn : across_k,
                      by_k ? left_k : left_mn);
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
           piece("copy/staged.cu (put)", "settle_" + side.lower + "();\n");
  const bool staged = transfer_of(*side.plan) == Transfer::registers;
  const std::string load =
      side.plan->rows ? row_loads(templates, side)
      : side.plan->view
          ? lettered(templates, staged ? "copy/view.cu (load)" : "copy/view.cu (async)", side)
                .fill("left", left_in_view(side))
                .text()
          : lettered(templates, by_major(side, staged ? "copy/load.cu (" : "copy/async.cu ("), side)
                .fill("from", source_of_copy(side))
                .fill_if("line", side.gate != nullptr && side.gate->step > 1
                                     ? base::format("{} * mn", side.gate->step)
                                     : "mn")
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
  Piece piece = lettered(templates, by_major(side, "copy/straight.cu (ahead "), side);
  piece.fill("together", std::max(Index{128} / row, Index{1}))
      .fill("share", side.operand == Operand::a ? "tile_n, gridDim.y" : "tile_m, gridDim.x");
  const auto of_half = [&](const char* half) { return Piece(piece).fill("half", half).text(); };
  return of_half("") + (side.gate == nullptr ? "" : of_half(" + gate_stride"));
}

}  // namespace jute::codegen
