// Opens the CUDA driver, fills its table, and turns its statuses into Errors.
#include "driver/driver.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

namespace jute::driver {
namespace {

/// Errors of a kernel that ran; they stick to the context and surface at any later call.
bool is_launch_failure(Status status) {
  return status == kIllegalAddress || status == kLaunchTimeout || status == kAssert ||
         (status >= kHardwareStackError && status <= kLaunchFailed);
}

ErrorCode code_of(Status status) {
  if (status == kOutOfMemory) return ErrorCode::out_of_memory;
  return is_launch_failure(status) ? ErrorCode::launch_failed : ErrorCode::driver_failed;
}

std::string text_or_number(Status (*describe)(Status, const char**), Status status) {
  const char* text = nullptr;
  if (describe(status, &text) != kSuccess || text == nullptr)
    return "CUDA status " + std::to_string(status);
  return text;
}

[[noreturn]] void throw_no_driver(std::string rule) {
  throw Exception({.code = ErrorCode::no_gpu,
                   .operand = "driver",
                   .value = "libcuda.so.1",
                   .violated_rules = {std::move(rule)},
                   .detail = "The library comes with NVIDIA's driver; kernels also run without a "
                             "GPU, on the emulator.\n"});
}

}  // namespace

void throw_status(const Driver& driver, const char* call, Status status,
                  const std::string& detail) {
  std::string text = text_or_number(driver.error_text, status);
  if (!detail.empty()) text += "\n" + detail;
  throw Exception({.code = code_of(status),
                   .operand = call,
                   .value = text_or_number(driver.error_name, status),
                   .violated_rules = {is_launch_failure(status) ? "the kernel must run to its end"
                                                                : "the call must succeed"},
                   .detail = std::move(text)});
}

void Driver::require(const char* call, Status status) const {
  if (status != kSuccess) throw_status(*this, call, status);
}

std::shared_ptr<const Driver> load_driver(const base::LibraryLoader& loader, DriverNeeds needs) {
  void* library = loader.open("libcuda.so.1");
  if (library == nullptr) throw_no_driver("the library must open: " + loader.error());
  auto driver = std::make_shared<Driver>(base::Functions(library, loader), needs);
  if (!driver->missing().empty())
    throw_no_driver("the driver is of CUDA 12 or later; it lacks " + joined(driver->missing()));
  return driver;
}

}  // namespace jute::driver
