// Allocates and frees device memory.
#include "device/buffer.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>

namespace jute::device {

DeviceBuffer::DeviceBuffer(std::shared_ptr<const DriverContext> context, Index bytes)
    : context_(std::move(context)) {
  if (bytes < 0)
    jute::refuse(ErrorCode::out_of_range, "bytes", std::to_string(bytes),
                 "a size must not be negative", "0");
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  // The driver refuses 0 bytes; a buffer of none still has an address of its own.
  const auto size = static_cast<size_t>(std::max<Index>(bytes, 1));
  const Status status = driver.memory_alloc(&address_, size);
  if (status != kSuccess)
    throw_status(driver, "cuMemAlloc", status, std::to_string(bytes) + " bytes were asked for");
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ == 0) return;
  try {
    const CurrentContext current(*context_);
    (void)context_->driver().memory_free(address_);
  } catch (const Exception&) {
    // The context is gone, and its memory with it.
  }
}

}  // namespace jute::device
