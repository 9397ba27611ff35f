// Who multiplies which rows and columns, as layouts.
#include "plan/shapes/thread_tiling.hpp"

#include <algorithm>
#include <numeric>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// From one part of K to the next; 0 where there is none.
int of_parts(int parts_of_k, int threads) { return parts_of_k == 1 ? 0 : threads; }

}  // namespace

Layout thread_layout(int threads_m, int threads_n, int parts_of_k) {
  if (threads_m % 4 == 0 && threads_n % 8 == 0)
    return woven_threads(threads_m / 4, threads_n / 8, parts_of_k);
  const int lanes_n = std::gcd(8, threads_n), lanes_m = std::gcd(kWarp / lanes_n, threads_m);
  const int warps_m = threads_m / lanes_m, warps_n = threads_n / lanes_n;
  const int lanes = lanes_m * lanes_n;
  return Layout(IntTuple{IntTuple{lanes_m, warps_m}, IntTuple{lanes_n, warps_n}, parts_of_k},
                IntTuple{IntTuple{lanes_n, lanes}, IntTuple{1, lanes * warps_m},
                         of_parts(parts_of_k, threads_m * threads_n)});
}

Layout woven_threads(int warps_m, int warps_n, int parts_of_k) {
  return Layout(IntTuple{IntTuple{2, 2, warps_m}, IntTuple{8, warps_n}, parts_of_k},
                IntTuple{IntTuple{1, 16, 32}, IntTuple{2, 32 * warps_m},
                         of_parts(parts_of_k, kWarp * warps_m * warps_n)});
}

int held_by_thread(const GemmStep& step, int mode) {
  const int extent = mode == 0 ? step.tile.m : step.tile.n;
  return extent / std::max(static_cast<int>(size(step.mma.atom_layout()[mode])), 1);
}

Tiler spread(int threads, int vector, int repeats) {
  return Layout(IntTuple{threads, vector, repeats}, IntTuple{vector, 1, threads * vector});
}

}  // namespace jute::plan
