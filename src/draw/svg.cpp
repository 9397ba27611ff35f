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

struct Geometry {
  int cell_width = 26, cell_height = 26;
  int top = 0;  // below the title
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
  const auto titles = lines_of(picture.title);
  g.top = kMargin + (picture.title.empty() ? 0 : kTitleLine * static_cast<int>(titles.size()));
  g.width = 2 * kMargin + kLabelRoom + columns * g.cell_width;
  for (const std::string_view line : titles)
    g.width = std::max(g.width, 2 * kMargin + 8 * length(line));
  g.height = g.top + kLabelRoom + rows * g.cell_height + kMargin;
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

class SvgWriter {
 public:
  SvgWriter(const Picture& picture, CellData data)
      : picture_(in_strips(picture, kMostWidth / geometry(picture).cell_width)),
        data_(data),
        g_(geometry(picture_)) {}

  std::string document() {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img">)"
        "\n<title>{2}</title>\n",
        g_.width, g_.height, escaped(picture_.title.substr(0, picture_.title.find('\n'))));
    add_style();
    add(R"(<rect class="page" width="{}" height="{}"/>)"
        "\n",
        g_.width, g_.height);
    add_title();
    for (const PicturePanel& panel : picture_.panels) add_panel(panel);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += base::format(format, std::forward<Arguments>(arguments)...);
  }

  void add_style() {
    out_ +=
        "<style>\n"
        "text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
        "text-anchor:middle;fill:#1b1f24}\n"
        ".page{fill:#fff}.title{text-anchor:start}.name{font-weight:bold}\n"
        ".label{fill:#6a737d;font-size:11px}\n"
        ".cell rect{stroke:#57606a;stroke-width:.6}.w{fill:#fff}\n";
    std::array<bool, kColors> used{};
    for (const PicturePanel& panel : picture_.panels)
      for (const PictureCell& cell : panel.cells)
        if (cell.color >= 0) used[static_cast<size_t>(cell.color % kColors)] = true;
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
    const int left = kMargin + kLabelRoom + panel.column * g_.cell_width;
    const int top = g_.top + kLabelRoom + panel.row * g_.cell_height;
    if (!panel.title.empty())
      add_label("name", left + panel.columns * g_.cell_width / 2, top - 20, panel.title);
    for (int column = 0; column < panel.columns; ++column)
      add_label("label", left + column * g_.cell_width + g_.cell_width / 2, top - 5,
                std::to_string(panel.first_column + column));
    for (int row = 0; row < panel.rows; ++row) {
      const int y = top + row * g_.cell_height;
      add_label("label", left - 14, y + g_.cell_height / 2 + 4, std::to_string(row));
      for (int column = 0; column < panel.columns; ++column)
        add_cell(panel.cells[static_cast<size_t>(row * panel.columns + column)],
                 {row, panel.first_column + column}, left + column * g_.cell_width, y);
    }
  }

  /// `place`: its row and column in the panel.
  void add_cell(const PictureCell& cell, std::pair<int, int> place, int x, int y) {
    out_ += R"(<g class="cell")";
    if (data_ == CellData::holders) add(R"( data-p="{} {}")", place.first, place.second);
    if (data_ == CellData::holders && !cell.holders.empty())
      add(R"( data-t="{}" data-v="{}")", thread_ranges(cell), cell.holders.front().value);
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
