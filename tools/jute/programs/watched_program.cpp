// Starts a program and waits for it.
#include "programs/watched_program.hpp"

#include <jute/base/error.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace jute::command {
namespace {

constexpr int kSignalled = 128;

[[noreturn]] void refuse_start(const std::string& program, int error_number) {
  const bool is_missing = error_number == ENOENT;
  command::refuse(
      is_missing ? ErrorCode::file_not_found : ErrorCode::bad_file, "program", program,
      std::string("it must be a program that can be executed: ") + std::strerror(error_number));
}

/// In the child: becomes the program, or says through the pipe why not.
[[noreturn]] void become(char* const* arguments, const Variables& variables, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  ::execvp(arguments[0], arguments);
  const int reason = errno;
  (void)!::write(failure, &reason, sizeof reason);
  ::_exit(kSignalled - 1);
}

/// Leaves interrupts to the program while it runs.
class WithoutInterrupts {
 public:
  WithoutInterrupts() : before_(::signal(SIGINT, SIG_IGN)) {}
  ~WithoutInterrupts() { ::signal(SIGINT, before_); }
  WithoutInterrupts(const WithoutInterrupts&) = delete;
  WithoutInterrupts& operator=(const WithoutInterrupts&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

int status_of_program(const std::vector<std::string>& words, const Variables& variables) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(words.front(), errno);
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), variables, ends[1]);
  ::close(ends[1]);
  const WithoutInterrupts while_it_runs;
  int failure = 0;
  const bool has_failed = ::read(ends[0], &failure, sizeof failure) == sizeof failure;
  ::close(ends[0]);
  int status = 0;
  if (child < 0) refuse_start(words.front(), EAGAIN);
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (has_failed) refuse_start(words.front(), failure);
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace jute::command
