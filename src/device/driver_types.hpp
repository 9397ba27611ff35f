#pragma once
// What crosses the border of a CUDA driver: own declarations of its types and numbers, no SDK.
// Source: CUDA Driver API.
namespace jute::device {

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
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kAssert = 710,
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

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned dynamic_smem_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kStreamDefault = 0;

}  // namespace jute::device
