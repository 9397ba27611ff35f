// The one function from kinds of refusal to exit statuses.
#include "exit_status.hpp"

#include <ostream>

namespace jute::command {

ExitStatus exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::check_failed:
      return kAnswerIsNo;
    case ErrorCode::unwritable:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_nvrtc:
    case ErrorCode::no_gpu:
      return kEnvironmentLacks;
    case ErrorCode::signature_mismatch:
    case ErrorCode::compile_failed:
    case ErrorCode::driver_failed:
    case ErrorCode::launch_failed:
    case ErrorCode::internal:
      return kLaunchFailed;
    default:
      return kBadInput;
  }
}

void tell(std::ostream& err, const Error& error, Detail detail) {
  err << "jute: " << code_name(error.code) << ": " << to_string(error) << '\n';
  if (detail == Detail::hidden || error.detail.empty()) return;
  err << error.detail;
  if (!error.detail.ends_with('\n')) err << '\n';
}

}  // namespace jute::command
