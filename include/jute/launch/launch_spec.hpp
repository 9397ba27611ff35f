#pragma once
// One launch as a value.
#include <jute/launch/signature.hpp>

namespace jute {

struct Dim3 {
  std::int64_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
};

/// Counts of blocks, threads and blocks per cluster, in that order, and the packed parameters.
struct LaunchSpec {
  Dim3 grid = {};
  Dim3 block = {};
  Dim3 cluster = {};  ///< {1,1,1}: no cluster
  Index dynamic_smem_bytes = 0;
  ArgumentBlock arguments = {};
};

}  // namespace jute
