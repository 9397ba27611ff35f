// Divides the matrices by tiles and tiles by threads, and writes the kernel from what results.
#include "kernel_text.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/distribute.hpp>
#include <jute/layout/modes.hpp>

#include <vector>

namespace {

using jute::Index;
using jute::Layout;

/// `layout` applied to a variable: one summand for each leaf that moves the offset.
std::string written(const Layout& layout, const std::string& variable) {
  const Layout flat = flatten(coalesce(layout));
  const std::vector<Index> shape = flat.flat_shape(), stride = flat.flat_stride();
  std::string sum;
  Index below = 1;
  for (size_t i = 0; i < shape.size(); below *= shape[i++]) {
    if (stride[i] == 0 || shape[i] == 1) continue;
    std::string term = variable;
    if (below > 1) term += " / " + std::to_string(below);
    if (i + 1 < shape.size()) term += " % " + std::to_string(shape[i]);
    if (stride[i] != 1) term += " * " + std::to_string(stride[i]);
    sum += (sum.empty() ? "" : " + ") + term;
  }
  return sum.empty() ? "0" : sum;
}

std::string sum_of(const std::vector<std::string>& terms) {
  std::string sum;
  for (const std::string& term : terms)
    if (term != "0") sum += (sum.empty() ? "" : " + ") + term;
  return sum.empty() ? "0" : sum;
}

/// A rows × cols array by its strides; the strides (1,0) and (0,1) give an element's coordinates.
struct Grid {
  int rows = 0, cols = 0;
  [[nodiscard]] Layout with(Index row_stride, Index col_stride) const {
    return Layout({rows, cols}, {row_stride, col_stride});
  }
};

/// A matrix of halves on its way into shared memory.
struct Staging {
  std::string name;  ///< "a"
  Grid matrix, tile, threads;
  std::string tile_row, tile_col;  ///< the variables that count tiles
};

/// The matrix in whole tiles: ((tile), (tiles)).
Layout in_tiles(const Grid& matrix, const Grid& tile, Index row_stride, Index col_stride) {
  return jute::tile(matrix.with(row_stride, col_stride), jute::IntTuple{tile.rows, tile.cols});
}

/// (thread, step) -> offset in a tile.
Layout shared_out(const Layout& tile, const Grid& threads) {
  return jute::dist_to_thread(tile, jute::IntTuple{threads.rows, threads.cols});
}

/// Offset of this block's tile.
std::string origin(const Layout& tiles, const std::string& row, const std::string& col) {
  return sum_of({written(tiles[0], row), written(tiles[1], col)});
}

std::string comment(const std::string& name, const Layout& layout) {
  return "// " + name + std::string(name.size() < 28 ? 28 - name.size() : 1, ' ') +
         to_string(layout) + "\n";
}

std::string layouts_of(const Staging& s) {
  const Layout global = in_tiles(s.matrix, s.tile, s.matrix.cols, 1);
  return comment(s.name + ": (tile, tiles)", global) +
         comment(s.name + ": global (thread, step)", shared_out(global[0], s.threads)) +
         comment(s.name + ": shared (thread, step)",
                 shared_out(s.tile.with(s.tile.cols, 1), s.threads));
}

/// Copies one tile, an element a thread and step; zeros stand beyond the edges of the matrix.
std::string copy_text(const Staging& s) {
  const auto at = [&](Index row_stride, Index col_stride) {
    const Layout tiled = in_tiles(s.matrix, s.tile, row_stride, col_stride);
    const Layout threads = shared_out(tiled[0], s.threads);
    return sum_of({origin(tiled[1], s.tile_row, s.tile_col), written(threads[0], "thread"),
                   written(threads[1], "step")});
  };
  const auto in_tile = [&](Index row_stride, Index col_stride) {
    const Layout threads = shared_out(s.tile.with(row_stride, col_stride), s.threads);
    return sum_of({written(threads[0], "thread"), written(threads[1], "step")});
  };
  const Layout steps = shared_out(s.tile.with(1, 0), s.threads)[1];
  std::string store = "tile_" + s.name + "[" + in_tile(s.tile.cols, 1) + "] = inside ? " + s.name +
                      "[" + at(s.matrix.cols, 1) + "] : 0;\n";
  if (s.tile.rows % s.threads.rows != 0 || s.tile.cols % s.threads.cols != 0)
    store = "if (" + in_tile(1, 0) + " < " + std::to_string(s.tile.rows) + " && " + in_tile(0, 1) +
            " < " + std::to_string(s.tile.cols) + ")\n        " + store;
  return "    for (int step = 0; step < " + std::to_string(size(steps)) +
         "; ++step) {\n      const bool inside = " + at(1, 0) + " < " +
         std::to_string(s.matrix.rows) + " && " + at(0, 1) + " < " + std::to_string(s.matrix.cols) +
         ";\n      " + store + "    }\n";
}

/// One register: two values of the fragment, the lower one in the low half.
std::string register_text(const std::string& tile, const Layout& fragment, int index) {
  const auto value = [&](int v) {
    return tile + "[" + sum_of({written(fragment[0], "thread"), std::to_string(fragment(0, v))}) +
           "]";
  };
  return "pack(" + value(2 * index) + ", " + value(2 * index + 1) + ")";
}

std::string mma_text(const jute::MmaAtom& atom, const Layout& a, const Layout& b) {
  return "    const unsigned a0 = " + register_text("tile_a", a, 0) +
         ";\n    const unsigned a1 = " + register_text("tile_a", a, 1) +
         ";\n    const unsigned b0 = " + register_text("tile_b", b, 0) + ";\n    asm volatile(\"" +
         atom.ptx +
         " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};\"\n"
         "                 : \"+f\"(sum[0]), \"+f\"(sum[1]), \"+f\"(sum[2]), \"+f\"(sum[3])\n"
         "                 : \"r\"(a0), \"r\"(a1), \"r\"(b0));\n";
}

/// Each value of the accumulator to its place in C, those outside left out.
std::string store_text(const MatmulShape& shape, const Layout& c_layout) {
  const Grid matrix{shape.m, shape.n}, tile{kTileM, kTileN};
  const auto at = [&](Index row_stride, Index col_stride, int v) {
    const Layout tiled = in_tiles(matrix, tile, row_stride, col_stride);
    const Layout fragment = composition(tiled[0], c_layout);
    return sum_of({origin(tiled[1], "m_tile", "n_tile"), written(fragment[0], "thread"),
                   std::to_string(fragment(0, v))});
  };
  std::string text;
  for (int v = 0; v < 4; ++v)
    text += "  if (" + at(1, 0, v) + " < " + std::to_string(shape.m) + " && " + at(0, 1, v) +
            " < " + std::to_string(shape.n) + ")\n    c[" + at(shape.n, 1, v) + "] = sum[" +
            std::to_string(v) + "];\n";
  return text;
}

}  // namespace

