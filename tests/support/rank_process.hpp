#pragma once
// Child processes that are ranks.
#include <sys/wait.h>
#include <unistd.h>

namespace jute::test {

/// A child process that does this; its exit status is what the function returns, 2 where it throws.
template <class Work>
[[nodiscard]] pid_t started(Work work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int status = 1;
  try {
    status = work();
  } catch (...) {
    status = 2;
  }
  ::_exit(status);
}

/// Of its exit, which is waited for; 128 where it ended otherwise.
[[nodiscard]] inline int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace jute::test
