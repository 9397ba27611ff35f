// Writes TikZ documents in the letters of CuTe's print_latex, so that either picture serves.
#include <jute/base/refuse.hpp>
#include <jute/draw/latex.hpp>
#include <jute/draw/picture.hpp>

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/cute_text.hpp>
#include <jute/layout/modes.hpp>

#include <array>
#include <iterator>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array<std::string_view, 8> kGreys = {"black!00", "black!40", "black!20", "black!60",
                                                    "black!10", "black!50", "black!30", "black!70"};
constexpr std::array<std::string_view, 8> kThreadColors = {
    "{rgb,255:red,175;green,175;blue,255}", "{rgb,255:red,175;green,255;blue,175}",
    "{rgb,255:red,255;green,255;blue,175}", "{rgb,255:red,255;green,175;blue,175}",
    "{rgb,255:red,210;green,210;blue,255}", "{rgb,255:red,210;green,255;blue,210}",
    "{rgb,255:red,255;green,255;blue,210}", "{rgb,255:red,255;green,210;blue,210}"};

constexpr std::string_view kHeader =
    "\\documentclass[convert]{standalone}\n"
    "\\usepackage{tikz}\n\n"
    "\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},"
    "every node/.style={minimum size=1cm, outer sep=0pt}]\n\n";
constexpr std::string_view kFooter = "\\end{tikzpicture}\n\\end{document}\n";

std::size_t color_of(Index number) { return static_cast<std::size_t>((number % 8 + 8) % 8); }

void check_cells(Index rows, Index columns) {
  if (rows * columns <= kMostPictureCells) return;
  jute::refuse(ErrorCode::out_of_range, "picture", base::format("{} x {} cells", rows, columns),
               base::format("a picture must have at most {} cells", kMostPictureCells));
}

/// Where a table stands and how large it is, in cells.
struct Frame2d {
  Index row = 0, column = 0;
  Index rows = 0, columns = 0;
};

/// One document, written from top to bottom.
class Document {
 public:
  template <class... Parts>
  void write(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += base::format(format, std::forward<Parts>(parts)...);
  }
  void header() { text_ += kHeader; }
  std::string finish() {
    text_ += kFooter;
    return std::move(text_);
  }

  void grid(const Frame2d& frame) {
    write("\\draw[color=black,thick,shift={{(-0.5,-0.5)}}] ({},{}) grid ({},{});\n\n", frame.row,
          frame.column, frame.row + frame.rows, frame.column + frame.columns);
  }
  void label(Index row, Index column, Index number) {
    write("\\node at ({},{}) {{\\Large{{\\texttt{{{}}}}}}};\n", row, column, number);
  }
  /// Numbers down one column and along the row above.
  void row_labels(const Frame2d& frame, Index column) {
    for (Index m = 0; m < frame.rows; ++m) label(frame.row + m, column, m);
  }
  void column_labels(const Frame2d& frame, Index row) {
    for (Index n = 0; n < frame.columns; ++n) label(row, frame.column + n, n);
  }

 private:
  std::string text_;
};

/// Which way a tile lies: B stands on its side so that its columns meet C's.
enum class Lying : std::uint8_t { upright, turned };

/// Every element once, in the order of the threads that hold it. The tile's extents are those of
/// `frame`, before it is turned.
void write_holders(Document& document, const Layout& tv, const Frame2d& frame, Lying lying) {
  const Index rows = lying == Lying::upright ? frame.rows : frame.columns;
  const Index columns = lying == Lying::upright ? frame.columns : frame.rows;
  std::vector<bool> filled(static_cast<std::size_t>(rows * columns), false);
  const Index threads = size(tv[0]), values = size(tv[1]);
  for (Index thread = 0; thread < threads; ++thread) {
    for (Index value = 0; value < values; ++value) {
      const Index offset = tv(thread, value);
      if (offset < 0 || offset >= rows * columns)
        jute::refuse(ErrorCode::out_of_range, "tv", to_string(tv),
                     base::format("offsets must lie in the tile of {} x {}", rows, columns));
      if (filled[static_cast<std::size_t>(offset)]) continue;
      filled[static_cast<std::size_t>(offset)] = true;
      const Index m = offset % rows, n = offset / rows;
      document.write("\\node[fill={}] at ({},{}) {{\\shortstack{{T{} \\\\ V{}}}}};\n",
                     kThreadColors[color_of(thread)], frame.row + (lying == Lying::upright ? m : n),
                     frame.column + (lying == Lying::upright ? n : m), thread, value);
    }
  }
}

/// The TV layout with coordinates instead of offsets, as CuTe shows it.
std::string coordinates_text(const Layout& tv, const IntTuple& tile) {
  return "ArithTuple(_0,_0) o " + cute_text(composition(make_identity_layout(tile), tv));
}

