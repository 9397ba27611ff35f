#pragma once
// Kernels with tiles in shared memory whose threads share out K: lanes of a warp, groups of warps.
#include "support/straight_cases.hpp"

#include <array>

namespace jute::test {

// clang-format off
inline constexpr std::array kSharedK{
    // groups of threads, which copy every order of operands asynchronously
    StraightRow{"h200", "main_loop=multistage atom_layout=((2,2),8,4):((1,16),2,32) permutation=((4,4):(4,1),(8,4):(4,1),_) tile=16x32x32", kF32, kStraightRow, kStraightRow, kStraightRow, 41, 61, 159, 2, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=multistage atom_layout=(8,8,2):(8,1,64) permutation=((8,4,2):(4,1,32),(8,4):(4,1),_) tile=64x32x16 stages=4 specialize=none", kF32, kStraightCol, kStraightCol, kStraightCol, 70, 45, 77, 1, 1, 0, 2},
    StraightRow{"a100", "main_loop=multistage atom_layout=(8,4,8):(4,1,32) permutation=((8,4):(4,1),(4,4,2):(4,1,16),_) tile=32x32x64 stages=2", kF32, kStraightRow, kStraightCol, kStraightRow, 33, 31, 300, 1, 0, 3, 1},
    StraightRow{"h200", "main_loop=multistage mma_atom=UniversalFMA<double> atom_layout=(8,8,2):(1,8,64) permutation=(16,32,_) tile=16x32x16", kF64, kStraightRow, kStraightRow, kStraightRow, 19, 35, 75, 2, 0.5, 1, 1},
    // no sum at all, and less of it than there are groups
    StraightRow{"h200", "main_loop=multistage atom_layout=(8,4,8):(4,1,32) permutation=((8,4):(4,1),(4,4,2):(4,1,16),_) tile=32x32x64", kF32, kStraightRow, kStraightCol, kStraightRow, 20, 20, 0, 1, 0.5, 0, 4},
    StraightRow{"h200", "main_loop=multistage atom_layout=(8,4,8):(4,1,32) permutation=((8,4):(4,1),(4,4,2):(4,1,16),_) tile=32x32x64", kF32, kStraightCol, kStraightRow, kStraightRow, 20, 20, 3, 1, 0.5, 1, 1},
    // through registers
    StraightRow{"h200", "main_loop=register_staged atom_layout=(8,4,4):(4,1,32) permutation=(32,32,_) tile=32x32x8", kF32, kStraightRow, kStraightCol, kStraightRow, 41, 61, 159, 1, 0.5, 0, 1},
    StraightRow{"t4", "main_loop=register_staged atom_layout=(8,8,2):(8,1,64) permutation=(32,32,_) tile=32x32x16", kF32, kStraightCol, kStraightRow, kStraightCol, 41, 61, 90, 1, 1, 1, 1},
    // lanes of a warp, and groups as well
    StraightRow{"h200", "main_loop=multistage atom_layout=(8,8,(2,2)):(2,32,(1,16)) permutation=(32,32,_) tile=32x32x8", kF32, kStraightRow, kStraightRow, kStraightRow, 41, 61, 159, 1, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=register_staged atom_layout=(4,4,(2,4)):(1,4,(16,32)) permutation=(16,32,_) tile=16x32x16", kF32, kStraightRow, kStraightRow, kStraightRow, 41, 61, 159, 1, 0, 1, 1},
    // tensor cores
    StraightRow{"a100", "main_loop=multistage atom_layout=(2,1,2) tile=64x32x64", kBf16, kStraightRow, kStraightCol, kStraightRow, 41, 128, 160, 2, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=multistage atom_layout=(1,2,4) tile=32x32x128 specialize=all", kF16, kStraightCol, kStraightRow, kStraightRow, 40, 64, 200, 1, 1, 0, 8},
    StraightRow{"a100", "main_loop=register_staged atom_layout=(2,1,2) tile=64x32x64", kS8, kStraightRow, kStraightCol, kStraightRow, 37, 29, 141, 1, 1, 0, 1},
    StraightRow{"a100", "main_loop=multistage atom_layout=(1,1,4) tile=32x16x64", kTf32, kStraightRow, kStraightCol, kStraightRow, 37, 29, 84, 1, 0.5, 0, 4},
};
// clang-format on

}  // namespace jute::test
