#pragma once
// Kernels whose blocks have slices of K: without a producer, and those that leave tiles whole.
#include "support/straight_cases.hpp"

#include <array>

namespace jute::test {

// clang-format off
inline constexpr std::array kStagedSlices{
    // threads that copy asynchronously, operands in every order, and rows that begin anywhere
    StraightRow{"h200", "main_loop=multistage split_k=3", kF32, kStraightRow, kStraightRow, kStraightRow, 41, 61, 159, 2, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=multistage split_k=7 specialize=none", kF32, kStraightCol, kStraightCol, kStraightCol, 70, 45, 200, 1, 1, 0, 2},
    StraightRow{"a100", "main_loop=multistage split_k=2 tile=64x64x16", kF64, kStraightRow, kStraightCol, kStraightRow, 65, 70, 150, 2, 0.5, 0, 2},
    // groups of warps that share out each slice, and tensor cores
    StraightRow{"h200", "main_loop=multistage split_k=3 atom_layout=(1,2,4) tile=32x32x64", kF64, kStraightCol, kStraightRow, kStraightRow, 40, 64, 500, 1, 0, 0, 2},
    StraightRow{"h200", "main_loop=multistage split_k=4 atom_layout=(2,1,2) tile=64x32x64", kBf16, kStraightRow, kStraightCol, kStraightRow, 41, 128, 640, 2, 0.5, 0, 8},
    StraightRow{"a100", "main_loop=multistage split_k=5", kTf32, kStraightRow, kStraightCol, kStraightRow, 37, 29, 400, 1, 0.5, 0, 4},
    // slices that have no k-tile, and no product at all
    StraightRow{"h200", "main_loop=multistage split_k=9", kF32, kStraightRow, kStraightCol, kStraightRow, 20, 20, 24, 1, 0.5, 0, 4},
    StraightRow{"h200", "main_loop=multistage split_k=2", kF32, kStraightRow, kStraightCol, kStraightRow, 20, 24, 0, 1, 0.5, 0, 4},
    // through registers, on chips of other kinds as well
    StraightRow{"h200", "main_loop=register_staged split_k=3", kBf16, kStraightCol, kStraightRow, kStraightRow, 41, 61, 159, 1, 0.5, 1, 1},
    StraightRow{"t4", "main_loop=register_staged split_k=4", kF32, kStraightCol, kStraightRow, kStraightCol, 41, 61, 90, 1, 1, 1, 1},
    StraightRow{"a100", "main_loop=register_staged split_k=2", kS8, kStraightRow, kStraightCol, kStraightRow, 37, 29, 341, 1, 1, 0, 1},
    // of the tiles behind the first ones alone: of a matrix, of a batch whose first matrix is whole, with an edge; and of none
    StraightRow{"h200", "main_loop=multistage split_k=3 whole_tiles=7 tile=64x64x16", kF64, kStraightCol, kStraightRow, kStraightRow, 180, 201, 150, 1, 0.5, 1, 2},
    StraightRow{"a100", "main_loop=multistage split_k=2 whole_tiles=5 tile=64x64x32", kBf16, kStraightRow, kStraightCol, kStraightRow, 100, 128, 320, 2, 1, 0, 8},
    StraightRow{"h200", "main_loop=multistage split_k=4 whole_tiles=1 specialize=none tile=64x64x8", kF32, kStraightCol, kStraightCol, kStraightCol, 70, 45, 200, 1, 1, 0, 2},
    StraightRow{"t4", "main_loop=register_staged split_k=5 whole_tiles=3", kF32, kStraightRow, kStraightCol, kStraightCol, 141, 161, 40, 1, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=multistage split_k=2 whole_tiles=900 tile=64x64x16", kF64, kStraightRow, kStraightRow, kStraightRow, 70, 70, 100, 1, 0.5, 0, 2},
    // likewise behind a producer: threads and tensor cores, of a matrix and of a batch
    StraightRow{"h200", "main_loop=warp_specialised blocks=0 split_k=3 whole_tiles=7 tile=64x64x32", kF32, kStraightCol, kStraightCol, kStraightRow, 180, 201, 400, 1, 0.5, 1, 4},
    StraightRow{"h200", "main_loop=warp_specialised blocks=0 split_k=2 whole_tiles=3 tile=64x64x64", kBf16, kStraightRow, kStraightCol, kStraightRow, 100, 128, 320, 2, 1, 0, 8},
};
// clang-format on
inline constexpr size_t kCutBehindProducer = 2;  // the last of them

}  // namespace jute::test
