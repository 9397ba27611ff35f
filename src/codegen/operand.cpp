// Fills the copy and fragment templates for A and B.
#include "codegen/operand.hpp"

#include <jute/emit/copy_functions.hpp>
#include <jute/emit/index_function.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/block/arrivals.hpp>
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/products.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include "base/format.hpp"
#include "codegen/boxes.hpp"
#include "codegen/conversions.hpp"
#include "codegen/edges.hpp"
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
         (side.plan->view ? element_function(templates, side.lower, *side.plan->view) : "") +
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

/// Where boxes begin: those of all parts, or of the first where a launch says how many there are.
std::string box_functions(const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const Layout& place = tma_of(operand).boxes->place;
  return layout_function("box_" + side.lower,
                         base::format("where a box of {} begins in its stage; bytes", side.upper),
                         scaled(tma_of(operand).boxes->parts_at_run_time ? place[1] : place,
                                width_bytes(staged_type(operand))));
}

/// The constants of rows that stages leave out, or that blocks share out.
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

OperandSide Kernel::side_of(Operand which) const {
  const bool is_a = which == Operand::a;
  const OperandPlan &plan = is_a ? step.a : step.b, &other = is_a ? step.b : step.a;
  const Extent& along = plan.major == Major::k ? step.k : is_a ? step.m : step.n;
  return {.operand = which,
          .plan = &plan,
          .fragment = is_a ? &a : &b,
          .lower = is_a ? "a" : "b",
          .upper = is_a ? "A" : "B",
          .mn_lower = is_a ? "m" : "n",
          .mn_upper = is_a ? "M" : "N",
          .thread = is_carried(step, plan) ? "copier" : "thread",
          .tile_mn = is_a ? step.tile.m : step.tile.n,
          .in_order = reads_along_k(step),
          .k_begins_elsewhere = begins_inside_k(other),
          .gate = has_halves(step, which) ? &*step.gate : nullptr,
          .has_ring = has_stored_ring(step.schedule, plan),
          .whole_mn = has_whole_tiles(step, which),
          .whole_k = has_whole_k_tiles(step),
          .whole_vectors = is_straight(plan) &&
                           (straight_of(plan).from_chunk || is_multiple(along, plan.vector_elems))};
}

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
  if (descriptor_of(operand)) return text;
  if (has_stored_boxes(operand)) return text + stored_constants(step, side);
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
  const std::string& X = side.upper;
  return text + named("kFragment", values, "elements of a thread in a k-step") +
         named("kAtomRegisters", registers(step.mma.atom(), which),
               "registers that one instruction takes") +
         alias("Register" + X, cuda.empty() ? "Elem" + X : std::string(cuda)) +
         (boxes ? ""
                : alias("Vector" + X, base::format("{1}<Elem{0}, kCopyElems{0}>", X,
                                                   by_words ? "Pairs" : "Vector"))) +
         alias("Fragment" + X, base::format("Fragment<Elem{0}, kFragment{0}, Register{0}>", X));
}

/// The function, the map and what it takes behind coordinates.
struct BoxCall {
  std::string load, map, rest;
};

/// Boxes of both halves of a gated product, one behind the other in a stage.
std::string boxes_of_halves(const TemplateSet& templates, const OperandSide& side,
                            const BoxCorner& corner, const BoxCall& call) {
  const bool by_k = side.plan->major == Major::k;
  const std::string inner = base::format("box % kBoxesInner{0} * kBoxInner{0}", side.upper),
                    outer = base::format("box / kBoxesInner{0} * kBoxOuter{0}", side.upper),
                    in_half = base::format("line % kTile{0} + line / kTile{0} * {1}", side.mn_upper,
                                           side.mn_lower);
  return lettered(templates, "specialised/load_stage.cu (halves)", side)
      .fill("corner", corner.text(side.operand))
      .fill("line", by_k ? outer : inner)
      .fill("load", call.load)
      .fill("map", call.map)
      .fill("at", base::format("{0}_inner + {1}, {0}_outer + {2}, {3}", side.lower,
                               by_k ? inner : in_half, by_k ? in_half : outer, call.rest))
      .text();
}

/// By which a block asks: the kernel's own, or one that was made, or chosen, on the way.
std::string map_of(const OperandSide& side, const GemmStep& step) {
  if (makes_maps(step)) return "stage_map_" + side.lower;
  return awaits_arrivals(step) && side.operand == Operand::a ? "map_here" : "map_" + side.lower;
}

std::string tma_piece(const TemplateSet& templates, const OperandSide& side, const GemmStep& step,
                      BoxesTo target) {
  const OperandPlan& operand = *side.plan;
  const TmaWay& tma = tma_of(operand);
  const bool by_k = operand.major == Major::k;
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
  const std::string own_map = map_of(side, step);
  if (tma.boxes->parts_at_run_time)
    return boxes_of_share(side.operand, corner, terms, own_map, templates);
  std::string place = "box", mask;
  const int parts = tma.boxes->parts;
  if (parts > 1) {
    const bool along_mn = tma.boxes->parts_along == Major::mn;
    const Index extent = size(stage_of(operand).smem.layout()[along_mn ? 0 : 1]);
    const ClusterShape& cluster = step.schedule.cluster;
    const SharedBoxes shared =
        shared_boxes(side.operand, parts, extent / parts, cluster.m, cluster.n);
    (along_mn ? mn : k) += shared.offset;
    place = shared.place;
    mask = ", " + shared.blocks;
  }
  const bool is_once = tma.hint == CacheHint::evict_first;
  const std::string rest = corner.matrix + ", stage_full" + (is_once ? ", once" : mask);
  const std::string load = (is_once     ? "load_box_once"
                            : parts > 1 ? "load_box_for"
                                        : "load_box") +
                           of_view;
  if (side.gate != nullptr) return boxes_of_halves(templates, side, corner, {load, own_map, rest});
  const bool leaves_out = tma.edge_unit > 0;
  Piece piece = lettered(
      templates,
      leaves_out ? "specialised/load_stage.cu (boxes inside)" : "specialised/load_stage.cu (boxes)",
      side);
  fill_terms(piece, terms);
  piece.fill("place", place).fill("corner", corner.text(side.operand));
  if (!leaves_out) return piece.fill("load", load).fill("map", own_map).fill("rest", rest).text();
  const std::string map = has_edge_map(operand)
                              ? base::format("outer + kBoxOuter{0} <= {1} ? {2} : {2}_edge",
                                             side.upper, side.mn_lower, own_map)
                              : own_map;
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

}  // namespace jute::codegen
