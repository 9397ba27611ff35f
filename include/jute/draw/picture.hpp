#pragma once
// A picture as a value: panels of coloured cells, and the three ways to write one down.
#include <jute/atom/tiled.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace JUTE_API jute {

/// Colours of a terminal picture.
enum class Color : std::uint8_t { none, ansi };

/// The frame around a terminal table.
enum class Frame : std::uint8_t { box, ascii };

/// Which meaning the 32 colours of a picture have.
enum class Palette : std::uint8_t {
  sequence,  ///< 32 hues in a row: neighbours in memory look alike
  threads,   ///< 8 hues, then 8 of the next shade: neighbouring threads look different
  banks,     ///< 4 shades of a hue, then 4 of the next: so lie the banks of 16 bytes together
};

/// Which thread holds which of its values.
struct Holder {
  int thread = 0;
  int value = 0;
  bool operator==(const Holder&) const = default;
};

struct PictureCell {
  std::string text;             ///< one line or a few: "12", "T4\nV1"
  int color = -1;               ///< 0 … 31; -1 leaves the cell white
  std::vector<Holder> holders;  ///< every thread that holds it; empty where threads play no part
  std::optional<Index> offset = {};  ///< what a layout gives here
  bool operator==(const PictureCell&) const = default;
};

/// A thicker line in front of a row or a column: there an inner mode begins anew, at level 1 the
/// innermost one; between warps, level 2.
struct PictureBound {
  int at = 0, level = 1;
  bool operator==(const PictureBound&) const = default;
};

/// Which numbers stand beside a panel. The parts of a panel share them.
enum class PanelNumbers : std::uint8_t { of_both, of_rows, of_columns, none };

/// A table of cells. `row` and `column` place it in the picture, in cells.
struct PicturePanel {
  std::string title = {};
  int row = 0, column = 0;
  int rows = 0, columns = 0;
  std::vector<PictureCell> cells = {};  ///< row by row
  int first_column = 0;                 ///< the number of the first one, where a panel is a part
  int first_row = 0;                    ///< likewise
  std::vector<PictureBound> row_bounds = {}, column_bounds = {};
  std::vector<std::string> row_names = {}, column_names = {};  ///< nested coordinates: "(1,0)"
  /// Not empty: one box with this text, for its cells have nothing of their own to say.
  std::string region = {};
  PanelNumbers numbers = PanelNumbers::of_both;
  /// Notes on what is left out above and to the left of the part: said in that gap.
  std::string left_out_above = {}, left_out_before = {};
  bool operator==(const PicturePanel&) const = default;
};

/// A colour and its meaning.
struct LegendEntry {
  int color = 0;
  std::string text = {};
  bool operator==(const LegendEntry&) const = default;
};

/// Where an SVG has its legend.
enum class LegendPlace : std::uint8_t {
  corner_or_below,  ///< of the panels
  corner,           ///< nowhere else, for cells say the same
};

struct Picture {
  std::string title = {};  ///< may have several lines
  Palette palette = Palette::sequence;
  std::vector<PicturePanel> panels = {};
  std::vector<std::string> notes = {};  ///< lines below the panels
  std::vector<LegendEntry> legend = {};
  LegendPlace legend_place = LegendPlace::corner_or_below;
  bool operator==(const Picture&) const = default;
};

/// No picture has more cells.
inline constexpr Index kMostPictureCells = 65536;

/// Rows are mode 0, columns mode 1, each cell its offset. A layout of another rank is shown as
/// (mode 0) × (the rest).
///   throws  out_of_range: more than kMostPictureCells cells
[[nodiscard]] Picture layout_picture(const ComposedLayout& layout);

/// A shared-memory layout and the bank of every element: 32 banks of 4 bytes. Its notes say how
/// many lanes meet in a bank when a warp goes down a column or along a row.
///   throws  out_of_range
[[nodiscard]] Picture bank_picture(const ComposedLayout& layout, int element_bits);

/// Which thread holds which value of a tile: T the thread, V the number of its value.
///   shapes  tv: (thread,value) -> row + rows * column
///   throws  wrong_arity: tv has not two modes; out_of_range: an offset outside the tile
[[nodiscard]] Picture tv_picture(const Layout& tv, int rows, int columns);

/// TV layouts of the three operands of a product.
struct ProductLayouts {
  Layout a;  ///< (thread,value) -> m + M * k
  Layout b;  ///< (thread,value) -> n + N * k
  Layout c;  ///< (thread,value) -> m + M * n
};
/// A left of C, B above it: C's rows are A's and its columns B's, as in a product on paper. Serves
/// atoms and whole TiledMmas. Where a warp or more hold the same elements, a box stands for them.
///   throws  wrong_arity, out_of_range
[[nodiscard]] Picture product_picture(const std::string& title, const ProductLayouts& tv,
                                      const ShapeMnk& shape);
/// How threads are called: a Volta quadpair's logical threads 4 … 7 are lanes 16 … 19.
enum class ThreadNames : std::uint8_t { lanes, logical };
[[nodiscard]] Picture mma_picture(const MmaAtom& atom, ThreadNames names = ThreadNames::lanes);
[[nodiscard]] Picture tiled_mma_picture(const TiledMma& tiled);

/// Where the values come from (left) and go to (right): rows are threads, columns what each moves,
/// the numbers count units of `value_bits`. Of TMA the box in the tensor (left) and in lines of 128
/// bytes of shared memory (right), in units of 16 bytes.
///   throws  not_divisible: the atom moves no whole number of such values
[[nodiscard]] Picture copy_picture(const CopyAtom& atom, int value_bits);

/// Which thread reads which element of the tile (left) and which one writes it (right).
[[nodiscard]] Picture tiled_copy_picture(const TiledCopy& tiled);

/// The same cells in strips of at most so many columns, one below the other. Panels are cut evenly
/// where modes end, and between the columns of different threads.
[[nodiscard]] Picture in_strips(const Picture& picture, int columns);

/// A table for terminals, panel after panel. A line has at most `width` characters where a cell and
/// its row's number fit in; 0: as many as the table needs.
[[nodiscard]] std::string to_text(const Picture& picture, Color color = Color::none,
                                  Frame frame = Frame::box, int width = 0);
/// A self-contained SVG document in strips of at most `columns` columns; 0: a picture of more than
/// some 2000 pixels that is wider than a page lying on its side is cut into strips of that width.
[[nodiscard]] std::string to_svg(const Picture& picture, int columns = 0);
/// A self-contained page around the SVG: resting on a cell names its thread and value, a click
/// keeps one thread lit.
[[nodiscard]] std::string to_html(const Picture& picture, int columns = 0);

}  // namespace jute
