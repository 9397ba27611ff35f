#pragma once
// Operands of one case, several times over, so that no contestant finds them in the L2 cache.
#include "device_kernels.hpp"

namespace jute::bench {

/// Rotating sets of A, B and D that take at least 256 MiB together, 1024 sets at most.
class OperandSets {
 public:
  OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& bench_case);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] DevicePointer a(int launch) const;
  [[nodiscard]] DevicePointer b(int launch) const;
  [[nodiscard]] DevicePointer d(int launch) const;
  /// Bytes that one GEMM reads and writes.
  [[nodiscard]] Index bytes_per_set() const { return set_bytes_; }
  /// Launches of one timed graph: about 6 ms of nominal work, whole rounds through the sets.
  /// Depends on the case alone, so that every contestant runs the same loop.
  [[nodiscard]] int launches() const { return launches_; }
  /// All D to NaN or -1.
  void poison() const;

 private:
  Backend& backend_;
  Index a_bytes_, b_bytes_, d_bytes_, set_bytes_;
  int count_, launches_;
  Buffer memory_;
};

}  // namespace jute::bench
