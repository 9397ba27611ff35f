#pragma once
// Exit statuses, and how a refusal is told.
#include <cstdint>
#include <jute/base/error.hpp>

#include <iosfwd>

namespace jute::command {

enum ExitStatus : int {
  kDone = 0,
  kAnswerIsNo = 1,        ///< a verification or check failed, a batch had failing lines
  kBadInput = 2,          ///< wrong usage, bad input, a refusal with its rules
  kEnvironmentLacks = 3,  ///< GPU, NVRTC, memory, a writable place
  kLaunchFailed = 4,      ///< a launch failed, or an internal error
};

[[nodiscard]] ExitStatus exit_status(ErrorCode code);

/// Does the detail (a compile log, a report) follow the message?
enum class Detail : std::uint8_t { shown, hidden };

/// `jute: CODE: message` and the detail below it.
void tell(std::ostream& err, const Error& error, Detail detail = Detail::shown);

}  // namespace jute::command
