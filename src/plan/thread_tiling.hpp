#pragma once
// Multiply-adds of single threads over a block tile.
#include <jute/layout/layout.hpp>
#include <jute/layout/tiler.hpp>

namespace jute::plan {

/// Threads along (M,N,K). Warps of 8 threads along N where there are as many: their stores then
/// fill whole sectors.
[[nodiscard]] Layout thread_layout(int threads_m, int threads_n);

/// threads × (vector, repeats) along one dimension, a thread's vectors a whole row of threads
/// apart.
[[nodiscard]] Tiler spread(int threads, int vector, int repeats);

}  // namespace jute::plan
