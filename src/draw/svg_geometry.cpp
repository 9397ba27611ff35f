// Cells as wide as their texts; notes and legend in an empty corner, or below.
#include "draw/svg_geometry.hpp"

#include <jute/base/split_at.hpp>

#include <algorithm>

namespace jute::draw {
namespace {

constexpr int kMostWidth = 1900;
constexpr int kLeastLegend = 360;
constexpr int kTitleRoom = 34;  // a row between panels holds the title and numbers of the lower one
constexpr double kPageRatio = 1.5;  // a page that lies on its side, and a little more

/// Cells of the whole table, and of the corner in front of B and above A that no panel covers.
struct Extents {
  int rows = 0, columns = 0;
  int free_rows = 0, free_columns = 0;
};

Extents extents_of(const Picture& picture) {
  Extents all;
  int first_row = -1, first_column = -1;
  const auto least = [](int& value, int other) {
    value = value < 0 ? other : std::min(value, other);
  };
  for (const PicturePanel& panel : picture.panels) {
    all.rows = std::max(all.rows, panel.row + panel.rows);
    all.columns = std::max(all.columns, panel.column + panel.columns);
    if (panel.row == 0) least(first_column, panel.column);
    if (panel.column == 0) least(first_row, panel.row);
  }
  if (first_row > 0 && first_column > 0) {
    all.free_rows = first_row;
    all.free_columns = first_column;
  }
  return all;
}

int legend_lines(const std::vector<LegendEntry>& legend, int width) {
  if (legend.empty()) return 0;
  const int columns = legend_columns(legend, width);
  return (static_cast<int>(legend.size()) + columns - 1) / columns;
}

/// Notes in lines that fit.
std::vector<std::string> wrapped(const std::vector<std::string>& notes, int width) {
  const auto most = static_cast<size_t>(std::max(width / kCharacter, 1));
  std::vector<std::string> lines;
  for (std::string rest : notes)
    while (!rest.empty()) {
      size_t end = rest.size() <= most ? rest.size() : rest.rfind(' ', most);
      if (end == std::string::npos) end = rest.size();
      lines.push_back(rest.substr(0, end));
      rest.erase(0, std::min(rest.size(), end + 1));
    }
  return lines;
}

void measure_cells(const Picture& picture, Geometry& g) {
  size_t name = 0;
  for (const PicturePanel& panel : picture.panels) {
    for (const std::string& row : panel.row_names) name = std::max(name, row.size());
    if (panel.row > 0 && !panel.title.empty()) g.cell_height = std::max(g.cell_height, kTitleRoom);
    if (!panel.region.empty()) continue;
    for (const PictureCell& cell : panel.cells) {
      const auto lines = split_at('\n', cell.text);
      for (const std::string_view line : lines)
        g.cell_width = std::max(g.cell_width, kCharacter * length(line) + 10);
      g.cell_height = std::max(g.cell_height, kLine * static_cast<int>(lines.size()) + 8);
    }
  }
  if (name > 0) g.left += kCharacter * static_cast<int>(name) + 6;
}

/// Puts the legend, then the notes, into the corner; what finds no room there below the panels.
void place_texts(const Picture& picture, const Extents& all, Geometry& g) {
  const int corner_width = g.left + all.free_columns * g.cell_width - kLabelRoom - 2 * kMargin;
  const int whole_width = g.width - 2 * kMargin;
  int corner_lines = all.free_columns == 0 ? 0 : all.free_rows * g.cell_height / kTitleLine;
  int corner_y = g.top + kTitleLine;
  const auto in_corner = [&](int lines) {
    if (lines > corner_lines) return TextPlace{};
    const TextPlace place{kMargin, corner_y, corner_width};
    corner_y += (lines + 1) * kTitleLine;
    corner_lines -= lines + 1;
    return place;
  };
  const int panels_end = g.top + kLabelRoom + all.rows * g.cell_height + kMargin;
  int foot = panels_end;
  const auto below = [&](int lines) {
    const TextPlace place{kMargin, foot + kLine, whole_width};
    foot += lines * kTitleLine;
    return place;
  };
  if (!picture.legend.empty() && legend_width(picture.legend) <= corner_width)
    g.legend = in_corner(legend_lines(picture.legend, corner_width));
  g.note_lines = wrapped(picture.notes, corner_width);
  if (!g.note_lines.empty()) g.notes = in_corner(static_cast<int>(g.note_lines.size()));
  if (g.notes.width == 0) {
    g.note_lines = wrapped(picture.notes, whole_width);
    g.notes = below(static_cast<int>(g.note_lines.size()));
  }
  if (g.legend.width == 0 && picture.legend_place == LegendPlace::corner_or_below)
    g.legend = below(legend_lines(picture.legend, whole_width));
  g.height = foot + (foot > panels_end ? kMargin : 0);
}

}  // namespace

int length(std::string_view line) {
  return static_cast<int>(
      std::ranges::count_if(line, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

int legend_width(const std::vector<LegendEntry>& legend) {
  int widest = 0;
  for (const LegendEntry& entry : legend) widest = std::max(widest, length(entry.text));
  return kSwatch + 6 + kCharacter * widest + 14;
}

int legend_columns(const std::vector<LegendEntry>& legend, int width) {
  return std::max(1, width / legend_width(legend));
}

Geometry geometry(const Picture& picture) {
  Geometry g;
  measure_cells(picture, g);
  const Extents all = extents_of(picture);
  const auto titles = split_at('\n', picture.title);
  g.top = kMargin + (picture.title.empty() ? 0 : kTitleLine * static_cast<int>(titles.size()));
  g.width = g.left + all.columns * g.cell_width + kMargin;
  for (const std::string_view line : titles)
    g.width = std::max(g.width, 2 * kMargin + 8 * length(line));
  for (const std::string& line : picture.notes)
    if (g.width < 2 * kLeastLegend)
      g.width = std::max(
          g.width,
          std::min(2 * kLeastLegend, 2 * kMargin + kCharacter * length(line) + length(line) / 4));
  if (!picture.legend.empty() && picture.legend_place == LegendPlace::corner_or_below)
    g.width = std::max(g.width, kLeastLegend);
  place_texts(picture, all, g);
  return g;
}

int strip_columns(const Picture& picture) {
  const Geometry g = geometry(picture);
  const Extents all = extents_of(picture);
  const int width = g.left + all.columns * g.cell_width + kMargin;
  if (width <= kMostWidth || width <= kPageRatio * g.height) return std::max(all.columns, 1);
  return std::max(kMostWidth / g.cell_width, 1);
}

}  // namespace jute::draw
