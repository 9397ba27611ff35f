// Looks the (thread, value) layouts of copies, fragments and stores up in the tiles' memory.
#include "plan/derive/addresses.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/derive/operand/gated_accumulators.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/store_order.hpp"
#include "plan/derive/drain/subtile_drain.hpp"
#include "plan/derive/operand/descriptor_read.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "plan/derive/operand/read_order.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/derive/operand/swizzled_layout.hpp"
#include "plan/derive/operand/tma_boxes.hpp"
#include "plan/derive/operand/view_map.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// False, and an empty address, where there is none.
bool set(Address& address, const ComposedLayout& memory, const Layout& tv) {
  std::optional<Address> found = try_address_of(memory, tv);
  address = found ? *std::move(found) : Address();
  return found.has_value();
}

/// Row and column of what (thread, value) names in a column-major tile.
bool set_coordinates(Address& row, Address& column, const Layout& tv, int rows, int columns) {
  const IntTuple tile{rows, columns};
  return set(row, Layout(tile, IntTuple{1, 0}), tv) &&
         set(column, Layout(tile, IntTuple{0, 1}), tv);
}

/// The layout that threads look up to read fragments: values, or the rows of matrix loads.
std::optional<Layout> read_tv(OperandPlan& operand, const Fragment& fragment, int k_steps_at_once) {
  if (!fragments_of(operand).atom) {
    std::optional<ReadOrder> order = read_order(operand, fragment, k_steps_at_once);
    if (!order) return std::nullopt;
    return std::move(order->tv);
  }
  std::optional<MatrixRead> read =
      matrix_read(*fragments_of(operand).atom, fragment, stage_of(operand).smem, operand.type);
  if (!read) return std::nullopt;
  its_fragments(operand).bytes = std::move(read->bytes);
  return std::move(read->rows);
}

/// The way of an operand: its letter, its tile, the blocks of a cluster that ask for parts of it.
struct AddressSide {
  Operand operand;
  int mn, k;  ///< of one half, where there are two
  int parts;
  BoxCut cut;
  int halves = 1;
};
BoxCut box_cut_of(const GemmStep& step, const OperandPlan& operand) {
  if (leaves_out_rows_of_groups(step, operand)) return BoxCut::few_rows;
  return says_cluster(step.schedule) ? BoxCut::rows : BoxCut::mn_first;
}
AddressSide side_a(const GemmStep& step) {
  return {Operand::a,
          step.tile.m,
          step.tile.k,
          step.schedule.cluster.n,
          box_cut_of(step, step.a),
          has_halves(step, Operand::a) ? 2 : 1};
}
AddressSide side_b(const GemmStep& step) {
  return {Operand::b,
          step.tile.n,
          step.tile.k,
          step.schedule.cluster.m,
          box_cut_of(step, step.b),
          has_halves(step, Operand::b) ? 2 : 1};
}
/// The operand's tile as boxes, if so many blocks ask for equal parts of it.
std::optional<TmaBoxes> boxes_of(const OperandPlan& operand, const AddressSide& side, int parts) {
  const int most_rows = side.halves > 1 && operand.major == Major::k ? side.mn : kMostRowsOfBox;
  return tma_boxes(stage_of(operand).smem, operand.major, staged_type(operand), parts, side.cut,
                   fits_view(boxed_view(operand, side.k)), most_rows);
}

/// Where a thread's copies lie in a tile; those of a second half as they do in the first.
bool set_copies(OperandPlan& operand, const AddressSide& side) {
  ThreadCopy& copy = its_copy(operand);
  if (side.halves == 1)
    return set_coordinates(copy.copy_mn, copy.copy_k, copy.copy_tv, side.mn, side.k);
  const IntTuple tile{IntTuple{side.mn, side.halves}, side.k};
  return set(copy.copy_mn, Layout(tile, IntTuple{IntTuple{1, 0}, 0}), copy.copy_tv) &&
         set(copy.copy_k, Layout(tile, IntTuple{IntTuple{0, 0}, 1}), copy.copy_tv);
}

