// The CUDA back end: each call in its context, each status checked.
#include "device/device_backend.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include "base/format.hpp"
#include "device/module.hpp"
#include "device/tensor_map.hpp"

namespace jute::device {
namespace {

/// The CUDA object behind a shared value.
template <class Own, class Shared>
const Own& own(const Shared& value, const char* what) {
  const auto* object = dynamic_cast<const Own*>(value.get());
  if (object == nullptr)
    jute::refuse(ErrorCode::wrong_type, what, "", "it must be made by the CUDA back end");
  return *object;
}

}  // namespace

DevicePointer DeviceBackend::alloc(Index bytes) {
  DeviceBuffer buffer(context_, bytes);
  const DevicePointer address = buffer.address();
  const std::scoped_lock lock(mutex_);
  buffers_.insert_or_assign(address, std::move(buffer));
  return address;
}

void DeviceBackend::free(DevicePointer pointer) noexcept {
  const std::scoped_lock lock(mutex_);
  buffers_.erase(pointer);
}

Index DeviceBackend::free_bytes() const {
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  size_t free = 0, all = 0;
  driver.require("cuMemGetInfo", driver.memory_info(&free, &all));
  return static_cast<Index>(free);
}

void DeviceBackend::copy_in(DevicePointer target, std::span<const std::byte> source,
                            Stream stream) {
  if (source.empty()) return;
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  // Pageable memory is staged before the call returns, so the caller may reuse it at once.
  driver.require("cuMemcpyHtoDAsync",
                 driver.copy_in(target, source.data(), source.size(), handle_of(stream)));
}

void DeviceBackend::copy_out(std::span<std::byte> target, DevicePointer source, Stream stream) {
  if (target.empty()) return;
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuMemcpyDtoHAsync",
                 driver.copy_out(target.data(), source, target.size(), handle_of(stream)));
  driver.require("cuStreamSynchronize", driver.stream_synchronize(handle_of(stream)));
}

void DeviceBackend::fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream) {
  if (bytes <= 0) return;
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuMemsetD8Async",
                 driver.fill(target, value, static_cast<size_t>(bytes), handle_of(stream)));
}

Kernel DeviceBackend::load(const Binary& binary) {
  return std::make_shared<const DeviceKernel>(context_, binary);
}

void DeviceBackend::launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream) {
  own<DeviceKernel>(kernel, "kernel").launch(spec, stream);
}

void DeviceBackend::synchronize() {
  const CurrentContext current(*context_);
  const Driver& driver = context_->driver();
  driver.require("cuCtxSynchronize", driver.context_synchronize());
}

Stream DeviceBackend::create_stream() {
  OwnedStream stream(context_);
  const Stream value = stream.value();
  const std::scoped_lock lock(mutex_);
  streams_.insert_or_assign(value.handle, std::move(stream));
  return value;
}

void DeviceBackend::destroy_stream(Stream stream) noexcept {
  const std::scoped_lock lock(mutex_);
  streams_.erase(stream.handle);
}

Event DeviceBackend::record(Stream stream) {
  return std::make_shared<const DeviceEvent>(context_, stream);
}

double DeviceBackend::elapsed_ms(const Event& from, const Event& to) {
  return DeviceEvent::milliseconds(own<DeviceEvent>(from, "event"), own<DeviceEvent>(to, "event"));
}

EncodedTensorMap DeviceBackend::encode(const TensorMapSpec& spec, DevicePointer base) {
  return encode_tensor_map(*context_, spec, base);
}

std::unique_ptr<Backend> open_device(std::shared_ptr<const Driver> driver,
                                     const DeviceOptions& options) {
  const Status status = driver->init(0);
  if (status == kNoDevice)
    jute::refuse(ErrorCode::no_gpu, "device", std::to_string(options.ordinal),
                 "the driver must have a device to use");
  driver->require("cuInit", status);
  if (options.adopt_context == 0)
    return std::make_unique<DeviceBackend>(
        DriverContext::retain_primary(std::move(driver), options.ordinal));
  const auto handle =
      reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(options.adopt_context));
  return std::make_unique<DeviceBackend>(DriverContext::adopt(std::move(driver), handle));
}

std::optional<DriverInfo> find_driver(const Driver& driver) {
  int version = 0;
  int count = 0;
  if (driver.init(0) != kSuccess || driver.driver_version(&version) != kSuccess ||
      driver.device_count(&count) != kSuccess || count == 0)
    return std::nullopt;
  DriverInfo info{.driver_version = base::format("{}.{}", version / 1000, version % 1000 / 10)};
  for (int ordinal = 0; ordinal < count; ++ordinal)
    info.devices.push_back(read_device_info(driver, find_device(driver, ordinal)));
  return info;
}

}  // namespace jute::device

namespace jute {

std::unique_ptr<Backend> open_device(const DeviceOptions& options) {
  return device::open_device(device::load_driver(base::system_loader()), options);
}

std::optional<DriverInfo> find_driver() {
  try {
    return device::find_driver(*device::load_driver(base::system_loader()));
  } catch (const Exception& exception) {
    if (exception.error().code == ErrorCode::no_gpu) return std::nullopt;
    throw;
  }
}

}  // namespace jute
