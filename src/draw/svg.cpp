// Pictures as SVG documents.
#include "draw/svg.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/format.hpp"
#include "draw/palette.hpp"

namespace jute {
namespace draw {
namespace {

// All in SVG user units.
constexpr int kMargin = 12;
constexpr int kTitleLine = 18;
constexpr int kLabelRoom = 36;  // for row and column numbers and a panel's title
constexpr int kCharacter = 7;
constexpr int kLine = 13;
constexpr int kMostWidth = 1900;
constexpr int kSwatch = 14;
constexpr int kLeastLegend = 360;

struct Geometry {
  int cell_width = 26, cell_height = 26;
  int left = kMargin + kLabelRoom;  // of the first cell: row numbers and names are before it
  int top = 0;                      // below the title
  int foot = 0;                     // where the notes begin
  int width = 0, height = 0;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

int length(std::string_view line) { return static_cast<int>(line.size()); }

/// How wide an entry of the legend is: all are, so that they stand in columns.
int legend_width(const std::vector<LegendEntry>& legend) {
  int widest = 0;
  for (const LegendEntry& entry : legend) widest = std::max(widest, length(entry.text));
  return kSwatch + 6 + kCharacter * widest + 14;
}

int legend_columns(const std::vector<LegendEntry>& legend, int width) {
  return std::max(1, (width - 2 * kMargin) / legend_width(legend));
}

int legend_lines(const std::vector<LegendEntry>& legend, int width) {
  if (legend.empty()) return 0;
  const int columns = legend_columns(legend, width);
  return (static_cast<int>(legend.size()) + columns - 1) / columns;
}

Geometry geometry(const Picture& picture) {
  Geometry g;
  int rows = 0, columns = 0;
  for (const PicturePanel& panel : picture.panels) {
    rows = std::max(rows, panel.row + panel.rows);
    columns = std::max(columns, panel.column + panel.columns);
    for (const PictureCell& cell : panel.cells) {
      const auto lines = lines_of(cell.text);
      for (const std::string_view line : lines)
        g.cell_width = std::max(g.cell_width, kCharacter * length(line) + 10);
      g.cell_height = std::max(g.cell_height, kLine * static_cast<int>(lines.size()) + 8);
    }
  }
  size_t name = 0;
  for (const PicturePanel& panel : picture.panels)
    for (const std::string& row : panel.row_names) name = std::max(name, row.size());
  if (name > 0) g.left += kCharacter * static_cast<int>(name) + 6;
  const auto titles = lines_of(picture.title);
  g.top = kMargin + (picture.title.empty() ? 0 : kTitleLine * static_cast<int>(titles.size()));
  g.width = g.left + columns * g.cell_width + kMargin;
  for (const std::string_view line : titles)
    g.width = std::max(g.width, 2 * kMargin + 8 * length(line));
  for (const std::string& line : picture.notes)
    g.width = std::max(g.width, 2 * kMargin + kCharacter * length(line) + length(line) / 4);
  if (!picture.legend.empty()) g.width = std::max(g.width, kLeastLegend);
  g.foot = g.top + kLabelRoom + rows * g.cell_height + kMargin;
  g.height = g.foot + kTitleLine * (static_cast<int>(picture.notes.size()) +
                                    legend_lines(picture.legend, g.width));
  if (g.height > g.foot) g.height += kMargin;
  return g;
}

/// "0-3 8": the threads that hold a cell, as ranges.
std::string thread_ranges(const PictureCell& cell) {
  std::vector<int> threads;
  for (const Holder& holder : cell.holders) threads.push_back(holder.thread);
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  std::string text;
  for (size_t i = 0; i < threads.size();) {
    size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (!text.empty()) text += ' ';
    text += std::to_string(threads[i]);
    if (last > i) text += "-" + std::to_string(threads[last]);
    i = last + 1;
  }
  return text;
}

/// As many columns as a picture has room for, in whole groups of 16 where there are some.
int strip_columns(int cell_width) {
  const int most = kMostWidth / cell_width;
  return most > 16 ? most - most % 16 : most;
}

class SvgWriter {
 public:
  SvgWriter(const Picture& picture, CellData data)
      : picture_(in_strips(picture, strip_columns(geometry(picture).cell_width))),
        data_(data),
        g_(geometry(picture_)) {}

