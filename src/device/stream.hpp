#pragma once
// A stream of our own, and events in streams.
#include <cstdint>
#include <jute/launch/backend.hpp>

#include <memory>
#include <utility>

#include "device/context.hpp"

namespace jute::device {

/// The driver's handle behind a Stream value, whoever made it.
[[nodiscard]] inline StreamHandle handle_of(Stream stream) {
  return reinterpret_cast<StreamHandle>(static_cast<std::uintptr_t>(stream.handle));
}

/// Created here and destroyed with this object; the driver finishes its work first. It waits for
/// the null stream and the null stream for it, so that copies without a stream are ordered with
/// launches.
class OwnedStream {
 public:
  /// throws  driver_failed
  explicit OwnedStream(std::shared_ptr<const DriverContext> context);
  ~OwnedStream();
  OwnedStream(OwnedStream&& other) noexcept
      : context_(std::move(other.context_)), handle_(std::exchange(other.handle_, nullptr)) {}
  OwnedStream& operator=(OwnedStream&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }

  [[nodiscard]] Stream value() const {
    return {static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle_))};
  }

 private:
  std::shared_ptr<const DriverContext> context_;
  StreamHandle handle_ = nullptr;
};

/// A recorded event.
class DeviceEvent final : public EventMark {
 public:
  /// throws  driver_failed
  DeviceEvent(std::shared_ptr<const DriverContext> context, Stream stream);
  ~DeviceEvent() override;
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;

  /// Waits for `to`.
  ///   throws  driver_failed, launch_failed
  [[nodiscard]] static double milliseconds(const DeviceEvent& from, const DeviceEvent& to);

 private:
  std::shared_ptr<const DriverContext> context_;
  EventHandle handle_ = nullptr;
};

}  // namespace jute::device
