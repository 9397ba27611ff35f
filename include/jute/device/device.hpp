#pragma once
// The CUDA back end: the driver API, loaded with dlopen on first use.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>

#include <memory>
#include <optional>
#include <string>

namespace JUTE_API jute {

struct DeviceOptions {
  int ordinal = 0;
  /// A CUcontext of the caller to adopt; 0 retains the device's primary context.
  std::uint64_t adopt_context = 0;
};

/// The back end of one device. Kernels, events and memory hold the context; a failed kernel makes
/// every later call of the same context fail with its status. Safe to use from several threads.
/// The calling thread's current context is left as it was.
///   throws  no_gpu: no driver library, no device, or the ordinal does not exist; driver_failed
[[nodiscard]] std::unique_ptr<Backend> open_device(const DeviceOptions& options = {});

/// The driver's version ("13.0") and the devices' names; nothing when there is no driver or device.
struct DriverInfo {
  std::string driver_version = {};
  std::vector<DeviceInfo> devices = {};
};
[[nodiscard]] std::optional<DriverInfo> find_driver();

}  // namespace jute
