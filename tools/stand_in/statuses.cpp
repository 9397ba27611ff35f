// Statuses as a table, and what becomes one: a refusal, a finding.
#include "statuses.hpp"

#include <algorithm>
#include <array>

namespace jute::stand_in {
namespace {

using namespace jute::driver;

// clang-format off
constexpr std::array kStatusRows{
    StatusRow{0, "CUDA_SUCCESS", "no error"},
    StatusRow{1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    StatusRow{2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    StatusRow{3, "CUDA_ERROR_NOT_INITIALIZED", "cuInit was not called"},
    StatusRow{4, "CUDA_ERROR_DEINITIALIZED", "the driver is shutting down"},
    StatusRow{34, "CUDA_ERROR_STUB_LIBRARY", "the library is a stub for linking"},
    StatusRow{46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "the device is busy or not available"},
    StatusRow{100, "CUDA_ERROR_NO_DEVICE", "there is no device"},
    StatusRow{101, "CUDA_ERROR_INVALID_DEVICE", "no device has this number"},
    StatusRow{200, "CUDA_ERROR_INVALID_IMAGE", "the image is no kernel image"},
    StatusRow{201, "CUDA_ERROR_INVALID_CONTEXT", "no context is current, or it is none"},
    StatusRow{205, "CUDA_ERROR_MAP_FAILED", "mapping failed"},
    StatusRow{208, "CUDA_ERROR_ALREADY_MAPPED", "already mapped"},
    StatusRow{209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the image holds no code for this device"},
    StatusRow{215, "CUDA_ERROR_UNSUPPORTED_LIMIT", "the device has no such limit"},
    StatusRow{216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "the context is current elsewhere"},
    StatusRow{218, "CUDA_ERROR_INVALID_PTX", "the PTX text is not understood"},
    StatusRow{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the PTX is newer than the driver"},
    StatusRow{300, "CUDA_ERROR_INVALID_SOURCE", "the source is invalid"},
    StatusRow{301, "CUDA_ERROR_FILE_NOT_FOUND", "there is no such file"},
    StatusRow{304, "CUDA_ERROR_OPERATING_SYSTEM", "a call of the operating system failed"},
    StatusRow{400, "CUDA_ERROR_INVALID_HANDLE", "the handle names nothing"},
    StatusRow{401, "CUDA_ERROR_ILLEGAL_STATE", "the object is not in a state for this"},
    StatusRow{500, "CUDA_ERROR_NOT_FOUND", "the name was not found"},
    StatusRow{600, "CUDA_ERROR_NOT_READY", "not finished yet"},
    StatusRow{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel accessed memory that is not its own"},
    StatusRow{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "the launch asks for more than there is"},
    StatusRow{702, "CUDA_ERROR_LAUNCH_TIMEOUT", "a kernel did not end"},
    StatusRow{704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is enabled already"},
    StatusRow{708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "the primary context is in use"},
    StatusRow{709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "the context was destroyed"},
    StatusRow{710, "CUDA_ERROR_ASSERT", "an assertion of a kernel failed"},
    StatusRow{714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "a kernel's stack is broken"},
    StatusRow{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "a kernel executed what the chip refuses"},
    StatusRow{716, "CUDA_ERROR_MISALIGNED_ADDRESS", "a kernel accessed a misaligned address"},
    StatusRow{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "a kernel accessed the wrong space"},
    StatusRow{718, "CUDA_ERROR_INVALID_PC", "a kernel jumped to where no code is"},
    StatusRow{719, "CUDA_ERROR_LAUNCH_FAILED", "a kernel stopped"},
    StatusRow{720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "the grid does not fit on the chip"},
    StatusRow{800, "CUDA_ERROR_NOT_PERMITTED", "not permitted"},
    StatusRow{801, "CUDA_ERROR_NOT_SUPPORTED", "not supported"},
    StatusRow{900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not while the stream is captured"},
    StatusRow{901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "the capture was broken off"},
    StatusRow{902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "two captures would become one"},
    StatusRow{903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the stream is not captured"},
    StatusRow{906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "not on the null stream"},
    StatusRow{912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "the cluster cannot be launched"},
    StatusRow{999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};
// clang-format on

struct FindingStatus {
  std::string_view code;
  Status status;
};
// A GPU notices what its memory system or a trap reports, and a kernel without end. Races, values
// that were never written and broken protocols pass unseen.
constexpr std::array kFindings{
    FindingStatus{"M1", kIllegalAddress},    FindingStatus{"M2", kMisalignedAddress},
    FindingStatus{"M5", kIllegalAddress},    FindingStatus{"P7", kIllegalInstruction},
    FindingStatus{"P12", kLaunchTimeout},    FindingStatus{"X1", kLaunchFailed},
    FindingStatus{"X2", Status{kInvalidPc}}, FindingStatus{"X3", kAssert},
};

}  // namespace

const StatusRow* find_status(Status status) {
  const auto* row = std::ranges::find(kStatusRows, status, &StatusRow::status);
  return row == kStatusRows.end() ? nullptr : row;
}

Status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::out_of_memory:
      return kOutOfMemory;
    case ErrorCode::bad_file:
    case ErrorCode::syntax:
      return kInvalidPtx;
    case ErrorCode::file_not_found:
    case ErrorCode::file_unreadable:
      return kFileNotFound;
    case ErrorCode::unknown_name:
      return kNotFound;
    case ErrorCode::unsupported:
      return kNotSupported;
    case ErrorCode::internal:
      return kUnknown;
    default:
      return kInvalidValue;
  }
}

Status status_of_finding(std::string_view code) {
  const auto* row = std::ranges::find(kFindings, code, &FindingStatus::code);
  return row == kFindings.end() ? kSuccess : row->status;
}

}  // namespace jute::stand_in
