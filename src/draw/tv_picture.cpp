// Pictures of threads and their values: tiles, MMA atoms, copy atoms.
#include <jute/base/error.hpp>
#include <jute/draw/picture.hpp>
#include <jute/layout/algebra.hpp>

#include <utility>

#include "draw/box_picture.hpp"
#include "draw/cells.hpp"

namespace jute {
namespace {

constexpr const char* kThreadNote = "T is the thread, V which of its values";

}  // namespace

Picture tv_picture(const Layout& tv, int rows, int columns) {
  const std::string tile = std::to_string(rows) + "x" + std::to_string(columns);
  return {.title = to_string(tv) + " over " + tile,
          .palette = Palette::threads,
          .panels = {draw::tv_panel("", tv, rows, columns)},
          .notes = {kThreadNote}};
}

Picture product_picture(const std::string& title, const ProductLayouts& tv, const ShapeMnk& shape) {
  // One empty cell between the panels keeps their titles apart.
  const int corner = shape.k + 1;
  PicturePanel a = draw::tv_panel("A", tv.a, shape.m, shape.k);
  PicturePanel b = draw::tv_panel("B", tv.b, shape.n, shape.k, draw::Orientation::transposed);
  PicturePanel c = draw::tv_panel("C", tv.c, shape.m, shape.n);
  a.row = c.row = corner;
  b.column = c.column = corner;
  return {.title = title + "\nA " + to_string(tv.a) + "\nB " + to_string(tv.b) + "\nC " +
                   to_string(tv.c),
          .palette = Palette::threads,
          .panels = {std::move(a), std::move(b), std::move(c)},
          .notes = {kThreadNote}};
}

Picture mma_picture(const MmaAtom& atom, ThreadNames names) {
  Picture picture =
      product_picture(atom.name, {atom.a_layout, atom.b_layout, atom.c_layout}, atom.shape);
  const bool has_lanes = size(atom.thr_id) == size(atom.c_layout[0]);
  if (names == ThreadNames::logical || !has_lanes || coalesce(atom.thr_id).stride() == IntTuple(1))
    return picture;
  for (PicturePanel& panel : picture.panels)
    for (PictureCell& cell : panel.cells) {
      const std::vector<Holder> holders = std::exchange(cell.holders, {});
      cell = {};
      for (const Holder& holder : holders)
        draw::add_holder(cell, {static_cast<int>(atom.thr_id(holder.thread)), holder.value});
    }
  picture.notes = {"T is the lane, V which of its values; the layouts number threads: thr_id " +
                   to_string(atom.thr_id)};
  return picture;
}

Picture tiled_mma_picture(const TiledMma& tiled) {
  return product_picture(tiled.atom().name + " over " + to_string(tiled.atom_layout()),
                         {layoutA_TV(tiled), layoutB_TV(tiled), layoutC_TV(tiled)},
                         tile_shape(tiled));
}

namespace {

PicturePanel unit_panel(const char* title, const Layout& bits, int value_bits) {
  const Index threads = size(bits[0]), all_bits = size(bits[1]);
  if (value_bits <= 0 || all_bits % value_bits != 0)
    throw Exception({.code = ErrorCode::not_divisible,
                     .operand = "value_bits",
                     .value = std::to_string(value_bits),
                     .violated_rules = {"a value's bits must divide the " +
                                        std::to_string(all_bits) + " bits that a thread moves"}});
  const Index values = all_bits / value_bits;
  draw::check_cell_count(threads * values, to_string(bits));
  PicturePanel panel = draw::panel(title, static_cast<int>(threads), static_cast<int>(values));
  for (Index thread = 0; thread < threads; ++thread)
    for (Index value = 0; value < values; ++value) {
      PictureCell& cell = panel.cells[static_cast<size_t>(thread * values + value)];
      const Index bit = bits(thread + threads * value * value_bits);
      draw::add_holder(cell, {static_cast<int>(thread), static_cast<int>(value)});
      cell.text = std::to_string(bit / value_bits);
    }
  return panel;
}

}  // namespace

Picture copy_picture(const CopyAtom& atom, int value_bits) {
  if (atom.box) return draw::box_picture(atom, *atom.box);
  PicturePanel source = unit_panel("source", atom.src_layout, value_bits);
  PicturePanel target = unit_panel("destination", atom.dst_layout, value_bits);
  target.column = source.columns + 1;
  return {.title = atom.name + ", values of " + std::to_string(value_bits) + " bits\nsource " +
                   to_string(atom.src_layout) + " in bits\ndestination " +
                   to_string(atom.dst_layout) + " in bits",
          .palette = Palette::threads,
          .panels = {std::move(source), std::move(target)},
          .notes = {"Rows are threads, columns what each moves; a number is an element's place"}};
}

Picture tiled_copy_picture(const TiledCopy& tiled) {
  const std::vector<Index> tile = tiled.tiler_mn().leaves();
  Index columns = 1;
  for (size_t mode = 1; mode < tile.size(); ++mode) columns *= tile[mode];
  const int rows = static_cast<int>(tile.empty() ? 1 : tile.front());
  const Layout source_tv = layoutS_TV(tiled), target_tv = layoutD_TV(tiled);
  PicturePanel source = draw::tv_panel("source", source_tv, rows, static_cast<int>(columns));
  PicturePanel target = draw::tv_panel("destination", target_tv, rows, static_cast<int>(columns));
  target.column = source.columns + 1;
  return {.title = tiled.atom().name + " over " + to_string(tiled.tiler_mn()) + "\nsource " +
                   to_string(source_tv) + "\ndestination " + to_string(target_tv),
          .palette = Palette::threads,
          .panels = {std::move(source), std::move(target)},
          .notes = {kThreadNote}};
}

}  // namespace jute
