// Memory: the chip's, and what of the host's goes to and fro.
#include "call.hpp"

#include <cstdlib>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

constexpr size_t kPitch = 512;
constexpr size_t kPage = 4096;

Status allocate(const char* call, DriverAddress* address, size_t bytes) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (address == nullptr || bytes == 0) return kInvalidValue;
    if (bytes > static_cast<size_t>(process.device().memory_bytes) - process.taken_bytes())
      return kOutOfMemory;
    *address = process.alloc(bytes, context);
    return kSuccess;
  });
}

Status release(const char* call, DriverAddress address) {
  return in_context(call, [&](Process& process, ContextState&) -> Status {
    return address == 0 || process.free(address) ? kSuccess : kInvalidValue;
  });
}

Status allocate_host(const char* call, void** memory, size_t bytes) {
  return in_context(call, [&](Process& process, ContextState&) -> Status {
    if (memory == nullptr || bytes == 0) return kInvalidValue;
    *memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (*memory == nullptr) return kOutOfMemory;
    const std::lock_guard lock(process.mutex());
    process.host_memory.insert(*memory);
    return kSuccess;
  });
}

}  // namespace

JUTE_DRIVER_CALL cuMemAlloc_v2(DriverAddress* address, size_t bytes) {
  return allocate("cuMemAlloc", address, bytes);
}
// Launches end before they return, so that memory is free as soon as it is given back.
JUTE_DRIVER_CALL cuMemAllocAsync(DriverAddress* address, size_t bytes, StreamHandle /*stream*/) {
  return allocate("cuMemAllocAsync", address, bytes);
}
JUTE_DRIVER_CALL cuMemAllocPitch_v2(DriverAddress* address, size_t* pitch, size_t row_bytes,
                                    size_t rows, unsigned /*element_bytes*/) {
  if (pitch == nullptr) return kInvalidValue;
  *pitch = (row_bytes + kPitch - 1) / kPitch * kPitch;
  return allocate("cuMemAllocPitch", address, *pitch * rows);
}
JUTE_DRIVER_CALL cuMemFree_v2(DriverAddress address) { return release("cuMemFree", address); }
JUTE_DRIVER_CALL cuMemFreeAsync(DriverAddress address, StreamHandle stream) {
  return in_context("cuMemFreeAsync", [&](Process& process, ContextState& context) -> Status {
    if (address != 0 && !process.memory_at(address)) return kInvalidValue;
    return submit(process, context, stream, [&process, address](Stream) -> Status {
      return address == 0 || process.free(address) ? kSuccess : kInvalidValue;
    });
  });
}

JUTE_DRIVER_CALL cuMemGetInfo_v2(size_t* free_bytes, size_t* all_bytes) {
  return in_context("cuMemGetInfo", [&](Process& process, ContextState&) -> Status {
    const auto all = static_cast<size_t>(process.device().memory_bytes);
    if (free_bytes != nullptr) *free_bytes = all - process.taken_bytes();
    if (all_bytes != nullptr) *all_bytes = all;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuMemGetAddressRange_v2(DriverAddress* begin, size_t* bytes,
                                         DriverAddress address) {
  return in_context("cuMemGetAddressRange", [&](Process& process, ContextState&) -> Status {
    const auto memory = process.memory_at(address);
    if (!memory) return kNotFound;
    if (begin != nullptr) *begin = memory->begin;
    if (bytes != nullptr) *bytes = memory->bytes;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuMemAllocHost_v2(void** memory, size_t bytes) {
  return allocate_host("cuMemAllocHost", memory, bytes);
}
JUTE_DRIVER_CALL cuMemHostAlloc(void** memory, size_t bytes, unsigned /*flags*/) {
  return allocate_host("cuMemHostAlloc", memory, bytes);
}
JUTE_DRIVER_CALL cuMemFreeHost(void* memory) {
  return in_context("cuMemFreeHost", [&](Process& process, ContextState&) -> Status {
    const std::lock_guard lock(process.mutex());
    if (process.host_memory.erase(memory) == 0) return kInvalidValue;
    std::free(memory);
    return kSuccess;
  });
}
// Copies read any memory of the host: nothing has to be pinned for them.
JUTE_DRIVER_CALL cuMemHostRegister_v2(void* memory, size_t /*bytes*/, unsigned /*flags*/) {
  return in_context("cuMemHostRegister", [&](Process& /*process*/, ContextState&) -> Status {
    return memory == nullptr ? kInvalidValue : kSuccess;
  });
}
JUTE_DRIVER_CALL cuMemHostUnregister(void* memory) {
  return in_context("cuMemHostUnregister", [&](Process& /*process*/, ContextState&) -> Status {
    return memory == nullptr ? kInvalidValue : kSuccess;
  });
}

namespace {

// CUpointer_attribute.
enum PointerAttribute : int {
  kPointerContext = 1,
  kPointerMemoryType = 2,
  kPointerDevice = 3,
  kPointerIsManaged = 8,
  kPointerOrdinal = 9,
  kPointerRangeStart = 11,
  kPointerRangeBytes = 12,
};

Status pointer_attribute(const Process& process, void* value, int attribute,
                         DriverAddress address) {
  const auto memory = process.memory_at(address);
  if (value == nullptr || !memory) return kInvalidValue;
  switch (attribute) {
    case kPointerContext:
      *static_cast<const ContextState**>(value) = memory->context;
      return kSuccess;
    case kPointerMemoryType:
      *static_cast<unsigned*>(value) = 2;  // CU_MEMORYTYPE_DEVICE
      return kSuccess;
    case kPointerDevice:
      *static_cast<DriverAddress*>(value) = address;
      return kSuccess;
    case kPointerIsManaged:
    case kPointerOrdinal:
      *static_cast<int*>(value) = 0;
      return kSuccess;
    case kPointerRangeStart:
      *static_cast<DriverAddress*>(value) = memory->begin;
      return kSuccess;
    case kPointerRangeBytes:
      *static_cast<size_t*>(value) = memory->bytes;
      return kSuccess;
    default:
      return kNotSupported;
  }
}

}  // namespace

JUTE_DRIVER_CALL cuPointerGetAttribute(void* value, int attribute, DriverAddress address) {
  return in_context("cuPointerGetAttribute", [&](Process& process, ContextState&) -> Status {
    return pointer_attribute(process, value, attribute, address);
  });
}
JUTE_DRIVER_CALL cuPointerGetAttributes(unsigned count, const int* attributes, void** values,
                                        DriverAddress address) {
  return in_context("cuPointerGetAttributes", [&](Process& process, ContextState&) -> Status {
    if (attributes == nullptr || values == nullptr) return kInvalidValue;
    for (unsigned i = 0; i < count; ++i)
      if (const Status status = pointer_attribute(process, values[i], attributes[i], address);
          status != kSuccess)
        return status;
    return kSuccess;
  });
}
