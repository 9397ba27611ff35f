// Cuts a group's accumulators into subtiles and finds who stores which row of them.
#include "plan/derive/drain/subtile_drain.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/properties.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <vector>

#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "plan/derive/operand/tma_boxes.hpp"
#include "plan/derive/operand/view_map.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

constexpr int kSpanBytes = 128;

/// The same coordinates in a column-major tile of fewer rows.
Layout with_rows_apart(const Layout& layout, Index rows_from, Index rows_to) {
  const std::vector<Index> shape = layout.flat_shape(), stride = layout.flat_stride();
  std::vector<Layout> modes;
  for (size_t i = 0; i < shape.size(); ++i)
    modes.emplace_back(shape[i], stride[i] % rows_from + stride[i] / rows_from * rows_to);
  return modes.size() == 1 ? modes[0] : make_layout(modes);
}

/// (thread of a group, value of a turn) and (group, turn), over the block's tile.
struct ParallelParts {
  Layout subtile_tv, place;
};
std::optional<ParallelParts> cut(const Fragment& c, Index group_threads, Index per_turn) {
  const std::optional<Layout> threads = cut_after(c.tv[0], group_threads);
  const std::optional<Layout> values = cut_after(c.tv[1], per_turn);
  if (!threads || !values) return std::nullopt;
  return ParallelParts{make_layout({(*threads)[0], (*values)[0]}),
                       make_layout({(*threads)[1], (*values)[1]})};
}

/// Do the coordinates, each there once, fill a tile of so many rows and columns from its corner?
bool fills(const Layout& tv, Index tile_rows, Index rows, Index columns) {
  Index row = 0, column = 0;
  const std::vector<Index> shape = tv.flat_shape(), stride = tv.flat_stride();
  for (size_t i = 0; i < shape.size(); ++i) {
    row += (shape[i] - 1) * (stride[i] % tile_rows);
    column += (shape[i] - 1) * (stride[i] / tile_rows);
  }
  return row < rows && column < columns && size(tv) == rows * columns;
}

Major major_of(Order order) { return order == Order::row ? Major::k : Major::mn; }

/// A subtile whose columns lie one behind the other, each as long as a group's rows: the widest
/// that leaves room for others; the narrowest wider one where turns would be many, stages are short
/// and there is room beside them.
ComposedLayout column_subtile(Index rows, const TileShape& tile, Index most, Index room,
                              DType type) {
  constexpr Index kManyColumns = 64, kFewColumns = 32, kStep = 8, kLongStage = 256;
  const Index piece = 16 / width_bytes(type);
  Index width = std::gcd(Index{tile.n}, kStep);
  for (Index wider = kStep; wider <= most; wider += kStep) {
    const bool has_room = tile.m < kLongStage && wider <= room;
    if (tile.n % wider == 0 && (wider <= kManyColumns || (has_room && width < kFewColumns)))
      width = wider;
  }
  const Layout plain(IntTuple{rows, width}, IntTuple{1, rows});
  const int bits = std::countr_zero(static_cast<unsigned>(rows / piece));
  return {Swizzle(bits, std::countr_zero(static_cast<unsigned>(piece)), 3), 0, plain};
}

/// The widest subtile whose rows eight lanes store without a conflict: of 128, 64 or 32 bytes
/// behind TMA's swizzle, or of an odd number of 16-byte pieces. Its rows divide `run`; 0: any do.
ComposedLayout row_subtile(Index rows, Index tile_n, Index most, DType type, Index run = 0) {
  constexpr Index kMostColumns = 256;
  const Index piece = 16 / width_bytes(type);
  Index width = piece;
  for (Index part = piece; part <= std::min(most, kMostColumns); part += piece) {
    const Index pieces = part / piece;
    const bool is_swizzled = pieces == 2 || pieces == 4 || pieces == 8;
    if (tile_n % part == 0 && run % part == 0 && (is_swizzled || pieces % 2 != 0)) width = part;
  }
  const Layout plain(IntTuple{rows, width}, IntTuple{width, 1});
  if (width / piece % 2 != 0) return plain;
  const int bits = std::countr_zero(static_cast<unsigned>(width / piece));
  return {Swizzle(bits, std::countr_zero(static_cast<unsigned>(piece)), 3), 0, plain};
}