bool set_hop(OperandPlan& operand, const AddressSide& side) {
  if (transfer_of(operand) == Transfer::tma) {
    TmaWay& tma = its_tma(operand);
    tma.boxes = boxes_of(operand, side, side.parts);
    tma.map.reset();
    if (const auto boxed = boxed_view(operand, side.k); boxed && tma.boxes)
      tma.map = view_map(*boxed, tma.boxes->inner, tma.boxes->outer);
    return tma.boxes.has_value();
  }
  if (!set_copies(operand, side)) return false;
  CopiedWay& copied = its_copies(operand);
  return set(copied.store, copied.smem, copied.copy_tv);
}

/// Sets the feed of stages that hold what is stored: the coordinates of a thread's fragments, and
/// the bytes that it reads for each value, which its neighbours along K share.
bool set_stored_feed(OperandPlan& operand, const GemmStep& step, const Fragment& fragment, int mn) {
  const ComposedLayout& smem = stage_of(operand).smem;
  const Index of_read = elements_of_read(operand.stored->type), k = step.tile.k;
  if (k % of_read != 0 || size(smem.layout()[1]) != staged_along_k(operand, k)) return false;
  const Layout reads(IntTuple{of_read, k / of_read}, IntTuple{0, staged_along_k(operand, of_read)});
  const std::optional<Layout> along_k = try_composition(smem.layout()[1], reads);
  if (!along_k) return false;
  const ComposedLayout memory(smem.swizzle(), smem.offset(),
                              make_layout({smem.layout()[0], *along_k}));
  FragmentRead& read = its_fragments(operand);
  return set_coordinates(read.copy_mn, read.copy_k, fragment.tv, mn, step.tile.k) &&
         set(read.address, memory, fragment.tv);
}

bool set_feed(OperandPlan& operand, const GemmStep& step, Operand which, const Fragment& fragment) {
  if (has_stored_boxes(operand) && in_registers(register_of(step.mma.atom(), which)))
    return set_stored_feed(operand, step, fragment,
                           which == Operand::a ? step.tile.m : step.tile.n);
  if (!in_registers(register_of(step.mma.atom(), which))) {
    std::optional<DescriptorRead> read =
        descriptor_read(step.mma, which, fragment, stage_of(operand).smem);
    auto& place = its_stage(operand).read;
    place = FragmentRead();
    if (read) place = *std::move(read);
    return std::holds_alternative<DescriptorRead>(place);
  }
  its_fragments(operand).bytes.reset();
  const std::optional<Layout> read = read_tv(operand, fragment, step.schedule.k_steps_at_once);
  return read && set(its_fragments(operand).address, stage_of(operand).smem, *read);
}

bool set_operand(OperandPlan& operand, const GemmStep& step, const AddressSide& side) {
  if (is_straight(step) != (transfer_of(operand) == Transfer::straight)) return false;
  if (is_straight(step)) {
    ThreadCopy& copy = its_copy(operand);
    return set_coordinates(copy.copy_mn, copy.copy_k, copy.copy_tv, side.mn * side.halves, side.k);
  }
  const Fragment of_operand = fragment(step.mma, side.operand, multiplied(step));
  const bool is_read = set_feed(operand, step, side.operand, of_operand);
  return set_hop(operand, side) && is_read;
}

/// The accumulators in the order of stores; those of a gate.
Layout order_of_gate(const GemmStep& step, Layout order) {
  return step.gate ? composition(gated_accumulators(step).gate, order) : order;
}

bool set_places(EpiloguePlan& out, const GemmStep& step) {
  const Fragment c = drained(step);
  const TileShape& tile = step.tile;
  if (out.drain) {
    out.order = order_of_gate(step, Layout(size(c.tv[1])));
    out.drain = derived_again(*out.drain, step, c);
    return out.drain.has_value() && set_coordinates(out.m, out.n, c.tv, tile.m, tile.n);
  }
  StoreOrder order = store_order(c, tile);
  out.order = order_of_gate(step, std::move(order.accumulator));
  if (out.store == Store::direct) return set_coordinates(out.m, out.n, order.tv, tile.m, tile.n);
  return set_coordinates(out.m, out.n, out.row_tv, tile.m, tile.n) &&
         set(out.stage_write, out.stage, order.tv) && set(out.stage_read, out.stage, out.row_tv);
}

/// Does each of a thread's lines lie in the same part of so many lines in all threads?
bool shares_parts(const Address& place, const ThreadLines& lines, Index part) {
  const Index first = cosize(place.thread.layout());
  for (Index i = 0; i < size(lines.line); ++i)
    if (lines.line(i) % part + first > part) return false;
  return place.form == AddressForm::affine;
}

