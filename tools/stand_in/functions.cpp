// Answers about kernels: attributes, parameters, how many blocks fit.
#include "call.hpp"

#include <jute/emulator/profile.hpp>

#include <algorithm>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

// CUfunction_attribute, those that the device layer has no use for.
enum MoreFunctionAttributes : int {
  kConstantBytes = 2,
  kPtxVersion = 5,
  kBinaryVersion = 6,
  kCarveout = 9,
  kLargeClusters = 14,
  kClusterPolicy = 15,
  kFunctionAttributes = 16,
};

template <class Body>
Status of_function(const char* call, FunctionHandle handle, const Body& body) {
  return in_context(call, [&](Process& process, ContextState&) -> Status {
    const auto function = process.functions.find(handle);
    return function == nullptr ? Status{kInvalidHandle} : body(process, *function);
  });
}

/// Threads of the kernel's launch bounds.
int most_threads(const PtxKernel& kernel) {
  const auto& most = kernel.max_threads;
  return most[0] == 0 ? 1024 : most[0] * std::max(most[1], 1) * std::max(most[2], 1);
}

/// Registers, stack and constants are the assembler's to know: 0.
int value_of(const FunctionState& function, int attribute) {
  switch (attribute) {
    case kMaxThreadsPerBlock:
      return most_threads(function.declared);
    case kStaticSmemBytes:
      return static_cast<int>(function.declared.static_smem_bytes);
    case kMaxDynamicSmemBytes:
      return function.most_dynamic_smem;
    case kPtxVersion:
    case kBinaryVersion:
      return function.declared.target.number;
    case kLargeClusters:
      return function.allows_large_clusters ? 1 : 0;
    default:
      return 0;
  }
}

Status get_attribute(const char* call, int* value, int attribute, FunctionHandle handle) {
  return of_function(call, handle, [&](Process&, FunctionState& function) -> Status {
    if (value == nullptr || attribute < 0 || attribute >= kFunctionAttributes) return kInvalidValue;
    *value = value_of(function, attribute);
    return kSuccess;
  });
}

Status set_attribute(const char* call, FunctionHandle handle, int attribute, int value) {
  return of_function(call, handle, [&](Process& process, FunctionState& function) -> Status {
    if (attribute == kMaxDynamicSmemBytes) {
      const auto most = process.device().smem_bytes_per_block -
                        static_cast<int>(function.declared.static_smem_bytes);
      if (value < 0 || value > most) return kInvalidValue;
      function.most_dynamic_smem = value;
      return kSuccess;
    }
    if (attribute == kLargeClusters) function.allows_large_clusters = value != 0;
    const bool may_be_set =
        attribute == kCarveout || attribute == kLargeClusters || attribute == kClusterPolicy;
    return may_be_set ? kSuccess : kInvalidValue;
  });
}

Status get_parameter(const char* call, FunctionHandle handle, size_t index, size_t* offset,
                     size_t* bytes) {
  return of_function(call, handle, [&](Process&, FunctionState& function) -> Status {
    if (offset == nullptr || index >= function.declared.parameters.size()) return kInvalidValue;
    const PtxParameter& parameter = function.declared.parameters[index];
    *offset = static_cast<size_t>(parameter.offset_bytes);
    if (bytes != nullptr) *bytes = static_cast<size_t>(parameter.bytes);
    return kSuccess;
  });
}

Status active_blocks(int* blocks, FunctionHandle handle, int threads, size_t smem_bytes) {
  return of_function(
      "cuOccupancyMaxActiveBlocksPerMultiprocessor", handle,
      [&](Process& process, FunctionState& function) -> Status {
        if (blocks == nullptr || threads < 1) return kInvalidValue;
        LaunchSpec spec;
        spec.block.x = threads;
        spec.dynamic_smem_bytes = static_cast<Index>(smem_bytes);
        *blocks = occupancy_of(spec, function.declared.static_smem_bytes, process.device()).blocks;
        return kSuccess;
      });
}

}  // namespace

JUTE_DRIVER_CALL cuFuncGetAttribute(int* value, int attribute, FunctionHandle function) {
  return get_attribute("cuFuncGetAttribute", value, attribute, function);
}
JUTE_DRIVER_CALL cuKernelGetAttribute(int* value, int attribute, FunctionHandle kernel,
                                      DeviceOrdinal /*device*/) {
  return get_attribute("cuKernelGetAttribute", value, attribute, kernel);
}
JUTE_DRIVER_CALL cuFuncSetAttribute(FunctionHandle function, int attribute, int value) {
  return set_attribute("cuFuncSetAttribute", function, attribute, value);
}
JUTE_DRIVER_CALL cuKernelSetAttribute(int attribute, int value, FunctionHandle kernel,
                                      DeviceOrdinal /*device*/) {
  return set_attribute("cuKernelSetAttribute", kernel, attribute, value);
}
JUTE_DRIVER_CALL cuFuncSetCacheConfig(FunctionHandle handle, int /*config*/) {
  return of_function("cuFuncSetCacheConfig", handle,
                     [](Process&, FunctionState&) -> Status { return kSuccess; });
}
JUTE_DRIVER_CALL cuFuncGetParamInfo(FunctionHandle function, size_t index, size_t* offset,
                                    size_t* bytes) {
  return get_parameter("cuFuncGetParamInfo", function, index, offset, bytes);
}
JUTE_DRIVER_CALL cuKernelGetParamInfo(FunctionHandle kernel, size_t index, size_t* offset,
                                      size_t* bytes) {
  return get_parameter("cuKernelGetParamInfo", kernel, index, offset, bytes);
}
JUTE_DRIVER_CALL cuFuncGetModule(ModuleHandle* module, FunctionHandle handle) {
  return of_function("cuFuncGetModule", handle, [&](Process&, FunctionState& function) -> Status {
    if (module == nullptr) return kInvalidValue;
    *module = function.module;
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuFuncGetName(const char** name, FunctionHandle handle) {
  return of_function("cuFuncGetName", handle, [&](Process&, FunctionState& function) -> Status {
    if (name == nullptr) return kInvalidValue;
    *name = function.declared.symbol.c_str();
    return kSuccess;
  });
}

JUTE_DRIVER_CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, FunctionHandle function,
                                                             int threads, size_t smem_bytes) {
  return active_blocks(blocks, function, threads, smem_bytes);
}
JUTE_DRIVER_CALL cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, FunctionHandle function, int threads, size_t smem_bytes, unsigned /*flags*/) {
  return active_blocks(blocks, function, threads, smem_bytes);
}
JUTE_DRIVER_CALL cuOccupancyMaxPotentialBlockSize(int* blocks, int* threads, FunctionHandle handle,
                                                  size_t (*smem_of)(int threads), size_t smem_bytes,
                                                  int limit) {
  return of_function(
      "cuOccupancyMaxPotentialBlockSize", handle,
      [&](Process& process, FunctionState& function) -> Status {
        if (blocks == nullptr || threads == nullptr) return kInvalidValue;
        const int most = std::min(most_threads(function.declared), limit > 0 ? limit : 1024);
        int best = 0;
        for (int size = most / 32 * 32; size >= 32; size -= 32) {
          LaunchSpec spec;
          spec.block.x = size;
          spec.dynamic_smem_bytes =
              static_cast<Index>(smem_of == nullptr ? smem_bytes : smem_of(size));
          const int fit =
              occupancy_of(spec, function.declared.static_smem_bytes, process.device()).blocks;
          if (fit * size <= best) continue;
          best = fit * size;
          *threads = size;
          *blocks = fit * process.device().sm_count;
        }
        return best > 0 ? kSuccess : kInvalidValue;
      });
}
