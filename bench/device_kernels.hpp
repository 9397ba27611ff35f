#pragma once
// The benchmark's own kernels: random operands, sampled checks, the clock of the work itself.
#include <cstdint>
#include "cases.hpp"

#include <jute/launch/backend.hpp>

namespace jute::bench {

/// One judged element: what D holds, the sum of its products, the sum of their magnitudes.
struct Sample {
  double got = 0, sum = 0, magnitude = 0;
};

class DeviceKernels {
 public:
  explicit DeviceKernels(Backend& backend);

  void fill(DevicePointer target, Index elements, DType type, std::uint64_t seed) const;
  /// The worst |D - reference| / bound of 64 samples; at most 1 when D is right.
  [[nodiscard]] double worst_ratio(const Case& bench_case, DevicePointer a, DevicePointer b,
                                   DevicePointer d, std::uint64_t seed) const;
  /// Two numbers for each of 512 SMs at `target`: cycles, nanoseconds.
  void read_clocks(DevicePointer target, Stream stream) const;
  static constexpr Index kClockBytes = 512 * 2 * 8;

 private:
  Backend& backend_;
  int sm_count_;
  Kernel fill_, check_, clocks_;
};

}  // namespace jute::bench