/// A thread's lines by those parts instead: each is a line.
ThreadLines by_parts(const ThreadLines& lines, Index part, Index count) {
  const Layout part_of_line(IntTuple{part, count}, IntTuple{0, 1});
  return {composition(composition(part_of_line, lines.line), lines.slot), Layout(count, part)};
}

/// The lines of a thread's accumulators, of operands whose products have scales.
void set_scales(GemmStep& step) {
  if (!scales_products(step)) return;
  const Layout tv = drained(step).tv;
  Address row, column;
  set_coordinates(row, column, tv, step.tile.m, step.tile.n);
  for (auto& [operand, place] : {std::pair(&step.a, &row), std::pair(&step.b, &column)}) {
    if (!operand->scales) continue;
    const bool is_row = place == &row;
    ThreadLines lines = thread_lines(place->value);
    const Index block = operand->scales->numbers.block_outer,
                tile = is_row ? step.tile.m : step.tile.n, part = std::gcd(block, tile);
    const ScaleLines told =
        scale_lines(block, tile, size(lines.line),
                    tiles_begin(step.groups, is_row ? GroupedAlong::m : GroupedAlong::n),
                    shares_parts(*place, lines, part));
    if (told.by == ScalesBy::lines && told.count < size(lines.line))
      lines = by_parts(lines, part, told.count);
    operand->scales->by = told.by;
    operand->scales->count = told.count;
    operand->scales->place = *place;
    operand->scales->slot = std::move(lines.slot);
    operand->scales->line = std::move(lines.line);
  }
}

/// Are the blocks told that the epilogue names?
bool has_blocks(const EpiloguePlan& out) {
  return out.blocks || !names(out.expression, EpilogueOp::block_amax);
}

bool set_epilogue(EpiloguePlan& out, const GemmStep& step) {
  const bool is_set = set_places(out, step);
  set_gathers(out);
  set_blocks(out, step);
  return is_set && has_blocks(out);
}

constexpr const char* kCutEvenly =
    "the modes of the layout must be cut evenly where the copies of a thread begin, and the values "
    "that it multiplies";
constexpr const char* kOfTma =
    "TMA must be able to write the layout: rows of whole 16-byte pieces behind each other, "
    "permuted "
    "by no swizzle or by that of 32, 64 or 128 bytes which is as long as a row, in boxes that "
    "begin "
    "at multiples of 128 bytes, which no mode of a View cuts";
constexpr const char* kOfWgmma =
    "wgmma must find each of its matrices in the layout by a descriptor (gmma_descriptor)";
constexpr const char* kOfMatrices =
    "a permutation must leave the rows that one wgmma reads evenly apart, as its descriptors say "
    "it";
constexpr const char* kOfCluster =
    "blocks of a cluster must load equal boxes of each tile that they share";
constexpr const char* kOfLayouts = "the addresses of a plan must be those of its layouts";

/// The rule that keeps a layout from being looked up, and one that can be.
const char* rule_of(const OperandPlan& operand, const GemmStep& step, const AddressSide& side) {
  if (transfer_of(operand) == Transfer::tma && !boxes_of(operand, side, side.parts)) return kOfTma;
  const bool is_found = in_registers(register_of(step.mma.atom(), side.operand)) ||
                        (transfer_of(operand) != Transfer::tma && descriptor_of(operand));
  return is_found ? kCutEvenly : kOfWgmma;
}
/// Are there layouts in which instructions find their matrices? A permutation may scatter the rows
/// of a matrix as no descriptor says.
bool finds_matrices(const OperandPlan& operand, const GemmStep& step, const AddressSide& side) {
  if (in_registers(register_of(step.mma.atom(), side.operand))) return true;
  const ComposedLayout usual = usual_tma_layout(step, side.operand);
  const Fragment of_operand = fragment(step.mma, side.operand, multiplied(step));
  return descriptor_of(operand) || descriptor_read(step.mma, side.operand, of_operand, usual);
}
/// Can TMA write the layout, but not in so many equal parts as blocks of the cluster share it?
bool is_shared_unevenly(const OperandPlan& operand, const AddressSide& side) {
  return transfer_of(operand) == Transfer::tma && side.parts > 1 &&
         !boxes_of(operand, side, side.parts) && boxes_of(operand, side, 1);
}
/// The most blocks below those asked for among which it can be shared out.
int fewer_parts(const OperandPlan& operand, const AddressSide& side) {
  int parts = side.parts - 1;
  while (parts > 1 && !boxes_of(operand, side, parts)) --parts;
  return parts;
}
std::string nearest_layout(const OperandPlan& operand, const GemmStep& step,
                           const AddressSide& side) {
  if (transfer_of(operand) != Transfer::tma &&
      in_registers(register_of(step.mma.atom(), side.operand)))
    return to_string(compact_layout(side.mn, side.k, operand.major));
  return to_string(usual_tma_layout(step, side.operand));
}

}  // namespace