/// A subtile of whole rows of the tile, or of equal parts of them, that begin anywhere in D: with
/// rows an odd number of 16-byte pieces apart, threads find each chunk and the next without a
/// conflict.
ComposedLayout subtile_of_any_rows(Index rows, Index tile_n, Index most, Index room, DType type) {
  constexpr Index kLeastColumns = 48;
  const Index piece = 16 / width_bytes(type);
  const auto pitch = [&](Index width) { return width / piece % 2 != 0 ? width : width + piece; };
  Index width = tile_n;
  const Index least = most < kLeastColumns ? piece : kLeastColumns;
  for (Index part = least; part <= most; part += piece)
    if (tile_n % part == 0 && pitch(part) <= room) width = part;
  return ComposedLayout(Layout(IntTuple{rows, width}, IntTuple{pitch(width), 1}));
}

/// Subtiles that TMA could fill, side by side: whole rows of the tile, or equal parts of them.
ComposedLayout subtile_of_boxes(Index rows, Index tile_n, Index most, Index room, DType type) {
  const Index widest = std::min(most, room);
  const ComposedLayout box = row_subtile(rows, tile_n, widest, type);
  const Index width = size(box.layout()[1]);
  Index boxes = 1;
  for (Index more = 2; more * width <= widest; ++more)
    if (tile_n % (more * width) == 0) boxes = more;
  return {box.swizzle(), 0,
          Layout(IntTuple{rows, {width, boxes}}, IntTuple{width, {1, rows * width}})};
}

/// Most columns of a subtile: blocks that drain a share of their tile each have whole subtiles of
/// it.
Index most_columns(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (has_widths(step)) return subtile_of_widths(step.tile.n);
  if (!reduces_in_cluster(step.schedule) || gathers(out) || packs_bits(out)) return step.tile.n;
  const Index piece = 16 / width_bytes(out.d_type);
  return std::max(piece, step.tile.n / step.schedule.split_k / piece * piece);
}

/// TMA writes 16 bytes at least: where D's lines may end inside them, threads store the last; and
/// those in which a group's rows end, or those of a View inside a block of rows.
SubtileExit exit_of_boxes(const GemmStep& step) {
  if (deals_tiles(step.groups)) return SubtileExit::rows_at_edge;
  const std::optional<BoxedView> boxed = boxed_view(step.epilogue, step.transposed);
  const Extent& m = step.transposed ? step.n : step.m;
  if (boxed && !m.baked && has_places_past_m(*boxed)) return SubtileExit::rows_at_edge;
  const Index piece = 16 / width_bytes(step.epilogue.d_type);
  const Extent& along = step.epilogue.d_order == Order::row ? step.n : step.m;
  return is_multiple(along, piece) ? SubtileExit::boxes : SubtileExit::rows_at_edge;
}

/// Elements of D's View side by side and of C's, which rows of subtiles divide; 0: as many as there
/// are.
Index run_of_subtiles(const GemmStep& step) {
  Index run = 0;
  for (const std::optional<BoxedView>& boxed : {boxed_view(step.epilogue, step.transposed),
                                                boxed_view_of_c(step.epilogue, step.transposed)})
    if (boxed) run = std::gcd(run, run_of_view(boxed->view, boxed->order));
  return run;
}

/// A fragment of accumulators in subtiles of one shape.
class InSubtiles {
 public:
  InSubtiles(const SubtileDrain& drain, const GemmStep& step, const Fragment& c)
      : drain_(drain),
        step_(step),
        rows_(size(drain.subtile.layout()[0])),
        columns_(size(drain.subtile.layout()[1])) {
    const Index group_threads = threads(step.mma.atom());
    const Index per_turn = rows_ * columns_ / group_threads;
    parts_ = cut(c, group_threads, per_turn);
    if (!parts_ || !fills(parts_->subtile_tv, step.tile.m, rows_, columns_)) return;
    turn_ = Fragment{make_layout({with_rows_apart(parts_->subtile_tv[0], step.tile.m, rows_),
                                  with_rows_apart(parts_->subtile_tv[1], step.tile.m, rows_)}),
                     static_cast<int>(per_turn)};
  }

