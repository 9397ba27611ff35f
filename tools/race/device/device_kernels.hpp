#pragma once
// The race's own kernels: random operands, the clock of the work itself.
#include <jute/jit/compile.hpp>
#include <jute/launch/backend.hpp>

#include <cstdint>

namespace jute::bench {

/// `read_clocks(pointer result)` as machine code.
[[nodiscard]] Binary clock_kernel(Arch arch, const Settings& settings);

class DeviceKernels {
 public:
  DeviceKernels(Backend& backend, const Settings& settings);

  /// Independent normal draws of deviation `sigma`; rounded for integer types.
  void fill(DevicePointer target, Index elements, DType type, double sigma,
            std::uint64_t seed) const;
  /// Two numbers for each of kMostSms at `target`: cycles, nanoseconds.
  void read_clocks(DevicePointer target, Stream stream) const;
  static constexpr int kMostSms = 512;
  static constexpr Index kClockBytes = Index{kMostSms} * 2 * 8;

 private:
  Backend& backend_;
  int sm_count_;
  Kernel fill_, clocks_;
};

}  // namespace jute::bench
