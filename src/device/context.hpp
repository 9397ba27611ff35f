#pragma once
// A CUDA context: the device's primary one, or the caller's.
#include <cstdint>
#include <jute/launch/device_info.hpp>

#include <memory>

#include "driver/driver.hpp"

namespace jute::device {

using namespace driver;

/// Holds a context for as long as anything made in it lives.
class DriverContext {
 public:
  /// Retains the primary context of a device.
  ///   throws  no_gpu: there is no such device
  [[nodiscard]] static std::shared_ptr<const DriverContext> retain_primary(
      std::shared_ptr<const Driver> driver, int ordinal);
  /// Uses a context that the caller keeps alive.
  [[nodiscard]] static std::shared_ptr<const DriverContext> adopt(
      std::shared_ptr<const Driver> driver, ContextHandle handle);
  ~DriverContext();
  DriverContext(const DriverContext&) = delete;
  DriverContext& operator=(const DriverContext&) = delete;

  [[nodiscard]] const Driver& driver() const { return *driver_; }
  [[nodiscard]] ContextHandle handle() const { return handle_; }
  [[nodiscard]] const DeviceInfo& device_info() const { return info_; }

 private:
  enum class Ownership : std::uint8_t { primary, adopted };
  DriverContext(std::shared_ptr<const Driver> driver, ContextHandle handle, Ownership ownership);

  std::shared_ptr<const Driver> driver_;
  ContextHandle handle_ = nullptr;
  Ownership ownership_;
  DeviceOrdinal device_ = 0;
  DeviceInfo info_;
};

/// Makes a context current in this thread for a scope, and leaves the thread as it was.
class CurrentContext {
 public:
  /// throws  driver_failed
  explicit CurrentContext(const DriverContext& context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const Driver* pushed_on_ = nullptr;  // null when it was current before
};

/// A device as the driver describes it.
[[nodiscard]] DeviceInfo read_device_info(const Driver& driver, DeviceOrdinal device);

/// The device with this number.
///   throws  no_gpu
[[nodiscard]] DeviceOrdinal find_device(const Driver& driver, int ordinal);

}  // namespace jute::device
