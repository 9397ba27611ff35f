#pragma once
// Sizes of an SVG picture's parts, all in SVG user units.
#include <jute/draw/picture.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::draw {

inline constexpr int kMargin = 12;
inline constexpr int kTitleLine = 18;
inline constexpr int kLabelRoom = 36;  // for row and column numbers and a panel's title
inline constexpr int kCharacter = 7;
inline constexpr int kLine = 13;
inline constexpr int kSwatch = 14;

/// Where notes or a legend stand, and how wide they may be.
struct TextPlace {
  int x = 0, y = 0, width = 0;
};

struct Geometry {
  int cell_width = 26, cell_height = 26;
  int left = kMargin + kLabelRoom;  // of the first cell: row numbers and names are before it
  int top = 0;                      // below the title
  int width = 0, height = 0;
  TextPlace notes, legend;  // in the corner beside B where they fit, else below; width 0: nowhere
  std::vector<std::string> note_lines;
};

/// Characters, not bytes.
[[nodiscard]] int length(std::string_view line);
/// How wide an entry of the legend is: all are, so that they stand in columns.
[[nodiscard]] int legend_width(const std::vector<LegendEntry>& legend);
[[nodiscard]] int legend_columns(const std::vector<LegendEntry>& legend, int width);

[[nodiscard]] Geometry geometry(const Picture& picture);
/// As many columns of the picture as stand side by side where the caller does not say.
[[nodiscard]] int strip_columns(const Picture& picture);

}  // namespace jute::draw
