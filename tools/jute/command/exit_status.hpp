#pragma once
// Exit statuses, and how a refusal is told.
#include <jute/base/error.hpp>

#include <iosfwd>
#include <string>
#include <string_view>

namespace jute::command {

enum ExitStatus : int {
  kDone = 0,
  kAnswerIsNo = 1,        ///< a verification or check failed, a batch had failing lines
  kBadInput = 2,          ///< wrong usage, bad input, a refusal with its rules
  kEnvironmentLacks = 3,  ///< GPU, NVRTC, memory, a writable place
  kLaunchFailed = 4,      ///< a launch failed, or an internal error
};

[[nodiscard]] ExitStatus exit_status(ErrorCode code);

/// How a refusal is told.
struct Telling {
  std::string_view code = {};  ///< "usage"; empty: the error's own
  std::string works = {};      ///< a command line that works; empty: none is known
  bool detail = true;          ///< a compile log or a caret follows the message
  bool json = false;           ///< as one object, for programs
};

/// `jute: CODE: message`, the detail and `try: …` below it; or {"error": {…, "try": …}} on a line.
void tell(std::ostream& err, const Error& error, const Telling& how = {});

}  // namespace jute::command
