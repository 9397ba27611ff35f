// Contexts: retained, adopted, made current.
#include "device/context.hpp"

#include <jute/base/error.hpp>

namespace jute::device {

DriverContext::DriverContext(std::shared_ptr<const Driver> driver, ContextHandle handle,
                             Ownership ownership)
    : driver_(std::move(driver)), handle_(handle), ownership_(ownership) {}

std::shared_ptr<const DriverContext> DriverContext::retain_primary(
    std::shared_ptr<const Driver> driver, int ordinal) {
  const DeviceOrdinal device = find_device(*driver, ordinal);
  DeviceInfo info = read_device_info(*driver, device);
  ContextHandle handle = nullptr;
  driver->require("cuDevicePrimaryCtxRetain", driver->primary_retain(&handle, device));
  std::shared_ptr<DriverContext> context(
      new DriverContext(std::move(driver), handle, Ownership::primary));
  context->device_ = device;
  context->info_ = std::move(info);
  return context;
}

std::shared_ptr<const DriverContext> DriverContext::adopt(std::shared_ptr<const Driver> driver,
                                                          ContextHandle handle) {
  std::shared_ptr<DriverContext> context(
      new DriverContext(std::move(driver), handle, Ownership::adopted));
  const CurrentContext current(*context);
  const Driver& table = context->driver();
  table.require("cuCtxGetDevice", table.context_device(&context->device_));
  context->info_ = read_device_info(table, context->device_);
  return context;
}

DriverContext::~DriverContext() {
  // A failure here has nobody to go to: the process may be ending and the driver gone already.
  if (ownership_ == Ownership::primary) (void)driver_->primary_release(device_);
}

CurrentContext::CurrentContext(const DriverContext& context) {
  const Driver& driver = context.driver();
  ContextHandle current = nullptr;
  driver.require("cuCtxGetCurrent", driver.context_current(&current));
  if (current == context.handle()) return;
  driver.require("cuCtxPushCurrent", driver.context_push(context.handle()));
  pushed_on_ = &driver;
}

CurrentContext::~CurrentContext() {
  ContextHandle popped = nullptr;
  if (pushed_on_ != nullptr) (void)pushed_on_->context_pop(&popped);
}

}  // namespace jute::device
