#pragma once
// Epilogues of every form, and kernels of every kind to meet them in.
#include "support/gemm_case.hpp"

#include <array>
#include <string>
#include <string_view>

namespace jute::test {

/// An expression, and what its inputs and outputs are where they are not as usual: `x=bf16:col`,
/// `s=value`, blanks between.
struct EpilogueRow {
  std::string_view text, operands;
};

// clang-format off
inline constexpr std::array kEpilogues{
    EpilogueRow{"alpha*acc + beta*c",                                          ""},
    EpilogueRow{"acc + bias[n]",                                               "bias=f32"},
    EpilogueRow{"relu(alpha*acc + bias[n])",                                   ""},
    EpilogueRow{"acc*scale[m] + shift[n]",                                     "scale=f32 shift=f16"},
    EpilogueRow{"gelu(acc + bias[m])",                                         "bias=f16"},
    EpilogueRow{"d = acc*s + x[m,n]",                                          "s=value x=f32:col"},
    EpilogueRow{"d = gelu_tanh(acc*s) + beta*c; aux = acc*s",                  "aux=f32"},
    EpilogueRow{"y := silu(acc); d = y; g = y*v[m]; a = amax(y)",              "g=f16"},
    EpilogueRow{"d = select(x[m,n] > 0, acc, 0.1*acc)",                        "x=f16"},
    EpilogueRow{"d = acc; s = sum(acc)",                                       ""},
    EpilogueRow{"y := leaky_relu(acc, 0.25); d = y; r = row_sum[m](y)",        ""},
    EpilogueRow{"d0 := acc*2; d = acc + 1; q = col_sum[n](acc); t = amax(d0)", ""},
    EpilogueRow{"d = clamp(acc*u[batch,n], -2, 2) + w[batch]",                 "u=f32"},
    EpilogueRow{"d = tanh(acc)*sigmoid(x[m,n]); e = x[m,n] - acc",             "x=bf16 e=f32:col"},
    EpilogueRow{"d = max(acc, 0) - min(acc, b[n]); h = abs(acc); k = f16(acc)", "k=f16"},
    EpilogueRow{"d = acc/(1 + abs(acc)) + exp(-acc*acc); n1 = sqrt(abs(acc))",  ""},
    EpilogueRow{"d = relu(beta*c - acc)",                                      ""},
    EpilogueRow{"y := acc + bias[n]; d = relu(y); aux = bit(y > 0)",            "bias=f32"},
    EpilogueRow{"d = select(k[m,n] and not j[m,n], acc, 0); b = bit(k[m,n] or acc < 0.5)", "k=u8:col j=u8:row"},
    EpilogueRow{"d = acc - a_sum[m]*z[n] - b_sum[n]; r = 2*a_sum[m]; q = b_sum[n]", "z=f32 r=f16"},
    EpilogueRow{"d = select(k[n] and j[batch,m], acc, 0); x = select(t, acc, 1)", ""},
    EpilogueRow{"d = select(k[batch,n] or j[m], acc, 0); r = select(t[batch], a_sum[m], 0)", ""},
    EpilogueRow{"d = max(acc, c) + beta; g = beta*c; r = beta + a_sum[m]",       "g=f32"},
    EpilogueRow{"y := beta*c; d = y + c*beta + acc + x[m,n]*c; g = y",           "x=f32"},
};

/// A kernel, by the choices that lead to it, and a problem that reaches past its edges.
struct EpilogueKernel {
  std::string_view name, config;
  DType type, out;
  Order a, b, c;
  Index m, n, k, batch;
};
inline constexpr std::array kEpilogueKernels{
    EpilogueKernel{"threads, rows staged",         "",                                                  DType::f32,  DType::f32,  Order::row, Order::row, Order::row, 70, 45, 24, 1},
    EpilogueKernel{"f64",                          "main_loop=multistage",                              DType::f64,  DType::f64,  Order::row, Order::col, Order::row, 70, 46, 24, 2},
    EpilogueKernel{"mma.sync, direct",             "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN main_loop=multistage", DType::bf16, DType::f32, Order::row, Order::col, Order::row, 70, 48, 40, 2},
    EpilogueKernel{"mma.sync, rows staged, ragged", "mma_atom=SM80_16x8x16_F32F16F16F32_TN main_loop=register_staged", DType::f16, DType::f16, Order::row, Order::row, Order::row, 67, 45, 33, 1},
    EpilogueKernel{"D by columns",                 "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN main_loop=multistage", DType::bf16, DType::bf16, Order::row, Order::col, Order::col, 72, 50, 40, 1},
    EpilogueKernel{"wgmma, subtiles",                 "tile=64x32x64 atom_layout=(1,1,1) cluster=1x1",      DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 70, 72, 72, 2},
    EpilogueKernel{"wgmma, subtiles, edges by rows",  "tile=128x64x64 cluster=2x1 blocks=2 specialize=none", DType::f16,  DType::f16,  Order::row, Order::col, Order::row, 300, 83, 72, 1},
    EpilogueKernel{"wgmma, threads store",         "tile=128x32x64 cluster=1x1 blocks=2",                DType::bf16, DType::f32,  Order::row, Order::col, Order::row, 300, 45, 72, 2},
    EpilogueKernel{"slices of K",                  "split_k=3 tile=64x64x64 atom_layout=(1,1,1)",         DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 72, 72, 264, 1},
    EpilogueKernel{"operands swapped",             "swapped=on tile=64x32x64 atom_layout=(1,1,1) cluster=1x1", DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 40, 136, 72, 1},
    EpilogueKernel{"straight from memory",         "main_loop=straight",                                DType::bf16, DType::bf16, Order::row, Order::row, Order::row, 33, 45, 77, 2},
    EpilogueKernel{"straight, one part of K",      "main_loop=straight tile=32x16x32 atom_layout=(2,2,1) specialize=none", DType::f16, DType::f32, Order::row, Order::col, Order::col, 70, 50, 40, 1},
    EpilogueKernel{"8-bit floats",                 "tile=64x32x128 atom_layout=(1,1,1) cluster=1x1",     DType::e4m3, DType::e4m3, Order::row, Order::col, Order::row, 70, 48, 144, 1},
    EpilogueKernel{"integers",                     "",                                                  DType::s8,   DType::s8,   Order::row, Order::col, Order::row, 70, 48, 144, 1},
    EpilogueKernel{"wgmma, turns of subtiles",        "tile=64x128x64 atom_layout=(1,1,1) cluster=1x1 blocks=2", DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 70, 160, 72, 2},
    EpilogueKernel{"wgmma, rows anywhere",         "tile=64x128x64 atom_layout=(1,1,1) cluster=1x1",     DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 70, 125, 72, 1},
    EpilogueKernel{"slices of K in a cluster",     "split_k=4 reduction=distributed tile=64x64x64 atom_layout=(1,1,1)", DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 72, 72, 264, 1},
    EpilogueKernel{"in a cluster, threads store",   "split_k=3 reduction=distributed tile=128x32x64",        DType::bf16, DType::f32,  Order::row, Order::col, Order::row, 140, 45, 264, 1},
    EpilogueKernel{"8-bit floats, turns of subtiles", "tile=128x96x128 cluster=1x1 blocks=1 specialize=none", DType::e4m3, DType::e4m3, Order::row, Order::col, Order::row, 140, 99, 144, 1},
    EpilogueKernel{"threads that share out K",          "main_loop=multistage atom_layout=(8,4,4):(4,1,32) permutation=((8,4):(4,1),(4,4):(4,1),_) tile=32x16x32", DType::f32, DType::f32, Order::row, Order::row, Order::row, 70, 45, 77, 2},
};
// clang-format on

[[nodiscard]] GemmCase case_of(const EpilogueKernel& kernel, const EpilogueRow& row, unsigned seed);

}  // namespace jute::test
