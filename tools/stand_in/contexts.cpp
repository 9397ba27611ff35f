// Contexts: the primary one and a program's own, and which of them a thread works in.
#include "call.hpp"

#include <algorithm>
#include <map>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

// CUlimit: what programs set and read back. Nothing here depends on it.
constexpr int kLimits = 9;
std::map<int, size_t>& limits() {
  static auto* const values = new std::map<int, size_t>{
      {0, 1024}, {1, size_t{1} << 20}, {2, size_t{8} << 20}, {3, 2}, {4, 2048}, {5, 128}};
  return *values;
}

Status create(ContextHandle* context, unsigned flags, DeviceOrdinal device) {
  return after_init("cuCtxCreate", [&](Process& process) -> Status {
    if (context == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    *context = process.make_context(flags);
    context_stack().push_back(*context);
    return kSuccess;
  });
}

}  // namespace

JUTE_DRIVER_CALL cuDevicePrimaryCtxRetain(ContextHandle* context, DeviceOrdinal device) {
  return after_init("cuDevicePrimaryCtxRetain", [&](Process& process) -> Status {
    if (context == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    const std::lock_guard lock(process.mutex());
    ++process.primary_references;
    *context = process.primary();
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDevicePrimaryCtxRelease_v2(DeviceOrdinal device) {
  return after_init("cuDevicePrimaryCtxRelease", [&](Process& process) -> Status {
    if (device != 0) return kInvalidDevice;
    {
      const std::lock_guard lock(process.mutex());
      if (process.primary_references == 0) return kInvalidContext;
      if (--process.primary_references > 0) return kSuccess;
    }
    process.end_context(*process.primary());
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDevicePrimaryCtxReset_v2(DeviceOrdinal device) {
  return after_init("cuDevicePrimaryCtxReset", [&](Process& process) -> Status {
    if (device != 0) return kInvalidDevice;
    process.end_context(*process.primary());
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDevicePrimaryCtxSetFlags_v2(DeviceOrdinal device, unsigned flags) {
  return after_init("cuDevicePrimaryCtxSetFlags", [&](Process& process) -> Status {
    if (device != 0) return kInvalidDevice;
    process.primary()->flags = flags;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuDevicePrimaryCtxGetState(DeviceOrdinal device, unsigned* flags, int* active) {
  return after_init("cuDevicePrimaryCtxGetState", [&](Process& process) -> Status {
    if (device != 0) return kInvalidDevice;
    if (flags == nullptr || active == nullptr) return kInvalidValue;
    const std::lock_guard lock(process.mutex());
    *flags = process.primary()->flags;
    *active = process.primary_references > 0 ? 1 : 0;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxCreate_v2(ContextHandle* context, unsigned flags, DeviceOrdinal device) {
  return create(context, flags, device);
}
JUTE_DRIVER_CALL cuCtxCreate_v3(ContextHandle* context, void* /*affinity*/, int /*count*/,
                                unsigned flags, DeviceOrdinal device) {
  return create(context, flags, device);
}
JUTE_DRIVER_CALL cuCtxCreate_v4(ContextHandle* context, void* /*parameters*/, unsigned flags,
                                DeviceOrdinal device) {
  return create(context, flags, device);
}

JUTE_DRIVER_CALL cuCtxDestroy_v2(ContextHandle context) {
  return after_init("cuCtxDestroy", [&](Process& process) -> Status {
    if (!process.is_context(context) || context->is_primary) return kInvalidContext;
    auto& stack = context_stack();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    process.end_context(*context);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetCurrent(ContextHandle* context) {
  return after_init("cuCtxGetCurrent", [&](Process& /*process*/) -> Status {
    if (context == nullptr) return kInvalidValue;
    *context = context_stack().empty() ? nullptr : context_stack().back();
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxSetCurrent(ContextHandle context) {
  return after_init("cuCtxSetCurrent", [&](Process& process) -> Status {
    if (context != nullptr && !process.is_context(context)) return kInvalidContext;
    auto& stack = context_stack();
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) stack.push_back(context);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxPushCurrent_v2(ContextHandle context) {
  return after_init("cuCtxPushCurrent", [&](Process& process) -> Status {
    if (!process.is_context(context)) return kInvalidContext;
    context_stack().push_back(context);
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxPopCurrent_v2(ContextHandle* context) {
  return after_init("cuCtxPopCurrent", [&](Process& /*process*/) -> Status {
    auto& stack = context_stack();
    if (stack.empty()) return kInvalidContext;
    if (context != nullptr) *context = stack.back();
    stack.pop_back();
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetDevice(DeviceOrdinal* device) {
  return in_context("cuCtxGetDevice", [&](Process& /*process*/, ContextState&) -> Status {
    if (device == nullptr) return kInvalidValue;
    *device = 0;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetFlags(unsigned* flags) {
  return in_context("cuCtxGetFlags", [&](Process& /*process*/, ContextState& context) -> Status {
    if (flags == nullptr) return kInvalidValue;
    *flags = context.flags;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetId(ContextHandle handle, unsigned long long* number) {
  return after_init("cuCtxGetId", [&](Process& process) -> Status {
    const auto& stack = context_stack();
    if (handle == nullptr && !stack.empty()) handle = stack.back();
    if (handle == nullptr || !process.is_context(handle)) return kInvalidContext;
    if (number == nullptr) return kInvalidValue;
    *number = handle->number;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetApiVersion(ContextHandle /*context*/, unsigned* version) {
  return after_init("cuCtxGetApiVersion", [&](Process& /*process*/) -> Status {
    if (version == nullptr) return kInvalidValue;
    *version = 3020;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxSynchronize() {
  return in_context("cuCtxSynchronize",
                    [](Process& /*process*/, ContextState&) -> Status { return kSuccess; });
}

JUTE_DRIVER_CALL cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange", [&](Process&, ContextState&) -> Status {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxSetLimit(int limit, size_t value) {
  return in_context("cuCtxSetLimit", [&](Process& process, ContextState&) -> Status {
    if (limit < 0 || limit >= kLimits) return kInvalidValue;
    const std::lock_guard lock(process.mutex());
    limits()[limit] = value;
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuCtxGetLimit(size_t* value, int limit) {
  return in_context("cuCtxGetLimit", [&](Process& process, ContextState&) -> Status {
    if (value == nullptr || limit < 0 || limit >= kLimits) return kInvalidValue;
    const std::lock_guard lock(process.mutex());
    *value = limits()[limit];
    return kSuccess;
  });
}

// Caches are not emulated: what is preferred of them is taken and forgotten.
JUTE_DRIVER_CALL cuCtxSetCacheConfig(int /*config*/) {
  return in_context("cuCtxSetCacheConfig",
                    [](Process& /*process*/, ContextState&) -> Status { return kSuccess; });
}
JUTE_DRIVER_CALL cuCtxGetCacheConfig(int* config) {
  return in_context("cuCtxGetCacheConfig", [&](Process&, ContextState&) -> Status {
    if (config == nullptr) return kInvalidValue;
    *config = 0;
    return kSuccess;
  });
}