  std::string document() {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
        "\n<title>{2}</title>\n<desc>{3}</desc>\n",
        g_.width, g_.height, escaped(picture_.title.substr(0, picture_.title.find('\n'))),
        escaped(description()));
    add_style();
    add(R"(<rect class="page" width="{}" height="{}"/>)"
        "\n",
        g_.width, g_.height);
    add_title();
    for (const PicturePanel& panel : picture_.panels) add_panel(panel);
    add_foot();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += base::format(format, std::forward<Arguments>(arguments)...);
  }

  /// For those who do not see the picture.
  [[nodiscard]] std::string description() const {
    std::string text;
    for (const PicturePanel& panel : picture_.panels)
      text += (panel.title.empty() ? "" : panel.title + ": ") + std::to_string(panel.rows) +
              " rows, " + std::to_string(panel.columns) + " columns. ";
    for (const std::string& note : picture_.notes) text += note + ". ";
    return text;
  }

  void add_style() {
    out_ +=
        "<style>\n"
        "text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
        "text-anchor:middle;fill:#1b1f24}\n"
        ".page{fill:#fff}.title{text-anchor:start}.name{font-weight:bold}\n"
        ".label,.note{fill:#57606a;font-size:11px}.note{text-anchor:start;font-size:12px}"
        ".end{text-anchor:end}\n"
        ".cell rect,.swatch{stroke:#57606a;stroke-width:.6}.w{fill:#fff}\n"
        ".bound{stroke:#1b1f24;fill:none;stroke-width:1.6}.b2{stroke-width:2.6}"
        ".b3{stroke-width:3.6}\n"
        "@media(prefers-color-scheme:dark){.page{fill:#0d1117}.title,.name{fill:#e6edf3}"
        ".label,.note{fill:#9aa4af}}\n";
    std::array<bool, kColors> used{};
    for (const PicturePanel& panel : picture_.panels)
      for (const PictureCell& cell : panel.cells)
        if (cell.color >= 0) used[static_cast<size_t>(cell.color % kColors)] = true;
    for (const LegendEntry& entry : picture_.legend)
      if (entry.color >= 0) used[static_cast<size_t>(entry.color % kColors)] = true;
    for (int i = 0; i < kColors; ++i) {
      if (!used[static_cast<size_t>(i)]) continue;
      const Rgb rgb = color(picture_.palette, i);
      add(".c{}{{fill:#{:02x}{:02x}{:02x}}}\n", i, rgb.red, rgb.green, rgb.blue);
    }
    out_ += "</style>\n";
  }

  void add_title() {
    if (picture_.title.empty()) return;
    int y = kMargin + kLine;
    bool first = true;
    for (const std::string_view line : lines_of(picture_.title)) {
      add(R"(<text class="title{}" x="{}" y="{}">{}</text>)"
          "\n",
          first ? " name" : "", kMargin, y, escaped(line));
      first = false;
      y += kTitleLine;
    }
  }

  void add_label(const char* style, int x, int y, std::string_view text) {
    add(R"(<text class="{}" x="{}" y="{}">{}</text>)"
        "\n",
        style, x, y, escaped(text));
  }

  void add_panel(const PicturePanel& panel) {
    const int left = g_.left + panel.column * g_.cell_width;
    const int top = g_.top + kLabelRoom + panel.row * g_.cell_height;
    if (!panel.title.empty())
      add_label("name", left + panel.columns * g_.cell_width / 2, top - 20, panel.title);
    for (int column = 0; column < panel.columns; ++column)
      add_label("label", left + column * g_.cell_width + g_.cell_width / 2, top - 5,
                column_label(panel, column));
    for (int row = 0; row < panel.rows; ++row) {
      const int y = top + row * g_.cell_height;
      const std::string number = std::to_string(panel.first_row + row);
      if (panel.row_names.empty())
        add_label("label", left - 14, y + g_.cell_height / 2 + 4, number);
      else
        add_label("label end", left - 6, y + g_.cell_height / 2 + 4,
                  panel.row_names[static_cast<size_t>(row)] + " " + number);
      for (int column = 0; column < panel.columns; ++column)
        add_cell(panel, {row, column}, left + column * g_.cell_width, y);
    }
    add_bounds(panel, left, top);
  }

