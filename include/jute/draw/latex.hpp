#pragma once
// TikZ pictures of layouts and atoms, the same bytes as CuTe's print_latex.
#include <jute/atom/tiled.hpp>
#include <jute/base/export.hpp>
#include <jute/draw/picture.hpp>
#include <jute/layout/swizzle.hpp>

#include <string>

namespace JUTE_API jute {

/// A LaTeX document with one table: rows are mode 0, columns mode 1, each cell its offset in one of
/// eight greys. A layout of one mode is a column.
///   throws  wrong_arity: more than two modes; out_of_range: more than 65536 cells
///   source  CuTe, util/print_latex.hpp
[[nodiscard]] std::string draw_latex(const ComposedLayout& layout);

/// C with A on its left and B above it; each cell names the first thread and value that hold it.
[[nodiscard]] std::string draw_latex(const MmaAtom& atom);
[[nodiscard]] std::string draw_latex(const TiledMma& tiled);

/// The same of three layouts of one's own, of no atom.
///   throws  wrong_arity; out_of_range: an offset outside its tile
[[nodiscard]] std::string draw_latex(const ProductLayouts& tv, const ShapeMnk& shape);

/// The tile as the source's threads see it, and to the right as the destination's do.
[[nodiscard]] std::string draw_latex(const TiledCopy& tiled);

/// One tile: which thread holds which value.
///   shapes  tv: (thread,value) -> row + rows * column; tile: (rows,columns)
///   throws  wrong_arity; out_of_range: an offset outside the tile
[[nodiscard]] std::string draw_latex(const Layout& tv, const IntTuple& tile);

}  // namespace jute
