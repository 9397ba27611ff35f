// Pictures as SVG documents.
#include "draw/svg.hpp"

#include <jute/base/split_at.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/format.hpp"
#include "draw/palette.hpp"
#include "draw/svg_geometry.hpp"

namespace jute {
namespace draw {
namespace {

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

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class SvgWriter {
 public:
  SvgWriter(const Picture& picture, CellData data, int columns)
      : picture_(in_strips(picture, columns > 0 ? columns : strip_columns(picture))),
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
    add_notes();
    add_legend();
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
      text += (panel.title.empty() ? "" : panel.title + ": ") +
              (panel.region.empty() ? std::to_string(panel.rows) + " rows, " +
                                          std::to_string(panel.columns) + " columns. "
                                    : in_one_line(panel.region) + ". ");
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
    const auto any_panel = [this](auto is) { return std::ranges::any_of(picture_.panels, is); };
    if (any_panel([](const PicturePanel& panel) { return !panel.region.empty(); }))
      out_ += ".region{fill:#eef1f4}\n";
    if (any_panel([](const PicturePanel& panel) {
          return !panel.left_out_above.empty() || !panel.left_out_before.empty();
        }))
      out_ += ".gap{fill:none;stroke:#9aa4af;stroke-dasharray:2 3}\n";
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
    for (const std::string_view line : split_at('\n', picture_.title)) {
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
    if (!panel.region.empty()) return add_region(panel, left, top);
    if (panel.numbers == PanelNumbers::of_both || panel.numbers == PanelNumbers::of_columns)
      for (int column = 0; column < panel.columns; ++column)
        add_label("label", left + column * g_.cell_width + g_.cell_width / 2, top - 5,
                  column_label(panel, column));
    for (int row = 0; row < panel.rows; ++row) {
      if (panel.numbers == PanelNumbers::of_both || panel.numbers == PanelNumbers::of_rows)
        add_row_label(panel, row, left, top + row * g_.cell_height + g_.cell_height / 2 + 4);
      for (int column = 0; column < panel.columns; ++column)
        add_cell(panel, {row, column}, left + column * g_.cell_width, top + row * g_.cell_height);
    }
    add_bounds(panel, left, top);
    add_gaps(panel, left, top);
  }

  void add_row_label(const PicturePanel& panel, int row, int left, int y) {
    const std::string number = std::to_string(panel.first_row + row);
    if (panel.row_names.empty())
      add_label("label", left - 14, y, number);
    else
      add_label("label end", left - 6, y, panel.row_names[static_cast<size_t>(row)] + " " + number);
  }

  /// One box in place of the cells.
  void add_region(const PicturePanel& panel, int left, int top) {
    const int width = panel.columns * g_.cell_width, height = panel.rows * g_.cell_height;
    out_ += R"(<g class="cell")";
    if (data_ == CellData::holders) add_data(panel, {0, 0}, panel.cells.front());
    add(R"(><rect x="{}" y="{}" width="{}" height="{}" class="region"/>)", left, top, width,
        height);
    add_lines(panel.region, left + width / 2, top, height);
    out_ += "</g>\n";
  }

  /// Rows that are left out are said in the gap that they leave.
  void add_gaps(const PicturePanel& panel, int left, int top) {
    const int width = panel.columns * g_.cell_width, height = panel.rows * g_.cell_height;
    if (!panel.left_out_above.empty()) {
      const int y = top - g_.cell_height / 2;
      add(R"(<path class="gap" d="M{} {}h{}M{} {}h{}"/>)"
          "\n",
          left, y - 9, width, left, y + 9, width);
      add_label("label", left + width / 2, y + 4, panel.left_out_above);
    }
    if (panel.left_out_before.empty()) return;
    const int x = left - g_.cell_width / 2, y = top + height / 2;
    add(R"(<path class="gap" d="M{} {}v{}M{} {}v{}"/>)"
        "\n",
        x - 9, top, height, x + 9, top, height);
    if (kCharacter * length(panel.left_out_before) <= height)
      add(R"~(<text class="label" x="{0}" y="{1}" dy="4" transform="rotate(90 {0} {1})">{2}</text>)~"
          "\n",
          x, y, escaped(panel.left_out_before));
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

  void add_notes() {
    int y = g_.notes.y;
    for (const std::string& note : g_.note_lines) {
      add_label("note", g_.notes.x, y, note);
      y += kTitleLine;
    }
  }

  void add_legend() {
    if (g_.legend.width == 0) return;
    const int columns = legend_columns(picture_.legend, g_.legend.width);
    const int width = legend_width(picture_.legend);
    int index = 0;
    for (const LegendEntry& entry : picture_.legend) {
      const int x = g_.legend.x + index % columns * width;
      const int line = g_.legend.y + index / columns * kTitleLine;
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
    add_lines(cell.text, x + g_.cell_width / 2, y, g_.cell_height);
    out_ += "</g>\n";
  }

  /// Lines in the middle of a box that is `height` high.
  void add_lines(std::string_view text, int x, int y, int height) {
    const auto lines = split_at('\n', text);
    int baseline = y + (height - kLine * static_cast<int>(lines.size())) / 2 + kLine - 3;
    for (const std::string_view line : lines) {
      if (!line.empty()) add(R"(<text x="{}" y="{}">{}</text>)", x, baseline, escaped(line));
      baseline += kLine;
    }
  }

  /// A cell's data for a page: its place, its nested place, who holds it.
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

std::string svg(const Picture& picture, CellData data, int columns) {
  return SvgWriter(picture, data, columns).document();
}

}  // namespace draw

std::string to_svg(const Picture& picture, int columns) {
  return draw::svg(picture, draw::CellData::none, columns);
}

}  // namespace jute
