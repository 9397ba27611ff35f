#pragma once
// One launch as a value, and the rules that every device has for it.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/launch/signature.hpp>

#include <optional>

namespace JUTE_API jute {

struct Dim3 {
  std::int64_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3&) const = default;
};

/// When a launch may begin.
enum class LaunchOrder : std::uint8_t {
  after_previous,    ///< once everything before it in the stream is done
  overlap_previous,  ///< once every block of the kernel before it has begun to end; the kernel
                     ///< itself waits before it reads what that one wrote (griddepcontrol.wait)
};

/// Which blocks of a launch are on the device together.
enum class Residency : std::uint8_t {
  any,         ///< blocks begin as others end
  whole_grid,  ///< all of them, so that they may wait for each other (a cooperative launch)
};

/// Counts of blocks, threads and blocks per cluster, in that order, and the packed parameters.
struct LaunchSpec {
  Dim3 grid = {};
  Dim3 block = {};
  Dim3 cluster = {};  ///< {1,1,1}: no cluster
  Index dynamic_smem_bytes = 0;
  ArgumentBlock arguments = {};
  LaunchOrder order = LaunchOrder::after_previous;
  Residency residency = Residency::any;
};

/// The resources that one kernel takes away from the device's limits.
struct KernelLimits {
  int max_threads_per_block = 1024;  ///< its launch bounds
  int static_smem_bytes = 0;
  bool operator==(const KernelLimits&) const = default;
};

/// Every rule that the launch breaks, as one illegal_config; the arguments are not looked at.
///   source  CUDA C++ Programming Guide, compute capabilities, thread block clusters
[[nodiscard]] std::optional<Error> check(const LaunchSpec& spec, const DeviceInfo& device,
                                         const KernelLimits& kernel = {});

}  // namespace jute
