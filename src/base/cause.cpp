// Kinds of refusal by what they lie on.
#include <jute/base/cause.hpp>

#include <exception>
#include <new>
#include <system_error>

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

Error current_error() noexcept {
  try {
    throw;
  } catch (const Exception& exception) {
    return exception.error();
  } catch (const std::bad_alloc&) {
    return {.code = ErrorCode::out_of_memory};
  } catch (const std::system_error& exception) {
    if (exception.code() != std::errc::resource_unavailable_try_again)
      return {.code = ErrorCode::internal, .operand = "jute", .value = exception.what()};
    return {.code = ErrorCode::out_of_memory,
            .operand = "threads",
            .value = exception.what(),
            .violated_rules = {"the system must let this process start a thread: see ulimit -u"}};
  } catch (const std::exception& exception) {
    return {.code = ErrorCode::internal, .operand = "jute", .value = exception.what()};
  } catch (...) {
    return {.code = ErrorCode::internal};
  }
}

}  // namespace jute
