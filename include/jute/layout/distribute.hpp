#pragma once
// A matrix shared out: into tiles, and a tile among threads. What the shapes do not divide is
// rounded up to whole tiles.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

namespace JUTE_API jute {

/// A view of a matrix as tiles: ((tile), (tiles)), the last tiles reaching beyond its edges.
///   shapes   a mode of `matrix` for each extent of `shape`; one that is rounded up is not nested
///   example  tile("(100,64):(64,1)", "(16,64)") == "((16,64),(7,1)):((64,1),(1024,0))"
///   throws   wrong_arity, not_divisible: a nested mode would have to be rounded up; out_of_range
[[nodiscard]] Layout tile(const Layout& matrix, const IntTuple& shape);

/// A tile's elements by thread and step: (thread, steps) -> offset. Thread t takes the element that
/// `threads` numbers t, then the same element of the next such grid.
///   shapes   threads: (row, column) -> thread, onto 0 … n-1; where it reaches beyond the tile, the
///            tile goes on with its strides
///   example  dist_to_thread("(8,8):(8,1)", "(2,4):(4,1)") == "((4,2),(4,2)):((1,8),(16,4))"
///   throws   not_injective: two elements for one thread; and as `tile`
[[nodiscard]] Layout dist_to_thread(const Layout& tile, const Layout& threads);
/// A grid of threads that are numbered row by row. A number of threads is the grid that is as wide
/// as divides the tile's columns.
///   example  dist_to_thread("(16,8):(8,1)", 32) == dist_to_thread("(16,8):(8,1)", "(4,8):(8,1)")
[[nodiscard]] Layout dist_to_thread(const Layout& tile, const IntTuple& threads);

}  // namespace jute
