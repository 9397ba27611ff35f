// Kinds of refusal by what they lie on.
#include <jute/base/cause.hpp>

namespace jute {

Cause cause_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::check_failed:
      return Cause::check;
    case ErrorCode::unwritable:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_nvrtc:
    case ErrorCode::no_disassembler:
    case ErrorCode::no_gpu:
      return Cause::environment;
    case ErrorCode::signature_mismatch:
    case ErrorCode::compile_failed:
    case ErrorCode::driver_failed:
    case ErrorCode::launch_failed:
    case ErrorCode::communication_failed:
    case ErrorCode::internal:
      return Cause::running;
    default:
      return Cause::request;
  }
}

}  // namespace jute
