// Pictures as tables for terminals.
#include <jute/draw/picture.hpp>

#include <algorithm>

#include "draw/palette.hpp"

namespace jute {
namespace {

struct FrameGlyphs {
  std::string_view vertical, horizontal, corner;
};

FrameGlyphs glyphs(Frame frame) {
  return frame == Frame::box ? FrameGlyphs{"│", "─", "┌"} : FrameGlyphs{"|", "-", "+"};
}

/// Columns on a terminal: the bytes that start a UTF-8 character.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// The lines of a cell side by side.
std::string one_line(const PictureCell& cell) {
  std::string text = cell.text;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

void append_right_aligned(std::string& out, std::string_view text, size_t width) {
  out.append(width - std::min(width, width_of(text)), ' ');
  out += text;
}

class TextTable {
 public:
  TextTable(const PicturePanel& panel, Palette palette, Color color, Frame frame)
      : panel_(panel), palette_(palette), color_(color), glyphs_(glyphs(frame)) {
    cell_width_ = std::to_string(panel.first_column + panel.columns - 1).size();
    for (const PictureCell& cell : panel.cells)
      cell_width_ = std::max(cell_width_, width_of(one_line(cell)));
    label_width_ = std::to_string(panel.first_row + panel.rows - 1).size();
  }

  /// How many columns of the table fit into lines of so many characters; at least one.
  [[nodiscard]] int columns_in(size_t width) const {
    const size_t taken = label_width_ + 3;
    return width <= taken
               ? 1
               : static_cast<int>(std::max<size_t>(1, (width - taken) / (cell_width_ + 1)));
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    if (!panel_.title.empty()) out += panel_.title + "\n";
    append_header(out);
    for (int row = 0; row < panel_.rows; ++row) append_row(out, row);
    return out;
  }

 private:
  void append_header(std::string& out) const {
    out.append(label_width_ + 2, ' ');
    for (int column = 0; column < panel_.columns; ++column) {
      out += ' ';
      append_right_aligned(out, std::to_string(panel_.first_column + column), cell_width_);
    }
    out += '\n';
    out.append(label_width_ + 1, ' ');
    out += glyphs_.corner;
    const size_t dashes = static_cast<size_t>(panel_.columns) * (cell_width_ + 1) + 1;
    for (size_t i = 0; i < dashes; ++i) out += glyphs_.horizontal;
    out += '\n';
  }

  void append_row(std::string& out, int row) const {
    append_right_aligned(out, std::to_string(panel_.first_row + row), label_width_);
    out += ' ';
    out += glyphs_.vertical;
    for (int column = 0; column < panel_.columns; ++column) append_cell(out, row, column);
    out += '\n';
  }

  void append_cell(std::string& out, int row, int column) const {
    const PictureCell& cell = panel_.cells[static_cast<size_t>(row * panel_.columns + column)];
    const bool coloured = color_ == Color::ansi && cell.color >= 0;
    if (coloured)
      out += "\x1b[30;48;5;" +
             std::to_string(draw::terminal_color(draw::color(palette_, cell.color))) + "m";
    out += ' ';
    append_right_aligned(out, one_line(cell), cell_width_);
    if (coloured) out += "\x1b[0m";
  }

  const PicturePanel& panel_;
  Palette palette_;
  Color color_;
  FrameGlyphs glyphs_;
  size_t cell_width_ = 1;
  size_t label_width_ = 1;
};

}  // namespace

namespace {

/// "A: 64 x 16, one descriptor, by T0-T127"
std::string region_text(const PicturePanel& panel) {
  std::string text = panel.title + (panel.title.empty() ? "" : ": ");
  for (const char c : panel.region) text += c == '\n' ? std::string(", ") : std::string(1, c);
  return text + "\n";
}

/// Each panel by itself: a table stands alone, whatever its place in the picture.
std::vector<PicturePanel> parts_of(const PicturePanel& panel, const Picture& picture, int columns) {
  Picture alone{.palette = picture.palette, .panels = {panel}};
  alone.panels[0].column = 0;
  return in_strips(alone, columns).panels;
}

}  // namespace

std::string to_text(const Picture& picture, Color color, Frame frame, int width) {
  std::string out = picture.title;
  if (!out.empty()) out += '\n';
  bool first = true;
  for (const PicturePanel& panel : picture.panels) {
    if (!panel.region.empty()) {
      if (!first) out += '\n';
      first = false;
      out += region_text(panel);
      continue;
    }
    const int fitting = width == 0 ? panel.columns
                                   : TextTable(panel, picture.palette, color, frame)
                                         .columns_in(static_cast<size_t>(width));
    for (const std::string& lost : {panel.left_out_above, panel.left_out_before})
      if (!lost.empty()) out += "\n" + lost + "\n";
    for (const PicturePanel& part : parts_of(panel, picture, fitting)) {
      if (!first) out += '\n';
      first = false;
      out += TextTable(part, picture.palette, color, frame).text();
    }
  }
  for (const std::string& note : picture.notes) out += note + "\n";
  return out;
}

}  // namespace jute