  /// The matrix store or load, or the store of a thread's neighbours, if there is one.
  [[nodiscard]] std::optional<MatrixRead> read_by(const CopyAtom& atom) const {
    if (!turn_) return std::nullopt;
    if (atom.form == CopyForm::universal) return store_by(atom);
    return matrix_read(atom, *turn_, drain_.subtile, step_.epilogue.d_type);
  }

  /// The drain with all that follows from the store of its atom.
  [[nodiscard]] std::optional<SubtileDrain> completed(const MatrixRead& store) const {
    const DType type = step_.epilogue.d_type;
    SubtileDrain result = drain_;
    result.store_atom = store.atom;
    result.groups = static_cast<int>(size(parts_->place[0]));
    result.turns = static_cast<int>(size(parts_->place[1]));
    result.boxes.reset();
    if (!leaves_by_rows(drain_) || drain_.c_atom) {
      result.boxes = boxes_of(drain_.subtile, type);
      if (!result.boxes) return std::nullopt;
    }
    const IntTuple tile{step_.tile.m, step_.tile.n};
    const auto write = try_address_of(drain_.subtile, store.rows);
    const auto edge = try_address_of(drain_.subtile, Layout(IntTuple{rows_, columns_}));
    const auto m = try_address_of(Layout(tile, IntTuple{1, 0}), parts_->place);
    const auto n = try_address_of(Layout(tile, IntTuple{0, 1}), parts_->place);
    if (!write || !m || !n || !edge) return std::nullopt;
    result.write = *write;
    result.m = *m;
    result.n = *n;
    if (!leaves_by_rows(drain_)) result.exit = exit_of_boxes(step_);
    result.edge = *edge;
    return with_maps(std::move(result));
  }

 private:
  /// Adds maps of Views of D and of C. Nothing where C is to land by boxes that its View has not.
  [[nodiscard]] std::optional<SubtileDrain> with_maps(SubtileDrain result) const {
    result.map.reset();
    result.c_map.reset();
    if (const auto c = boxed_view_of_c(step_.epilogue, step_.transposed); c && result.c_atom) {
      result.c_map = view_map(*c, result.boxes->inner, result.boxes->outer);
      if (!result.c_map) return std::nullopt;
    }
    const std::optional<BoxedView> boxed = boxed_view(step_.epilogue, step_.transposed);
    if (!boxed) return result;
    if (leaves_by_rows(result)) return std::nullopt;
    result.map = view_map(*boxed, result.boxes->inner, result.boxes->outer);
    return result;
  }

  /// Boxes of a subtile, in D's View where it has one.
  [[nodiscard]] std::optional<TmaBoxes> boxes_of(const ComposedLayout& subtile, DType type) const {
    return tma_boxes(subtile, major_of(step_.epilogue.d_order), type, 1, BoxCut::mn_first,
                     [d = fits_view(boxed_view(step_.epilogue, step_.transposed)),
                      c = fits_view(boxed_view_of_c(step_.epilogue, step_.transposed))](
                         Index inner, Index outer) {
                       return (!d || d(inner, outer)) && (!c || c(inner, outer));
                     });
  }

  /// The store of a thread's neighbours, each of which must lie so in the subtile.
  [[nodiscard]] std::optional<MatrixRead> store_by(const CopyAtom& atom) const {
    const Index bits = width_bits(step_.epilogue.d_type), many = size(atom.src_layout) / bits;
    const std::optional<Layout> values = cut_after(turn_->tv[1], many);
    if (!values) return std::nullopt;
    const std::optional<Layout> places = try_composition(
        drain_.subtile.layout(), make_layout({(*values)[0], turn_->tv[0], (*values)[1]}));
    if (!places) return std::nullopt;
    const ComposedLayout in_subtile(drain_.subtile.swizzle(), drain_.subtile.offset(), *places);
    if (max_vector_elems(in_subtile, {static_cast<int>(bits)}) < many) return std::nullopt;
    return MatrixRead{.atom = atom,
                      .reads = static_cast<int>(size((*values)[1])),
                      .rows = make_layout({turn_->tv[0], (*values)[1]})};
  }

