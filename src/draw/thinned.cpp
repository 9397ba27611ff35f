// Large pictures without their middle.
#include <jute/draw/arrange.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "draw/panel_part.hpp"

namespace jute {
namespace {

using ThinnedRun = std::pair<int, int>;

/// Numbers [0, count) in one run, or the first and the last of them.
std::vector<ThinnedRun> kept_runs(int count, int most) {
  if (count <= most) return {{0, count}};
  const int last = std::max(1, most / 4);
  return {{0, most - last}, {count - last, count}};
}

std::string left_out(const char* what, const std::vector<ThinnedRun>& runs) {
  if (runs.size() < 2) return {};
  return std::string(what) + " " + std::to_string(runs[0].second) + " to " +
         std::to_string(runs[1].first - 1) + " are left out";
}

/// Rows, or columns: a panel's members that say where it begins and how many it has.
struct Direction {
  int PicturePanel::*begin;
  int PicturePanel::*count;
};
constexpr Direction kDown{&PicturePanel::row, &PicturePanel::rows};
constexpr Direction kAlong{&PicturePanel::column, &PicturePanel::columns};

/// Which side of a panel lies at a place.
enum class Edge : std::uint8_t { begin, end };

/// Where a place of the whole picture is in the thinned one: what is left out before it is gone; an
/// edge that is left out itself lies at the gap.
int moved(const Picture& picture, int at, Edge edge, Direction direction, int most) {
  int by = 0;
  for (const PicturePanel& other : picture.panels) {
    const int count = other.*direction.count, place = at - other.*direction.begin;
    const auto runs = kept_runs(count, most);
    if (!other.region.empty() || runs.size() < 2 || place <= runs[0].second) continue;
    const int gap = runs[0].second + (edge == Edge::begin ? 1 : 0);
    by = std::max(by, place >= runs[1].first ? count - most - 1 : place - gap);
  }
  return at - by;
}

/// A box stays one: as large as what the panels beside it keep.
PicturePanel shrunk(const Picture& picture, const PicturePanel& box, int most) {
  const auto kept = [&](Direction direction) {
    const int begin = box.*direction.begin, end = begin + box.*direction.count;
    return std::pair{0, moved(picture, end, Edge::end, direction, most) -
                            moved(picture, begin, Edge::begin, direction, most)};
  };
  return draw::part_of(box, kept(kDown), kept(kAlong));
}

PanelNumbers numbers_of(ThinnedRun rows, ThinnedRun columns) {
  if (rows.first > 0) return columns.first > 0 ? PanelNumbers::none : PanelNumbers::of_rows;
  return columns.first > 0 ? PanelNumbers::of_columns : PanelNumbers::of_both;
}

/// The kept parts of a panel at its new place, the first and the last of both directions.
std::vector<PicturePanel> kept_parts(const PicturePanel& panel, int most) {
  std::vector<PicturePanel> parts;
  const auto rows = kept_runs(panel.rows, most), columns = kept_runs(panel.columns, most);
  for (const ThinnedRun& down : rows)
    for (const ThinnedRun& along : columns) {
      PicturePanel part = draw::part_of(panel, down, along);
      part.row += down.first == 0 ? 0 : rows[0].second + 1;
      part.column += along.first == 0 ? 0 : columns[0].second + 1;
      part.numbers = numbers_of(down, along);
      if (down.first > 0 || along.first > 0) part.title.clear();
      if (along.first > 0) part.row_names.clear();  // they stand before the first part
      if (down.first > 0 && along.first == 0) part.left_out_above = left_out("rows", rows);
      if (along.first > 0 && down.first == 0) part.left_out_before = left_out("columns", columns);
      parts.push_back(std::move(part));
    }
  return parts;
}

}  // namespace

Picture thinned(const Picture& picture, int most) {
  Picture result = picture;
  result.panels.clear();
  for (const PicturePanel& panel : picture.panels) {
    PicturePanel at_place = panel.region.empty() ? panel : shrunk(picture, panel, most);
    at_place.row = moved(picture, panel.row, Edge::begin, kDown, most);
    at_place.column = moved(picture, panel.column, Edge::begin, kAlong, most);
    if (!panel.region.empty()) {
      result.panels.push_back(std::move(at_place));
      continue;
    }
    for (PicturePanel& part : kept_parts(at_place, most)) result.panels.push_back(std::move(part));
    for (const std::string& lost : {left_out("rows", kept_runs(panel.rows, most)),
                                    left_out("columns", kept_runs(panel.columns, most))})
      if (!lost.empty())
        result.notes.push_back((panel.title.empty() ? "" : panel.title + ": ") + lost);
  }
  return result;
}

}  // namespace jute