  /// The nested coordinate where the cells are wide enough for every one.
  [[nodiscard]] std::string column_label(const PicturePanel& panel, int column) const {
    const bool fits = std::ranges::all_of(panel.column_names, [&](const std::string& name) {
      return kCharacter * length(name) <= g_.cell_width + 2;
    });
    return fits && !panel.column_names.empty() ? panel.column_names[static_cast<size_t>(column)]
                                               : std::to_string(panel.first_column + column);
  }

  void add_bounds(const PicturePanel& panel, int left, int top) {
    const int right = left + panel.columns * g_.cell_width;
    const int bottom = top + panel.rows * g_.cell_height;
    const auto line = [&](const PictureBound& bound, int x1, int y1, int x2, int y2) {
      add(R"(<path class="bound b{}" d="M{} {}L{} {}"/>)"
          "\n",
          bound.level, x1, y1, x2, y2);
    };
    for (const PictureBound& bound : panel.row_bounds) {
      const int y = top + bound.at * g_.cell_height;
      line(bound, left, y, right, y);
    }
    for (const PictureBound& bound : panel.column_bounds) {
      const int x = left + bound.at * g_.cell_width;
      line(bound, x, top, x, bottom);
    }
  }

  void add_foot() {
    int y = g_.foot + kLine;
    for (const std::string& note : picture_.notes) {
      add_label("note", kMargin, y, note);
      y += kTitleLine;
    }
    const int columns = legend_columns(picture_.legend, g_.width);
    const int width = legend_width(picture_.legend);
    int index = 0;
    for (const LegendEntry& entry : picture_.legend) {
      const int x = kMargin + index % columns * width;
      const int line = y + index / columns * kTitleLine;
      const std::string fill = entry.color < 0 ? "w" : base::format("c{}", entry.color % kColors);
      add(R"(<rect class="swatch {}" x="{}" y="{}" width="{}" height="{}"/>)", fill, x,
          line - kSwatch + 2, kSwatch, kSwatch);
      add_label("note", x + kSwatch + 6, line, entry.text);
      ++index;
    }
  }

  /// `at`: its row and column in the panel.
  void add_cell(const PicturePanel& panel, std::pair<int, int> at, int x, int y) {
    const PictureCell& cell =
        panel.cells[static_cast<size_t>(at.first * panel.columns + at.second)];
    out_ += R"(<g class="cell")";
    if (data_ == CellData::holders) add_data(panel, at, cell);
    add(R"(><rect x="{}" y="{}" width="{}" height="{}" class="{}"/>)", x, y, g_.cell_width,
        g_.cell_height, cell.color < 0 ? "w" : base::format("c{}", cell.color % kColors));
    const auto lines = lines_of(cell.text);
    int baseline = y + (g_.cell_height - kLine * static_cast<int>(lines.size())) / 2 + kLine - 3;
    for (const std::string_view line : lines) {
      if (!line.empty())
        add(R"(<text x="{}" y="{}">{}</text>)", x + g_.cell_width / 2, baseline, escaped(line));
      baseline += kLine;
    }
    out_ += "</g>\n";
  }

  /// What a page tells of a cell: its place, its nested place, who holds it.
  void add_data(const PicturePanel& panel, std::pair<int, int> at, const PictureCell& cell) {
    const auto name = [](const std::vector<std::string>& names, int place) {
      return names.empty() ? std::string() : names[static_cast<size_t>(place)];
    };
    add(R"( data-p="{} {}")", panel.first_row + at.first, panel.first_column + at.second);
    if (!panel.row_names.empty() || !panel.column_names.empty())
      add(R"( data-n="{} {}")", name(panel.row_names, at.first),
          name(panel.column_names, at.second));
    if (!panel.title.empty()) add(R"( data-m="{}")", escaped(panel.title));
    if (!cell.holders.empty())
      add(R"( data-t="{}" data-v="{}")", thread_ranges(cell), cell.holders.front().value);
  }

  const Picture picture_;
  CellData data_;
  Geometry g_;
  std::string out_;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string svg(const Picture& picture, CellData data) {
  return SvgWriter(picture, data).document();
}

}  // namespace draw

std::string to_svg(const Picture& picture) { return draw::svg(picture, draw::CellData::none); }

}  // namespace jute
