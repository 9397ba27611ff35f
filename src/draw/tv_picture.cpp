// Pictures of threads and their values: tiles, MMA atoms, copy atoms.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/draw/picture.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "draw/box_picture.hpp"
#include "draw/cells.hpp"
#include "draw/palette.hpp"
#include "draw/regions.hpp"

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

namespace {

/// How the operands of a product are passed.
struct Passed {
  RegisterType a = RegisterType::value, b = RegisterType::value, c = RegisterType::value;
};

Passed passed_by(const MmaAtom& atom) {
  return {atom.a_register, atom.b_register, atom.c_register};
}

int end_of(const std::vector<PicturePanel>& panels, int PicturePanel::*begin,
           int PicturePanel::*count) {
  int end = 0;
  for (const PicturePanel& panel : panels) end = std::max(end, panel.*begin + panel.*count);
  return end;
}

/// Which colour is which thread: they come again after 32.
std::vector<LegendEntry> thread_legend(const Picture& picture) {
  std::set<int> threads;
  for (const PicturePanel& panel : picture.panels)
    for (const PictureCell& cell : panel.cells)
      if (panel.region.empty())
        for (const Holder& holder : cell.holders) threads.insert(holder.thread);
  std::vector<LegendEntry> legend;
  const bool come_again = !threads.empty() && *threads.rbegin() >= draw::kColors;
  for (const int thread : threads)
    if (thread < draw::kColors)
      legend.push_back(
          {thread, "T" + std::to_string(thread) +
                       (come_again ? ", T" + std::to_string(thread + draw::kColors) + " …" : "")});
  return legend;
}

Picture product_of(const std::string& title, const ProductLayouts& tv, const ShapeMnk& shape,
                   const Passed& passed) {
  constexpr int kBoxAlongK = 8, kBoxAlongMn = 16;  // in cells, of operands that are one box
  auto a = draw::as_regions(draw::tv_panel("A", tv.a, shape.m, shape.k), passed.a);
  auto b = draw::as_regions(
      draw::tv_panel("B", tv.b, shape.n, shape.k, draw::Orientation::transposed), passed.b);
  auto c = draw::as_regions(draw::tv_panel("C", tv.c, shape.m, shape.n), passed.c);
  // Rows and columns that C's cells do not need as they are.
  const bool is_box = a.size() == 1 && b.size() == 1 && !c.front().region.empty() &&
                      !a.front().region.empty() && !b.front().region.empty();
  const int most_m = is_box ? kBoxAlongMn : shape.m, most_n = is_box ? kBoxAlongMn : shape.n;
  draw::shrink_regions(a, most_m, kBoxAlongK);
  draw::shrink_regions(b, kBoxAlongK, most_n);
  draw::shrink_regions(c, most_m, most_n);
  // One empty cell between the panels keeps their titles apart.
  const int down = end_of(b, &PicturePanel::row, &PicturePanel::rows) + 1;
  const int along = end_of(a, &PicturePanel::column, &PicturePanel::columns) + 1;
  Picture picture{.title = title + "\nA " + to_string(tv.a) + "\nB " + to_string(tv.b) + "\nC " +
                           to_string(tv.c),
                  .palette = Palette::threads,
                  .notes = {kThreadNote}};
  for (auto* panels : {&a, &b, &c})
    for (PicturePanel& panel : *panels) {
      if (panels != &b) panel.row += down;
      if (panels != &a) panel.column += along;
      picture.panels.push_back(std::move(panel));
    }
  picture.legend = thread_legend(picture);
  picture.legend_place = LegendPlace::corner;
  return picture;
}

}  // namespace

Picture product_picture(const std::string& title, const ProductLayouts& tv, const ShapeMnk& shape) {
  return product_of(title, tv, shape, {});
}

Picture mma_picture(const MmaAtom& atom, ThreadNames names) {
  Picture picture = product_of(atom.name, {atom.a_layout, atom.b_layout, atom.c_layout}, atom.shape,
                               passed_by(atom));
  const bool has_lanes = size(atom.thr_id) == size(atom.c_layout[0]);
  if (names == ThreadNames::logical || !has_lanes || size(atom.thr_id) == 1 ||
      coalesce(atom.thr_id).stride() == IntTuple(1))
    return picture;
  for (PicturePanel& panel : picture.panels)
    for (PictureCell& cell : panel.cells) {
      const std::vector<Holder> holders = std::exchange(cell.holders, {});
      cell = {};
      for (const Holder& holder : holders)
        draw::add_holder(cell, {static_cast<int>(atom.thr_id(holder.thread)), holder.value});
    }
  picture.legend = thread_legend(picture);
  picture.notes = {"T is the lane, V which of its values; the layouts number threads: thr_id " +
                   to_string(atom.thr_id)};
  return picture;
}

Picture tiled_mma_picture(const TiledMma& tiled) {
  return product_of(tiled.atom().name + " over " + to_string(tiled.atom_layout()),
                    {layoutA_TV(tiled), layoutB_TV(tiled), layoutC_TV(tiled)}, tile_shape(tiled),
                    passed_by(tiled.atom()));
}

namespace {

PicturePanel unit_panel(const char* title, const Layout& bits, int value_bits) {
  const Index threads = size(bits[0]), all_bits = size(bits[1]);
  if (value_bits <= 0 || all_bits % value_bits != 0)
    jute::refuse(
        ErrorCode::not_divisible, "value_bits", std::to_string(value_bits),
        "a value's bits must divide the " + std::to_string(all_bits) + " bits that a thread moves");
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
