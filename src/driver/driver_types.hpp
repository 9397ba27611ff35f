#pragma once
// What crosses the border of a CUDA driver: own declarations of its types and numbers, no SDK.
// Source: CUDA Driver API.
#include <cstddef>

namespace jute::driver {

using Status = int;  ///< CUresult
using DeviceOrdinal = int;
using DriverAddress = unsigned long long;
using ContextHandle = struct ContextState*;
using ModuleHandle = struct ModuleState*;
using FunctionHandle = struct FunctionState*;
using StreamHandle = struct StreamState*;
using EventHandle = struct EventState*;

/// CUresult values that are told apart.
enum StatusValue : Status {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kNoBinaryForGpu = 209,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kAssert = 710,
  kPeerAccessAlreadyEnabled = 704,
  kHardwareStackError = 714,
  kLaunchFailed = 719,
};

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kMultiprocessorCount = 16,
  kL2CacheBytes = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSmemPerMultiprocessor = 81,
  kMaxRegistersPerMultiprocessor = 82,
  kMaxSmemPerBlockOptin = 97,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kMaxThreadsPerBlock = 0,
  kStaticSmemBytes = 1,
  kMaxDynamicSmemBytes = 8,
};

/// CUjit_option.
enum JitOption : int { kJitErrorLog = 5, kJitErrorLogBytes = 6 };

/// CUlaunchAttributeID.
enum LaunchAttributeId : int {
  kCooperative = 2,
  kClusterDimension = 4,
  kProgrammaticSerialization = 6,
};

/// CUlaunchAttribute: an id, and a value of 64 bytes.
struct LaunchAttribute {
  int id = 0;
  char padding[4] = {};
  union Value {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int programmatic;
    int cooperative;
  } value = {};
};

/// CUmemorytype.
enum MemoryType : int { kUnifiedMemory = 4 };

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned dynamic_smem_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

/// CUDA_MEMCPY2D.
struct Copy2d {
  std::size_t source_x = 0, source_y = 0;
  int source_type = kUnifiedMemory;
  const void* source_host = nullptr;
  DriverAddress source = 0;
  void* source_array = nullptr;
  std::size_t source_pitch = 0;
  std::size_t target_x = 0, target_y = 0;
  int target_type = kUnifiedMemory;
  void* target_host = nullptr;
  DriverAddress target = 0;
  void* target_array = nullptr;
  std::size_t target_pitch = 0;
  std::size_t row_bytes = 0, rows = 0;
};

inline constexpr unsigned kEventDefault = 0, kEventWithoutTime = 2;
inline constexpr unsigned kStreamDefault = 0, kStreamNonBlocking = 1;
inline constexpr unsigned kHostPortable = 1, kHostMapped = 2;

}  // namespace jute::driver
