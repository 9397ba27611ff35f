#pragma once
// A GEMM of 64x64x64 whose every index comes from a 2x2 TiledMma of Volta's quadpair atom.
#include <jute/atom/asm_operands.hpp>
#include <jute/atom/catalogue.hpp>
#include <jute/atom/tiled.hpp>
#include <jute/emit/asm_statement.hpp>
#include <jute/jit/compile.hpp>
#include <jute/launch/backend.hpp>
#include <jute/layout/algebra.hpp>

#include <string>
#include <vector>

#include <jute/emit/index_function.hpp>
#include "base/format.hpp"
#include "support/compiler.hpp"

namespace jute::test {

inline constexpr int kQuadpairExtent = 64;

/// Four quadpairs side by side: one warp computes 16 x 16.
inline TiledMma quadpair_tiling() {
  return TiledMma(Catalogue().mma("SM70_8x8x4_F32F16F16F32_NT"), Layout("(2,2,1):(1,2,0)"));
}

/// `x_base(thread)` and `x_at(value, i, j)`: where a thread's values of an operand lie, with M and
/// N contiguous.
inline std::string index_functions(const TiledMma& tiled, Operand operand, const char* name) {
  const Layout matrix(IntTuple{kQuadpairExtent, kQuadpairExtent});
  const Layout values = partition(tiled, operand, matrix, 0).layout.layout();
  const ShapeMnk tile = tile_shape(tiled);
  const Index rows = operand == Operand::b ? tile.n : tile.m;
  const Layout in_matrix(IntTuple{rows, kQuadpairExtent}, IntTuple{1, kQuadpairExtent});
  const Layout base = composition(in_matrix, layout_tv(tiled, operand)[0]);
  return base::format(
      "__device__ int {0}_base(int thread) {{ return {1}; }}\n"
      "__device__ int {0}_at(int value, int i, int j) {{ return {2} + {3} + {4}; }}\n",
      name, emit::expression(base, "thread"), emit::expression(values[0], "value"),
      emit::expression(values[1], "i"), emit::expression(values[2], "j"));
}

inline Source quadpair_source(Arch arch) {
  const TiledMma tiled = quadpair_tiling();
  const MmaAtom& atom = tiled.atom();
  const AsmStyle style{.immediate = [](std::string_view) { return std::string("0"); }};
  std::string text = index_functions(tiled, Operand::a, "a") +
                     index_functions(tiled, Operand::b, "b") +
                     index_functions(tiled, Operand::c, "c");
  text += R"(
__device__ void multiply(float* d_reg, const unsigned* a_reg, const unsigned* b_reg) {
  float c_reg[8];
  for (int i = 0; i < 8; ++i) c_reg[i] = d_reg[i];
  )" + asm_statement(atom.ptx, asm_operands(atom), style) +
          R"(}
__device__ unsigned pair(const unsigned short* from, int low, int high) {
  return from[low] | static_cast<unsigned>(from[high]) << 16;
}
extern "C" __global__ void __launch_bounds__(32)
quadpair_gemm(const unsigned short* a, const unsigned short* b, float* c) {
  a += a_base(threadIdx.x), b += b_base(threadIdx.x), c += c_base(threadIdx.x);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      float d_reg[8] = {};
      for (int k = 0; k < 16; ++k) {
        const unsigned a_reg[2] = {pair(a, a_at(0, i, k), a_at(1, i, k)), pair(a, a_at(2, i, k), a_at(3, i, k))};
        const unsigned b_reg[2] = {pair(b, b_at(0, j, k), b_at(1, j, k)), pair(b, b_at(2, j, k), b_at(3, j, k))};
        multiply(d_reg, a_reg, b_reg);
      }
      for (int v = 0; v < 8; ++v) c[c_at(v, i, j)] = d_reg[v];
    }
}
)";
  Source source{.symbol = "quadpair_gemm", .text = text, .arch = arch};
  source.signature.parameters = {
      {"a", ParameterKind::pointer}, {"b", ParameterKind::pointer}, {"c", ParameterKind::pointer}};
  source.threads_per_block = 32;
  return source;
}

/// How many of the 4096 results differ from the sum of integers that they should be.
inline int wrong_quadpair_results(Backend& backend) {
  constexpr int kExtent = kQuadpairExtent, kElements = kExtent * kExtent;
  std::vector<double> a, b;
  for (int i = 0; i < kElements; ++i) {
    a.push_back((i * 37 + i / 64 * 11) % 9 - 4);
    b.push_back((i * 53 + i / 64 * 29) % 7 - 3);
  }
  const auto upload = [&](const std::vector<double>& values) {
    const std::vector<std::byte> bytes = encode(DType::f16, values);
    Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const Buffer device_a = upload(a), device_b = upload(b), device_c(backend, 4 * kElements);
  const Output output =
      backend.image_kind() == ImageKind::ptx ? Output::ptx : Output::ptx_and_cubin;
  const Kernel kernel =
      backend.load(test_compiler().compile(quadpair_source(backend.device_info().arch), output));
  LaunchSpec spec;
  spec.block.x = 32;
  spec.arguments.pointer(device_a.pointer())
      .pointer(device_b.pointer())
      .pointer(device_c.pointer());
  backend.launch(kernel, spec);
  backend.synchronize();
  std::vector<float> c(kElements);
  backend.copy_out(std::as_writable_bytes(std::span(c)), device_c.pointer());
  int wrong = 0;
  for (int n = 0; n < kExtent; ++n)
    for (int m = 0; m < kExtent; ++m) {
      double sum = 0;
      for (int k = 0; k < kExtent; ++k)
        sum += a[static_cast<size_t>(m + kExtent * k)] * b[static_cast<size_t>(n + kExtent * k)];
      wrong += static_cast<double>(c[static_cast<size_t>(m + kExtent * n)]) == sum ? 0 : 1;
    }
  return wrong;
}

}  // namespace jute::test
