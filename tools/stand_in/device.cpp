// Calls before any context: the driver, its devices, the names of its statuses.
#include "attributes.hpp"
#include "call.hpp"

#include <cstring>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

constexpr int kDriverVersion = 12080;  // whose functions it has, as far as it has them

/// With the only device.
template <class Body>
Status of_device(const char* call, DeviceOrdinal device, const Body& body) {
  return after_init(call, [&](Process& process) -> Status {
    return device == 0 ? body(process) : Status{kInvalidDevice};
  });
}

Status text_of(Status status, const char** text, const char* StatusRow::*which) {
  if (text == nullptr) return kInvalidValue;
  const StatusRow* const row = find_status(status);
  *text = row == nullptr ? nullptr : row->*which;
  return row == nullptr ? kInvalidValue : kSuccess;
}

}  // namespace

JUTE_DRIVER_CALL cuInit(unsigned /*flags*/) {
  return guarded("cuInit", [] {
    Process::instance().open();
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDriverGetVersion(int* version) {
  if (version == nullptr) return kInvalidValue;
  *version = kDriverVersion;
  return kSuccess;
}

JUTE_DRIVER_CALL cuGetErrorName(Status status, const char** name) {
  return text_of(status, name, &StatusRow::name);
}
JUTE_DRIVER_CALL cuGetErrorString(Status status, const char** text) {
  return text_of(status, text, &StatusRow::text);
}

JUTE_DRIVER_CALL cuDeviceGetCount(int* count) {
  return after_init("cuDeviceGetCount", [&](Process& /*process*/) -> Status {
    if (count == nullptr) return kInvalidValue;
    *count = 1;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceGet(DeviceOrdinal* device, int ordinal) {
  return of_device("cuDeviceGet", ordinal, [&](Process& /*process*/) -> Status {
    if (device == nullptr) return kInvalidValue;
    *device = 0;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceGetName(char* name, int capacity, DeviceOrdinal device) {
  return of_device("cuDeviceGetName", device, [&](Process& process) -> Status {
    if (name == nullptr || capacity < 1) return kInvalidValue;
    const std::string text = process.device().name + " (jute's emulator)";
    std::strncpy(name, text.c_str(), static_cast<size_t>(capacity));
    name[capacity - 1] = '\0';
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceTotalMem_v2(size_t* bytes, DeviceOrdinal device) {
  return of_device("cuDeviceTotalMem", device, [&](Process& process) -> Status {
    if (bytes == nullptr) return kInvalidValue;
    *bytes = static_cast<size_t>(process.device().memory_bytes);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceGetAttribute(int* value, int attribute, DeviceOrdinal device) {
  return of_device("cuDeviceGetAttribute", device, [&](Process& process) -> Status {
    const auto known = attribute_of(process.device(), attribute);
    if (value == nullptr || !known) return kInvalidValue;
    *value = *known;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceComputeCapability(int* major, int* minor, DeviceOrdinal device) {
  return of_device("cuDeviceComputeCapability", device, [&](Process& process) -> Status {
    if (major == nullptr || minor == nullptr) return kInvalidValue;
    *major = process.device().arch.number / 10;
    *minor = process.device().arch.number % 10;
    return kSuccess;
  });
}

namespace {

/// The same in every process: the chip is no piece of hardware that another could be.
Status fill_uuid(const char* call, unsigned char* uuid, DeviceOrdinal device) {
  return of_device(call, device, [&](Process& /*process*/) -> Status {
    if (uuid == nullptr) return kInvalidValue;
    std::memcpy(uuid, "jute's emulator", 16);
    return kSuccess;
  });
}

}  // namespace

JUTE_DRIVER_CALL cuDeviceGetUuid(unsigned char* uuid, DeviceOrdinal device) {
  return fill_uuid("cuDeviceGetUuid", uuid, device);
}
JUTE_DRIVER_CALL cuDeviceGetUuid_v2(unsigned char* uuid, DeviceOrdinal device) {
  return fill_uuid("cuDeviceGetUuid", uuid, device);
}

JUTE_DRIVER_CALL cuDeviceGetPCIBusId(char* text, int capacity, DeviceOrdinal device) {
  return of_device("cuDeviceGetPCIBusId", device, [&](Process& /*process*/) -> Status {
    constexpr const char* kNowhere = "0000:00:00.0";
    if (text == nullptr || capacity <= static_cast<int>(std::strlen(kNowhere)))
      return kInvalidValue;
    std::strcpy(text, kNowhere);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDeviceCanAccessPeer(int* can, DeviceOrdinal /*device*/, DeviceOrdinal /*peer*/) {
  return after_init("cuDeviceCanAccessPeer", [&](Process& /*process*/) -> Status {
    if (can == nullptr) return kInvalidValue;
    *can = 0;
    return kSuccess;
  });
}
