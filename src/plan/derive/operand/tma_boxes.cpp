// Reads boxes off the modes of a layout.
#include "plan/derive/operand/tma_boxes.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace jute::plan {
namespace {

constexpr int kMostExtent = kMostRowsOfBox;
constexpr int kFewRows = 64;
constexpr int kBoxAlignment = 128, kRowAlignment = 16;

/// A dimension of the tile: how far its neighbours lie side by side, `pitch` apart, and the modes
/// behind that.
struct Run {
  Index extent = 1;
  Layout rest = Layout(1, 0);
};

Run run_of(const Layout& mode, Index pitch) {
  const Layout merged = coalesce(mode);
  const std::vector<Index> shape = merged.flat_shape(), stride = merged.flat_stride();
  if (stride[0] != pitch && shape[0] != 1) return {1, merged};
  std::vector<Layout> rest;
  for (size_t i = 1; i < shape.size(); ++i) rest.emplace_back(shape[i], stride[i]);
  if (rest.empty()) rest.emplace_back(1, 0);
  return {shape[0], coalesce(make_layout(rest))};
}

/// The run, cut into pieces of at most so many that fit.
Run bounded(const Run& run, Index pitch, Index most, const std::function<bool(Index)>& fits) {
  Index piece = std::min(run.extent, most);
  while (piece > 1 && (run.extent % piece != 0 || !fits(piece))) --piece;
  if (piece == run.extent) return run;
  return {piece, coalesce(make_layout({Layout(run.extent / piece, piece * pitch), run.rest}))};
}

/// TMA permutes 16-byte pieces of rows of 32, 64 or 128 bytes by the number of the row.
std::optional<TmaSwizzle> tma_swizzle(const Swizzle& swizzle, Index row_bytes, int width) {
  if (swizzle.bits() == 0) return TmaSwizzle::none;
  const int piece = std::countr_zero(static_cast<unsigned>(kRowAlignment / width));
  if (swizzle.base() != piece || swizzle.shift() != 3 || swizzle.bits() > 3) return std::nullopt;
  if (row_bytes != Index{kRowAlignment} << swizzle.bits()) return std::nullopt;
  return static_cast<TmaSwizzle>(swizzle.bits());
}

bool begin_aligned(const Layout& place, int width) {
  for (const Index stride : place.flat_stride())
    if (stride * width % kBoxAlignment != 0) return false;
  return true;
}

std::optional<TmaBoxes> boxes_of_parts(const ComposedLayout& smem, Major major, int width,
                                       int parts, Major parts_along, Index most_rows,
                                       const BoxFits& fits) {
  Layout mn = coalesce(smem.layout()[0]), k = coalesce(smem.layout()[1]);
  Layout& divided = parts_along == Major::mn ? mn : k;
  if (size(divided) % parts != 0) return std::nullopt;
  const std::optional<Layout> cut =
      try_composition(divided, Layout(IntTuple{size(divided) / parts, parts}));
  if (!cut) return std::nullopt;
  divided = (*cut)[0];
  const Layout &along = major == Major::k ? k : mn, &across = major == Major::k ? mn : k;
  const auto fit = [&](Index in, Index out) { return !fits || fits(in, out); };
  const Run inner =
      bounded(run_of(along, 1), 1, kMostExtent, [&](Index elems) { return fit(elems, 1); });
  const Run outer = bounded(run_of(across, inner.extent), inner.extent, most_rows,
                            [&](Index rows) { return fit(inner.extent, rows); });
  if (!fit(inner.extent, outer.extent)) return std::nullopt;
  const Index row_bytes = inner.extent * width;
  const std::optional<TmaSwizzle> swizzle = tma_swizzle(smem.swizzle(), row_bytes, width);
  const Layout place = make_layout({(*cut)[1], inner.rest, outer.rest});
  if (!swizzle || row_bytes % kRowAlignment != 0 || !begin_aligned(place, width))
    return std::nullopt;
  return TmaBoxes{static_cast<int>(inner.extent),
                  static_cast<int>(outer.extent),
                  *swizzle,
                  parts,
                  parts_along,
                  false,
                  place};
}

}  // namespace

std::optional<TmaBoxes> tma_boxes(const ComposedLayout& smem, Major major, DType type, int parts,
                                  BoxCut cut, const BoxFits& fits, int most) {
  if (smem.offset() != 0) return std::nullopt;
  const int width = width_bytes(type);
  if (cut == BoxCut::rows) {
    std::optional<TmaBoxes> rows = boxes_of_parts(
        smem, major, width, parts, major == Major::k ? Major::mn : Major::k, kMostExtent, fits);
    if (!rows || size(rows->place[2]) != 1) return std::nullopt;
    rows->parts_at_run_time = true;
    return rows;
  }
  const Index most_rows = std::min<Index>(cut == BoxCut::few_rows ? kFewRows : kMostExtent, most);
  std::optional<TmaBoxes> boxes =
      boxes_of_parts(smem, major, width, parts, Major::mn, most_rows, fits);
  return boxes ? boxes : boxes_of_parts(smem, major, width, parts, Major::k, most_rows, fits);
}

}  // namespace jute::plan
