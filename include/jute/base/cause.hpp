#pragma once
// On what a refusal lies, and so what to do about it.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>

#include <cstdint>

namespace JUTE_API jute {

enum class Cause : std::uint8_t {
  request,      ///< it asks for what no rule allows
  environment,  ///< something is missing: a GPU, NVRTC, memory, a writable place
  running,      ///< a compilation, launch or driver failed, or jute itself
  check,        ///< nothing went wrong, and the answer is no
};
[[nodiscard]] Cause cause_of(ErrorCode code);

/// The exception in flight as an Error: also those that the library throws where the system gives
/// no memory, or no thread.
[[nodiscard]] Error current_error() noexcept;

}  // namespace jute