void set_addresses(GemmStep& step) {
  set_operand(step.a, step, side_a(step));
  set_operand(step.b, step, side_b(step));
  set_epilogue(step.epilogue, step);
  set_scales(step);
}

bool has_addresses(const GemmStep& step) {
  const auto are_set = [](std::initializer_list<const Address*> addresses) {
    return std::ranges::none_of(addresses,
                                [](const Address* address) { return *address == Address(); });
  };
  const auto has_way = [&](const OperandPlan& operand, Operand which) {
    if (is_straight(step)) return are_set({&copy_of(operand).copy_mn, &copy_of(operand).copy_k});
    const bool is_read = in_registers(register_of(step.mma.atom(), which))
                             ? are_set({&fragments_of(operand).address})
                             : descriptor_of(operand) != nullptr;
    if (has_stored_boxes(operand) &&
        !are_set({&fragments_of(operand).copy_mn, &fragments_of(operand).copy_k}))
      return false;
    if (transfer_of(operand) == Transfer::tma) return is_read && tma_of(operand).boxes.has_value();
    return is_read && are_set({&copy_of(operand).copy_mn, &copy_of(operand).copy_k,
                               &copied_of(operand).store});
  };
  const EpiloguePlan& out = step.epilogue;
  const bool is_staged = out.store == Store::staged_rows;
  return has_way(step.a, Operand::a) && has_way(step.b, Operand::b) && are_set({&out.m, &out.n}) &&
         has_blocks(out) && (!is_staged || are_set({&out.stage_write, &out.stage_read}));
}

Errors address_rules(const GemmStep& step) {
  Errors errors;
  const auto judge = [&](const char* operand, const auto& part, const std::string& layout,
                         const std::string& nearest, const char* rule, auto&& set_part) {
    auto expected = part;
    if (!set_part(expected))
      errors.push_back(broken(operand, layout, rule, nearest));
    else if (!(expected == part))
      errors.push_back(broken(base::format("{}.address", operand), layout, kOfLayouts));
  };
  const auto judge_operand = [&](const char* name, const OperandPlan& operand,
                                 const AddressSide& side) {
    if (!finds_matrices(operand, step, side)) {
      errors.push_back(
          broken("permutation", to_string(step.mma.permutation()), kOfMatrices, "(_,_,_)"));
      return;
    }
    if (is_shared_unevenly(operand, side)) {
      ClusterShape fewer = step.schedule.cluster;
      const std::string asked = blocks_text(fewer);
      (side.operand == Operand::a ? fewer.n : fewer.m) = fewer_parts(operand, side);
      errors.push_back(broken("cluster", asked, kOfCluster, blocks_text(fewer)));
      return;
    }
    const bool straight = is_straight(step);
    judge(name, operand,
          straight ? to_string(step.mma.permutation()) : to_string(stage_of(operand).smem),
          straight ? "(_,_,_)" : nearest_layout(operand, step, side), rule_of(operand, step, side),
          [&](OperandPlan& expected) { return set_operand(expected, step, side); });
  };
  const auto place = [&](const char* layout) { return is_straight(step) ? "permutation" : layout; };
  judge_operand(place("smem_a"), step.a, side_a(step));
  judge_operand(place("smem_b"), step.b, side_b(step));
  judge("permutation", step.epilogue, to_string(step.mma.permutation()), "(_,_,_)", kCutEvenly,
        [&](EpiloguePlan& out) { return set_epilogue(out, step); });
  return errors;
}

}  // namespace jute::plan