void check_two_modes(const Layout& tv) {
  if (tv.shape().is_tuple() && tv.rank() == 2) return;
  jute::refuse(ErrorCode::wrong_arity, "tv", to_string(tv),
               "a TV layout must have two modes, (thread,value)");
}

}  // namespace

std::string draw_latex(const ComposedLayout& layout) {
  if (layout.rank() > 2)
    jute::refuse(ErrorCode::wrong_arity, "layout", to_string(layout),
                 "a layout must have at most two modes to be drawn");
  const Layout inner = append(layout.layout(), 2);
  const ComposedLayout shown(layout.swizzle(), layout.offset(), inner);
  const Frame2d frame{0, 0, size(inner[0]), size(inner[1])};
  check_cells(frame.rows, frame.columns);
  Document document;
  if (shown.is_plain()) {
    document.write("% Layout: {}\n", cute_text(inner));
  } else {
    document.write("% Layout: {} o {} o {}\n", to_string(shown.swizzle()),
                   cute_text(std::to_string(shown.offset())), cute_text(inner));
  }
  document.header();
  for (Index m = 0; m < frame.rows; ++m) {
    for (Index n = 0; n < frame.columns; ++n) {
      const Index offset = shown(m, n);
      document.write("\\node[fill={}] at ({},{}) {{{}}};\n", kGreys[color_of(offset)], m, n,
                     offset);
    }
  }
  document.grid(frame);
  document.row_labels(frame, -1);
  document.column_labels(frame, -1);
  return document.finish();
}

std::string draw_latex(const MmaAtom& atom) { return draw_latex(TiledMma(atom)); }

std::string draw_latex(const TiledMma& tiled) {
  return draw_latex({layoutA_TV(tiled), layoutB_TV(tiled), layoutC_TV(tiled)}, tile_shape(tiled));
}

std::string draw_latex(const ProductLayouts& tv, const ShapeMnk& shape) {
  const Index m = shape.m, n = shape.n, k = shape.k;
  check_cells(m + k + 1, n + k + 1);
  const auto& [a, b, c] = tv;
  for (const Layout* each : {&a, &b, &c}) check_two_modes(*each);
  Document document;
  document.write("% LayoutC: {}\n", coordinates_text(c, IntTuple{m, n}));
  document.write("% LayoutA: {}\n", coordinates_text(a, IntTuple{m, k}));
  document.write("% LayoutB: {}\n", coordinates_text(b, IntTuple{n, k}));
  document.header();
  const Frame2d frame_c{0, 0, m, n}, frame_a{0, -k - 1, m, k}, frame_b{-k - 1, 0, k, n};
  write_holders(document, c, frame_c, Lying::upright);
  document.grid(frame_c);
  write_holders(document, a, frame_a, Lying::upright);
  document.grid(frame_a);
  document.row_labels(frame_a, frame_a.column - 1);
  document.column_labels(frame_a, -1);
  write_holders(document, b, frame_b, Lying::turned);
  document.grid(frame_b);
  document.column_labels(frame_b, frame_b.row - 1);
  document.row_labels(frame_b, -1);
  return document.finish();
}

std::string draw_latex(const TiledCopy& tiled) {
  const IntTuple tile = product_each(tiled.tiler_mn());
  const Index rows = tile[0].value(), columns = tile[1].value();
  check_cells(rows, 2 * columns + 3);
  const Layout source = layoutS_TV(tiled), destination = layoutD_TV(tiled);
  Document document;
  document.write("% Layout S TV: {}\n", coordinates_text(source, tile));
  document.write("% Layout D TV: {}\n", coordinates_text(destination, tile));
  document.header();
  const Frame2d left{0, 0, rows, columns}, right{0, columns + 3, rows, columns};
  write_holders(document, source, left, Lying::upright);
  document.grid(left);
  document.row_labels(left, -1);
  document.column_labels(left, -1);
  write_holders(document, destination, right, Lying::upright);
  document.grid(right);
  document.row_labels(right, right.column + columns);
  document.column_labels(right, -1);
  return document.finish();
}

std::string draw_latex(const Layout& tv, const IntTuple& tile) {
  check_two_modes(tv);
  const IntTuple extents = product_each(tile);
  if (extents.rank() != 2)
    jute::refuse(ErrorCode::wrong_arity, "tile", to_string(tile),
                 "a tile must have two extents, (rows,columns)");
  const Frame2d frame{0, 0, extents[0].value(), extents[1].value()};
  check_cells(frame.rows, frame.columns);
  Document document;
  document.write("% Layout TV: {}\n", coordinates_text(tv, extents));
  document.header();
  write_holders(document, tv, frame, Lying::upright);
  document.grid(frame);
  document.row_labels(frame, -1);
  document.column_labels(frame, -1);
  return document.finish();
}

}  // namespace jute
