#pragma once
// The CUresult values that the stand-in gives beside those that jute's own driver table tells
// apart. Source: CUDA Driver API, CUresult.
#include "driver/driver_types.hpp"

#include <jute/base/error.hpp>

#include <string_view>

namespace jute::stand_in {

enum MoreStatus : driver::Status {
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidContext = 201,
  kInvalidImage = 200,
  kInvalidPtx = 218,
  kFileNotFound = 301,
  kInvalidHandle = 400,
  kNotFound = 500,
  kLaunchOutOfResources = 701,
  kMisalignedAddress = 716,
  kInvalidPc = 718,
  kIllegalInstruction = 715,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kUnknown = 999,
};

struct StatusRow {
  driver::Status status;
  const char* name;  ///< CUDA_ERROR_INVALID_VALUE
  const char* text;
};
/// Null for a number that is no status.
[[nodiscard]] const StatusRow* find_status(driver::Status status);

/// The status that tells a program of such a refusal.
[[nodiscard]] driver::Status status_of(ErrorCode code);
/// The status at the next call after a kernel has done this; success of what a GPU never notices.
[[nodiscard]] driver::Status status_of_finding(std::string_view code);

}  // namespace jute::stand_in