KernelText write_kernel(const MatmulShape& shape, const jute::Catalogue& catalogue) {
  const jute::MmaAtom atom = catalogue.mma("SM80_16x8x8_F32F16F16F32_TN");
  const Staging a{"a", {shape.m, shape.k}, {kTileM, kTileK}, {2, 16}, "m_tile", "k_tile"};
  const Staging b{"b", {shape.k, shape.n}, {kTileK, kTileN}, {4, 8}, "k_tile", "n_tile"};
  const Layout fragment_a = composition(Grid{kTileM, kTileK}.with(kTileK, 1), atom.a_layout);
  const Layout fragment_b = composition(Grid{kTileN, kTileK}.with(1, kTileN), atom.b_layout);
  const Layout tiled_c = in_tiles({shape.m, shape.n}, {kTileM, kTileN}, shape.n, 1);

  KernelText result;
  result.layouts = layouts_of(a) + layouts_of(b) + comment("a: shared (lane, value)", fragment_a) +
                   comment("b: shared (lane, value)", fragment_b) +
                   comment("c: (tile, tiles)", tiled_c) +
                   comment("c: global (lane, value)", composition(tiled_c[0], atom.c_layout));
  result.source = result.layouts +
                  "__device__ unsigned pack(unsigned short low, unsigned short high) {\n"
                  "  return low | static_cast<unsigned>(high) << 16;\n}\n\n"
                  "extern \"C\" __global__ void __launch_bounds__(32)\n"
                  "    catz_matmul(const unsigned short* a, const unsigned short* b, float* c) {\n"
                  "  __shared__ unsigned short tile_a[" +
                  std::to_string(kTileM * kTileK) + "], tile_b[" + std::to_string(kTileK * kTileN) +
                  "];\n"
                  "  const int thread = threadIdx.x, m_tile = blockIdx.x, n_tile = blockIdx.y;\n"
                  "  float sum[4] = {0, 0, 0, 0};\n  for (int k_tile = 0; k_tile < " +
                  std::to_string((shape.k + kTileK - 1) / kTileK) + "; ++k_tile) {\n" +
                  copy_text(a) + copy_text(b) + "    __syncthreads();\n" +
                  mma_text(atom, fragment_a, fragment_b) + "    __syncthreads();\n  }\n" +
                  store_text(shape, atom.c_layout) + "}\n";
  return result;
}
