#pragma once
// Warp-specialised kernels: what may differ between them, in pairs.
#include "support/gemm_case.hpp"
#include "support/orders.hpp"

#include <array>
#include <string_view>

namespace jute::test {

/// A kernel of a producer and consumers, and a problem small enough to emulate that reaches past
/// every edge of its tile.
struct SpecialisedRow {
  std::string_view config;
  DType type, out;
  Order a, b, c;
  Index m, n, k, batch;
  double beta;
};

// clang-format off
inline constexpr std::array kSpecialised{
    // the usual one: two groups of one tile, pairs of blocks that share B
    SpecialisedRow{"cluster=2x1",                                         DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 272, 200, 1, 0},
    SpecialisedRow{"cluster=2x1 blocks=2",                                DType::f16,  DType::f16,  kRow, kRow, kRow, 300, 520, 136, 1, 0.5},
    SpecialisedRow{"launches=alone",                                      DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 272, 200, 1, 0.5},
    SpecialisedRow{"cluster=1x2 release=never",                           DType::bf16, DType::bf16, kCol, kRow, kRow, 136, 600, 72, 2, 0},
    SpecialisedRow{"cluster=1x1 first_stages=by_initialiser blocks=3",    DType::bf16, DType::bf16, kCol, kCol, kRow, 264, 300, 320, 1, 1},
    SpecialisedRow{"cluster=1x1 first_stages=by_initialiser release=at_start stages=2 tile=128x64x64", DType::f16, DType::f16, kRow, kCol, kCol, 200, 136, 392, 1, 0},
    // stages that the L2 cache has fetched: of a walk, of slices, from several places of K, of rows that are left out
    SpecialisedRow{"cluster=1x1 first_stages=prefetched blocks=3",        DType::bf16, DType::bf16, kCol, kRow, kRow, 264, 300, 320, 2, 0},
    SpecialisedRow{"cluster=1x1 first_stages=prefetched split_k=3 tile=64x64x64", DType::f16, DType::f16, kRow, kCol, kRow, 100, 136, 520, 1, 0},
    SpecialisedRow{"cluster=1x1 first_stages=prefetched k_starts=4 tile=64x16x64", DType::bf16, DType::bf16, kRow, kCol, kRow, 200, 24, 392, 1, 0},
    SpecialisedRow{"cluster=1x1 first_stages=prefetched edge_rows=left_out tile=128x64x64 read_once=a", DType::bf16, DType::bf16, kRow, kCol, kRow, 150, 136, 264, 1, 0},
    // warps' tensor cores read along M and N what TMA brought: one row of warps, slices of K
    SpecialisedRow{"mma_atom=SM80_16x8x8_F32TF32TF32F32_TN main_loop=warp_specialised tile=16x64x32 atom_layout=(1,8,1) first_stages=by_initialiser split_k=3 release=at_start", DType::tf32, DType::f32, kRow, kRow, kRow, 13, 132, 260, 1, 0},
    SpecialisedRow{"mma_atom=SM80_16x8x8_F32TF32TF32F32_TN main_loop=warp_specialised tile=64x8x32 atom_layout=(4,1,1) first_stages=by_initialiser", DType::tf32, DType::f32, kCol, kCol, kCol, 132, 5, 100, 2, 0.5},
    SpecialisedRow{"mma_atom=SM80_16x8x8_F32TF32TF32F32_TN main_loop=warp_specialised tile=64x64x32 atom_layout=(4,2,1) split_k=2", DType::tf32, DType::f32, kCol, kRow, kRow, 72, 100, 136, 1, 1},
    // and f64, whose sums of slices are added as they are
    SpecialisedRow{"mma_atom=SM90_16x8x8_F64F64F64F64_TN main_loop=warp_specialised tile=16x32x16 atom_layout=(1,4,1) first_stages=by_initialiser split_k=5 release=at_start", DType::f64, DType::f64, kRow, kRow, kRow, 13, 70, 530, 1, 0.5},
    SpecialisedRow{"mma_atom=SM90_16x8x8_F64F64F64F64_TN main_loop=warp_specialised tile=64x32x16 atom_layout=(4,2,1) split_k=2 specialize=none", DType::f64, DType::f64, kCol, kCol, kCol, 130, 42, 100, 2, 0},
    // other tiles, other groups
    SpecialisedRow{"tile=256x184x64 cluster=1x1 first_stages=by_initialiser", DType::bf16, DType::bf16, kRow, kCol, kRow, 270, 200, 136, 1, 0},
    SpecialisedRow{"tile=256x128x64 cluster=1x2 blocks=2",                DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 400, 72, 1, 2},
    SpecialisedRow{"tile=64x72x64 atom_layout=(1,1,1) cluster=1x1",       DType::bf16, DType::bf16, kRow, kCol, kRow, 130, 150, 136, 3, 0},
    SpecialisedRow{"tile=64x512x32 atom_layout=(1,2,1) cluster=1x1",      DType::f16,  DType::f16,  kRow, kCol, kRow, 70, 530, 72, 1, 0.5},
    SpecialisedRow{"tile=192x96x64 atom_layout=(3,1,1) cluster=1x1 blocks=2", DType::bf16, DType::bf16, kRow, kCol, kRow, 200, 104, 136, 1, 0},
    SpecialisedRow{"tile=128x32x128 cluster=4x2 raster_width=1",          DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 100, 264, 1, 0},
    SpecialisedRow{"tile=128x200x32 cluster=2x1 specialize=none",         DType::bf16, DType::bf16, kRow, kCol, kRow, 150, 211, 96, 1, 0},
    SpecialisedRow{"tile=128x64x64 cluster=2x2 specialize=all",           DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 136, 136, 2, 0},
    // whole tiles, and clusters that reach past them
    SpecialisedRow{"tile=128x64x64 cluster=1x2 specialize=all",           DType::bf16, DType::f32,  kRow, kCol, kRow, 128, 64, 136, 1, 0.5},
    SpecialisedRow{"tile=128x64x64 cluster=2x1 specialize=all",           DType::bf16, DType::f32,  kRow, kCol, kRow, 128, 64, 136, 1, 0},
    // blocks of one tile in groups of rows of tiles: uneven ones, many, of slices, of more rows than there are
    SpecialisedRow{"tile=64x64x64 raster_width=2 cluster=1x1",            DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 200, 72, 2, 0},
    SpecialisedRow{"tile=64x64x64 raster_width=2 cluster=1x1",            DType::bf16, DType::bf16, kRow, kCol, kRow, 1100, 72, 64, 1, 0},
    SpecialisedRow{"tile=64x64x64 raster_width=3 split_k=2 cluster=1x1",   DType::bf16, DType::bf16, kRow, kCol, kRow, 270, 136, 136, 2, 0.5},
    SpecialisedRow{"tile=64x64x64 raster_width=16 cluster=1x1 swapped=on", DType::f16, DType::f16,  kRow, kCol, kRow, 150, 264, 72, 1, 0},
    // a D that threads store, other types
    SpecialisedRow{"tile=128x64x64",                                      DType::bf16, DType::f32,  kRow, kCol, kRow, 150, 99, 136, 1, 0.5},
    SpecialisedRow{"tile=128x64x32 cluster=1x1",                          DType::tf32, DType::f32,  kRow, kCol, kRow, 150, 100, 72, 1, 0},
    SpecialisedRow{"tile=128x64x128 cluster=1x1",                         DType::s8,   DType::s32,  kRow, kCol, kRow, 150, 100, 272, 1, 1},
    // stages that mma.sync reads by ldmatrix
    SpecialisedRow{"main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN", DType::bf16, DType::bf16, kRow, kRow, kRow, 150, 136, 200, 1, 0},
    SpecialisedRow{"main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN tile=64x64x32 cluster=2x2 atom_layout=(2,2,1)", DType::bf16, DType::f32, kCol, kCol, kRow, 136, 150, 72, 1, 0.5},
    // stages that threads read: along K, along M and N, the vectors of two tiles, edges, slices
    SpecialisedRow{"main_loop=warp_specialised tile=128x256x32 blocks=2", DType::f32,  DType::f32,  kRow, kCol, kRow, 300, 267, 100, 1, 0.5},
    SpecialisedRow{"main_loop=warp_specialised",                          DType::f32,  DType::f32,  kRow, kRow, kRow, 131, 257, 67, 2, 0},
    SpecialisedRow{"main_loop=warp_specialised tile=64x64x16 atom_layout=((4,2),(8,2),1):((8,32),(1,64),0) cluster=2x1", DType::f32, DType::f32, kCol, kCol, kRow, 150, 99, 41, 1, 1},
    SpecialisedRow{"main_loop=warp_specialised tile=128x128x8 stages=2",  DType::f32,  DType::f32,  kCol, kRow, kCol, 130, 140, 29, 1, 0},
    SpecialisedRow{"main_loop=warp_specialised tile=128x128x32 split_k=3", DType::f32,  DType::f32,  kRow, kCol, kRow, 100, 136, 200, 1, 0.5},
    // C through subtiles that serve several turns, with edges that go by rows
    SpecialisedRow{"tile=256x200x64 cluster=1x1 blocks=1",                DType::f16,  DType::f16,  kRow, kCol, kRow, 520, 203, 136, 1, 0.5},
    SpecialisedRow{"tile=128x256x64 cluster=1x1 blocks=1 stages=4 specialize=none", DType::bf16, DType::bf16, kRow, kCol, kRow, 200, 301, 72, 2, 0.5},
    // rows that begin inside sectors of memory, of a large D: by threads, C by TMA; teams, edges, subtiles of parts of rows
    SpecialisedRow{"swapped=off tile=64x256x16 ping_pong=2",                  DType::bf16, DType::bf16, kCol, kRow, kRow, 2056, 1032, 24, 1, 0.5},
    SpecialisedRow{"swapped=off tile=128x200x32",                         DType::f16,  DType::f16,  kRow, kCol, kRow, 1030, 2056, 40, 1, 0},
    SpecialisedRow{"swapped=off tile=128x192x64 blocks=5 stages=4",       DType::bf16, DType::bf16, kRow, kCol, kRow, 1000, 1064, 72, 2, 1},
    // slices of K, whose sums meet in the workspace: whole and uneven ones, more than there are k-tiles
    SpecialisedRow{"split_k=3 tile=64x72x64 atom_layout=(1,1,1)",          DType::bf16, DType::bf16, kRow, kCol, kRow, 130, 150, 520, 2, 0.5},
    SpecialisedRow{"split_k=4 tile=128x128x64 cluster=2x1 release=at_start", DType::f16, DType::f16, kCol, kRow, kRow, 200, 136, 512, 1, 0},
    SpecialisedRow{"split_k=5 tile=64x64x64 atom_layout=(1,1,1)",          DType::bf16, DType::f32,  kRow, kCol, kRow, 70, 99, 136, 1, 0},
    SpecialisedRow{"split_k=2 tile=128x64x128 cluster=1x1 read_once=both",                DType::s8,   DType::s32,  kRow, kCol, kRow, 150, 100, 272, 1, 1},
    SpecialisedRow{"split_k=2 main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN specialize=none", DType::bf16, DType::bf16, kRow, kRow, kRow, 150, 136, 200, 1, 0},
    // slices that meet in a cluster: shares of subtiles, of rows, of what threads store; uneven ones, one for all, fewer
    // k-tiles than slices; C and edges; s32, swapped, stages that warps and threads read
    SpecialisedRow{"split_k=2 reduction=distributed tile=128x128x64 cluster=1x1", DType::bf16, DType::bf16, kRow, kCol, kRow, 200, 136, 520, 2, 0.5},
    SpecialisedRow{"split_k=8 reduction=distributed tile=64x64x64 atom_layout=(1,1,1) specialize=none", DType::f16, DType::f16, kCol, kRow, kRow, 70, 99, 520, 1, 0.5},
    SpecialisedRow{"split_k=3 reduction=distributed tile=64x72x64 atom_layout=(1,1,1) release=at_start", DType::bf16, DType::bf16, kRow, kCol, kRow, 130, 150, 136, 1, 0},
    SpecialisedRow{"split_k=5 reduction=distributed tile=64x64x64 atom_layout=(1,1,1)", DType::bf16, DType::f32, kRow, kCol, kRow, 70, 99, 136, 1, 0},
    SpecialisedRow{"split_k=4 reduction=distributed tile=128x64x128 cluster=1x1 read_once=both", DType::s8, DType::s32, kRow, kCol, kRow, 150, 100, 272, 1, 1},
    SpecialisedRow{"swapped=on split_k=2 reduction=distributed tile=64x16x64 atom_layout=(1,1,1)", DType::bf16, DType::bf16, kRow, kCol, kRow, 16, 136, 520, 1, 0.5},
    SpecialisedRow{"split_k=2 reduction=distributed main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN specialize=none", DType::bf16, DType::bf16, kRow, kRow, kRow, 150, 136, 200, 1, 0},
    SpecialisedRow{"split_k=3 reduction=distributed main_loop=warp_specialised tile=128x128x32", DType::f32, DType::f32, kRow, kCol, kRow, 100, 136, 200, 1, 0.5},
    SpecialisedRow{"split_k=4 reduction=distributed tile=64x64x64 atom_layout=(1,1,1)", DType::bf16, DType::bf16, kRow, kCol, kRow, 100, 40, 0, 1, 0.5},
    // operands swapped: the kernel's D lies along its M
    SpecialisedRow{"swapped=on tile=64x16x64 atom_layout=(1,1,1)",        DType::bf16, DType::bf16, kRow, kCol, kRow, 21, 200, 136, 2, 0.5},
    SpecialisedRow{"swapped=on tile=128x200x64 cluster=2x1",              DType::f16,  DType::f16,  kRow, kRow, kRow, 230, 264, 200, 1, 0},
    SpecialisedRow{"swapped=on tile=256x72x64 cluster=1x1 blocks=1",      DType::bf16, DType::bf16, kCol, kCol, kRow, 150, 520, 72, 1, 1},
    SpecialisedRow{"swapped=on split_k=3 tile=64x24x64 atom_layout=(1,1,1)", DType::bf16, DType::bf16, kRow, kCol, kRow, 16, 136, 520, 1, 0.5},
    SpecialisedRow{"swapped=on main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN", DType::bf16, DType::bf16, kRow, kRow, kRow, 150, 136, 200, 1, 0.5},
    // sums of 8-bit floats, promoted and not
    SpecialisedRow{"main_loop=warp_specialised",                           DType::e4m3, DType::bf16, kRow, kCol, kRow, 150, 104, 592, 1, 0},
    SpecialisedRow{"tile=128x64x128 promote=256 blocks=1",                DType::e5m2, DType::bf16, kRow, kCol, kRow, 150, 104, 592, 2, 0.5},
    SpecialisedRow{"tile=128x64x64 promote=0 cluster=2x1",                DType::e4m3, DType::f32,  kRow, kCol, kRow, 150, 100, 144, 1, 0},
    SpecialisedRow{"tile=64x32x128 atom_layout=(1,1,1) split_k=3 swapped=on", DType::e4m3, DType::bf16, kRow, kCol, kRow, 20, 136, 592, 1, 0},
    // blocks that begin in turn at several places of K: walking, of slices, of fewer k-tiles than places, with sums added in full, by threads
    SpecialisedRow{"k_starts=3 tile=64x64x64 blocks=2 cluster=1x1",       DType::bf16, DType::bf16, kRow, kCol, kRow, 150, 136, 456, 2, 0.5},
    SpecialisedRow{"k_starts=4 tile=64x72x64 split_k=2 cluster=1x1 swapped=on", DType::f16, DType::f16,  kRow, kCol, kRow, 130, 152, 840, 1, 0},
    SpecialisedRow{"k_starts=64 tile=64x16x64 cluster=1x1 first_stages=by_initialiser", DType::bf16, DType::bf16, kCol, kRow, kRow, 200, 72, 136, 1, 0},
    SpecialisedRow{"k_starts=5 tile=128x64x64 promote=256 ping_pong=2 cluster=1x1", DType::e4m3, DType::bf16, kRow, kCol, kRow, 300, 104, 1168, 1, 0},
    SpecialisedRow{"k_starts=2 main_loop=warp_specialised tile=128x128x32 cluster=1x1", DType::f32, DType::f32, kRow, kCol, kRow, 200, 136, 100, 1, 0.5},
    // a producer of one warp: beside one group, two, teams, three, blocks of a tile each
    SpecialisedRow{"producer_warps=1 tile=64x64x64 blocks=0 stages=2",    DType::bf16, DType::bf16, kRow, kCol, kRow, 150, 136, 200, 2, 0.5},
    SpecialisedRow{"producer_warps=1 tile=128x256x64 cluster=2x1",        DType::f16,  DType::f16,  kCol, kRow, kRow, 300, 264, 136, 1, 0},
    SpecialisedRow{"producer_warps=1 ping_pong=2 tile=64x128x64 blocks=2",    DType::bf16, DType::bf16, kRow, kRow, kRow, 200, 264, 200, 1, 1},
    SpecialisedRow{"producer_warps=1 tile=192x64x128 promote=256 split_k=2", DType::e4m3, DType::bf16, kRow, kCol, kRow, 230, 104, 592, 1, 0},
    // teams that take turns: with one tile, with several; of one group, of two; with C ahead
    SpecialisedRow{"ping_pong=2 tile=64x64x64 atom_layout=(1,1,1) blocks=1",  DType::bf16, DType::bf16, kRow, kCol, kRow, 150, 136, 200, 1, 0.5},
    SpecialisedRow{"ping_pong=2 tile=128x72x64 atom_layout=(1,1,1) blocks=2 stages=3 read_once=a", DType::f16, DType::f16, kRow, kCol, kRow, 300, 200, 264, 2, 0},
    SpecialisedRow{"ping_pong=2 tile=128x64x64 cluster=2x1 blocks=2",         DType::bf16, DType::f32,  kCol, kRow, kRow, 520, 130, 136, 1, 0.5},
    SpecialisedRow{"ping_pong=2 tile=64x128x128 atom_layout=(1,1,1) blocks=1 swapped=on", DType::e4m3, DType::bf16, kRow, kCol, kRow, 140, 264, 272, 1, 0},
    SpecialisedRow{"ping_pong=2 tile=64x32x64 atom_layout=(1,1,1)",           DType::bf16, DType::bf16, kRow, kCol, kRow, 60, 30, 136, 1, 0},
    SpecialisedRow{"ping_pong=2 blocks=1 main_loop=warp_specialised mma_atom=SM80_16x8x16_F32BF16BF16F32_TN tile=64x64x32 atom_layout=(2,2,1)", DType::bf16, DType::bf16, kRow, kRow, kRow, 150, 136, 200, 1, 0.5},
    // shared by problems: slices that a launch says, of tiles over which blocks walk too; clusters, teams, swapped, threads
    SpecialisedRow{"specialize=generic",                                   DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 272, 1000, 1, 0.5},
    SpecialisedRow{"specialize=generic split_k=3 tile=64x64x64",            DType::f16,  DType::f16,  kCol, kRow, kRow, 130, 150, 520, 2, 0.5},
    SpecialisedRow{"specialize=generic split_k=3 blocks=2 tile=64x64x64",   DType::bf16, DType::bf16, kRow, kRow, kRow, 200, 136, 520, 2, 1},
    SpecialisedRow{"specialize=generic split_k=2 cluster=2x2 tile=128x128x64", DType::bf16, DType::bf16, kCol, kCol, kRow, 300, 264, 264, 1, 0},
    SpecialisedRow{"specialize=generic cluster=4x1 tile=64x24x64",         DType::bf16, DType::bf16, kRow, kCol, kRow, 400, 40, 264, 1, 0},
    SpecialisedRow{"specialize=generic cluster=1x4 split_k=2 tile=64x64x64", DType::f16, DType::f16,  kCol, kRow, kRow, 100, 264, 264, 2, 0.5},
    SpecialisedRow{"specialize=generic cluster=8x1 tile=64x8x64",          DType::bf16, DType::bf16, kCol, kRow, kRow, 520, 8, 200, 1, 0},
    SpecialisedRow{"specialize=generic ping_pong=2 cluster=2x1 blocks=2 tile=128x64x64", DType::bf16, DType::bf16, kRow, kCol, kRow, 520, 136, 136, 1, 0.5},
    SpecialisedRow{"specialize=generic swapped=on split_k=5 tile=64x8x64 release=at_start", DType::bf16, DType::bf16, kRow, kCol, kRow, 5, 200, 264, 2, 0},
    SpecialisedRow{"specialize=generic split_k=2 tile=128x64x128",          DType::s8,   DType::s32,  kRow, kCol, kRow, 150, 100, 272, 1, 1},
    SpecialisedRow{"specialize=generic split_k=2 tile=64x64x128",           DType::e4m3, DType::bf16, kRow, kCol, kRow, 100, 136, 592, 1, 0},
    SpecialisedRow{"specialize=generic main_loop=warp_specialised split_k=3 tile=128x128x32", DType::f32, DType::f32, kRow, kCol, kRow, 100, 136, 200, 1, 0.5},
    SpecialisedRow{"specialize=generic split_k=3 tile=64x64x64",            DType::bf16, DType::bf16, kRow, kCol, kRow, 100, 40, 0, 1, 0.5},
    // no sum at all
    SpecialisedRow{"blocks=1 cluster=1x1 tile=128x64x64",                 DType::bf16, DType::bf16, kRow, kCol, kRow, 300, 200, 0, 1, 0.5},
    SpecialisedRow{"cluster=2x1",                                         DType::bf16, DType::bf16, kRow, kCol, kRow, 130, 40, 0, 1, 0.5},
    SpecialisedRow{"split_k=3 tile=64x64x64 atom_layout=(1,1,1)",          DType::bf16, DType::bf16, kRow, kCol, kRow, 100, 40, 0, 1, 0.5},
    SpecialisedRow{"main_loop=warp_specialised",                          DType::f32,  DType::f32,  kRow, kCol, kRow, 100, 40, 0, 1, 0.5},
    SpecialisedRow{"ping_pong=2 tile=64x64x64 atom_layout=(1,1,1) blocks=1",  DType::bf16, DType::bf16, kRow, kCol, kRow, 200, 40, 0, 1, 0.5},
};
// clang-format on

inline GemmCase case_of(const SpecialisedRow& row, unsigned seed) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = row.m;
  problem.n = row.n;
  problem.k = row.k;
  problem.batch = row.batch;
  problem.a = {.type = row.type, .order = row.a};
  problem.b = {.type = row.type, .order = row.b};
  problem.c = problem.d = {.type = row.out, .order = row.c};
  // Rows of whole 16 bytes, with padding behind them that nobody may touch.
  const auto padded = [](Index extent, DType type) {
    const Index unit = 16 / width_bytes(type);
    return (extent + unit - 1) / unit * unit + unit;
  };
  problem.a.ld_elems = padded(row.a == kRow ? row.k : row.m, row.type);
  problem.b.ld_elems = padded(row.b == kRow ? row.n : row.k, row.type);
  problem.d.ld_elems = padded(row.c == kRow ? row.n : row.m, row.out);
  result.alpha = row.type == DType::s8 ? 2 : 1.5;
  result.beta = row.beta;
  result.seed = seed;
  result.config = parse_config(row.config);
  return result;
}

}  // namespace jute::test
