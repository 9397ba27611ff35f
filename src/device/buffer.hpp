#pragma once
// Device memory that frees itself.
#include <jute/launch/signature.hpp>

#include <memory>
#include <utility>

#include "device/context.hpp"

namespace jute::device {

class DeviceBuffer {
 public:
  /// throws  out_of_memory, out_of_range (a negative size)
  DeviceBuffer(std::shared_ptr<const DriverContext> context, Index bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : context_(std::move(other.context_)), address_(std::exchange(other.address_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    return *this;
  }

  [[nodiscard]] DevicePointer address() const { return address_; }

 private:
  std::shared_ptr<const DriverContext> context_;
  DriverAddress address_ = 0;
};

}  // namespace jute::device
