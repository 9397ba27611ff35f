#pragma once
// Multiply-adds of single threads over a block tile.
#include <jute/layout/layout.hpp>
#include <jute/layout/tiler.hpp>
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Threads along (M,N,K), those of one part of K behind those of the one before. Warps of 8 threads
/// along N where there are as many: their stores then fill whole sectors.
[[nodiscard]] Layout thread_layout(int threads_m, int threads_n, int parts_of_k = 1);

/// Threads along (M,N,K) of warps of 4 x 8 that read 16 bytes at a time: neighbours find the same
/// of A, those beside them the same of B, so that half a warp is served at once.
[[nodiscard]] Layout woven_threads(int warps_m, int warps_n, int parts_of_k = 1);

/// Rows (mode 0) or columns (mode 1) of the tile that each thread holds.
[[nodiscard]] int held_by_thread(const GemmStep& step, int mode);

/// threads × (vector, repeats) along one dimension, a thread's vectors a whole row of threads
/// apart.
[[nodiscard]] Tiler spread(int threads, int vector, int repeats);

}  // namespace jute::plan