  const SubtileDrain& drain_;
  const GemmStep& step_;
  Index rows_, columns_;
  std::optional<ParallelParts> parts_;
  std::optional<Fragment> turn_;  ///< what a group holds of a subtile; none where it holds no stack
};

}  // namespace

std::optional<SubtileDrain> derived_again(const SubtileDrain& drain, const GemmStep& step,
                                          const Fragment& c) {
  const InSubtiles subtiles(drain, step, c);
  const std::optional<MatrixRead> store = subtiles.read_by(drain.store_atom);
  if (!store) return std::nullopt;
  if (drain.c_atom) {
    const std::optional<MatrixRead> load = subtiles.read_by(*drain.c_atom);
    if (!load || load->rows != store->rows) return std::nullopt;
  }
  return subtiles.completed(*store);
}

std::optional<CopyAtom> load_like_store(const SubtileDrain& drain, const GemmStep& step,
                                        const Fragment& c, const Catalogue& catalogue) {
  const InSubtiles subtiles(drain, step, c);
  const std::optional<MatrixRead> store = subtiles.read_by(drain.store_atom);
  if (!store) return std::nullopt;
  for (const CopyAtom& atom : catalogue.copies(CopyForm::ldmatrix, step.arch)) {
    const std::optional<MatrixRead> load = subtiles.read_by(atom);
    if (load && load->rows == store->rows) return atom;
  }
  return std::nullopt;
}

namespace {

/// Instructions that may store into subtiles, the widest first: matrix stores; of other widths
/// pairs of neighbours, which a thread holds.
std::vector<CopyAtom> stores_of(DType type, Arch arch, const Catalogue& catalogue) {
  const bool is_half = width_bits(type) == 16;
  const Index pair = Index{2} * width_bits(type);
  std::vector<CopyAtom> atoms =
      catalogue.copies(is_half ? CopyForm::stmatrix : CopyForm::universal, arch);
  if (!is_half)
    std::erase_if(atoms, [&](const CopyAtom& atom) { return size(atom.src_layout) != pair; });
  std::ranges::stable_sort(atoms, std::greater(),
                           [](const CopyAtom& atom) { return size(atom.src_layout); });
  return atoms;
}

}  // namespace

std::optional<SubtileDrain> subtile_drain(const GemmStep& step, const Fragment& c,
                                          const Catalogue& catalogue,
                                          std::optional<RowStores> by_rows, Index room) {
  const DType type = step.epilogue.d_type;
  const bool along_n = step.epilogue.d_order == Order::row;
  const bool is_byte = type == DType::e4m3 || type == DType::e5m2;
  const bool has_pairs = is_byte || width_bits(type) == 32;
  const bool may_lie = along_n || !(by_rows || has_pairs);
  if (!may_lie || (by_rows && has_pairs) || (width_bits(type) != 16 && !has_pairs))
    return std::nullopt;
  SubtileDrain drain;
  const Index rows = step.mma.atom().shape.m;
  drain.exit = by_rows ? SubtileExit::rows : SubtileExit::boxes;
  const Index tile_n = step.tile.n, most = most_columns(step);
  drain.subtile = by_rows ? (by_rows->begin_anywhere ? subtile_of_any_rows : subtile_of_boxes)(
                                rows, tile_n, most, by_rows->room, type)
                  : along_n ? row_subtile(rows, tile_n, most, type, run_of_subtiles(step))
                            : column_subtile(rows, step.tile, most, room, type);
  const Index span =
      std::max<Index>(swizzle_span(drain.subtile.swizzle()), kSpanBytes / width_bytes(type));
  drain.stride_elems = (cosize(drain.subtile) + span - 1) / span * span;
  // The widest that suits, of equals the first.
  const InSubtiles subtiles(drain, step, c);
  for (const CopyAtom& atom : stores_of(type, step.arch, catalogue))
    if (const std::optional<MatrixRead> store = subtiles.read_by(atom))
      if (std::optional<SubtileDrain> found = subtiles.completed(*store)) {
        found->copies = found->turns % 2 == 0 ? 2 : 1;
        if (has_widths(step)) found->copies = kSubtilesOfWidths;
        return found;
      }
  return std::nullopt;
}

}  // namespace jute::plan
