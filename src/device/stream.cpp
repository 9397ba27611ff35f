// Creates, records and destroys streams and events.
#include "device/stream.hpp"

#include <jute/base/error.hpp>

namespace jute::device {

OwnedStream::OwnedStream(std::shared_ptr<const DriverContext> context)
    : context_(std::move(context)) {
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuStreamCreate", driver.stream_create(&handle_, kStreamDefault));
}

OwnedStream::~OwnedStream() {
  if (handle_ == nullptr) return;
  try {
    const CurrentContext current(*context_);
    (void)context_->driver().stream_destroy(handle_);
  } catch (const Exception&) {
    // The context is gone, and the stream with it.
  }
}

DeviceEvent::DeviceEvent(std::shared_ptr<const DriverContext> context, Stream stream)
    : context_(std::move(context)) {
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuEventCreate", driver.event_create(&handle_, kEventDefault));
  const Status status = driver.event_record(handle_, handle_of(stream));
  if (status == kSuccess) return;
  (void)driver.event_destroy(handle_);
  throw_status(driver, "cuEventRecord", status);
}

DeviceEvent::~DeviceEvent() {
  try {
    const CurrentContext current(*context_);
    (void)context_->driver().event_destroy(handle_);
  } catch (const Exception&) {
    // The context is gone, and the event with it.
  }
}

double DeviceEvent::milliseconds(const DeviceEvent& from, const DeviceEvent& to) {
  const CurrentContext current(*to.context_);
  const Driver& driver = to.context_->driver();
  driver.require("cuEventSynchronize", driver.event_synchronize(to.handle_));
  float milliseconds = 0;
  driver.require("cuEventElapsedTime",
                 driver.event_elapsed(&milliseconds, from.handle_, to.handle_));
  return static_cast<double>(milliseconds);
}

}  // namespace jute::device
