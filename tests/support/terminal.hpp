#pragma once
// A program on a terminal of its own: keys go in, what it shows comes out.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/process.hpp"
#include "support/skip.hpp"

namespace jute::test {

inline constexpr const char* kNoTerminal = "the system gives out no terminal: is /dev/pts mounted?";

[[nodiscard]] inline bool has_terminals() {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master >= 0) ::close(master);
  return master >= 0;
}

class TerminalProgram {
 public:
  /// throws  std::runtime_error: there are no terminals; the test counts as skipped
  TerminalProgram(const std::vector<std::string>& arguments, const ProcessInput& input)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
      skip(kNoTerminal);
      throw std::runtime_error(kNoTerminal);
    }
    const std::string name = ::ptsname(master_);
    child_ = ::fork();
    if (child_ != 0) return;
    ::setsid();
    const int terminal = ::open(name.c_str(), O_RDWR);
    ::ioctl(terminal, TIOCSCTTY, 0);
    const winsize size{24, 200, 0, 0};
    ::ioctl(terminal, TIOCSWINSZ, &size);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(terminal, file);
    ::close(terminal);
    ::close(master_);
    process::become(arguments, input);
  }
  ~TerminalProgram() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(master_);
  }
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;

  void type(const std::string& keys) const {
    if (::write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
      throw std::runtime_error("the terminal takes no keys");
  }

  /// Waits until it has shown `part` behind all that was waited for before; false: it ended first
  /// or took too long. What follows from a part that did not come means something else: REQUIRE it.
  bool shows(const std::string& part) {
    const auto deadline = Clock::now() + kPatience;
    for (;;) {
      const size_t found = shown_.find(part, seen_);
      if (found != std::string::npos) {
        seen_ = found + part.size();
        return true;
      }
      if (!read_more(deadline)) return false;
    }
  }

  /// Its exit status once it has ended; 128 + signal where one ended it, as where it takes too
  /// long.
  int finish() {
    const auto deadline = Clock::now() + kPatience;
    while (read_more(deadline)) {
    }
    int status = 0;
    while (::waitpid(child_, &status, WNOHANG) == 0) {
      if (Clock::now() > deadline) ::kill(child_, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Nothing here takes a second on a machine at rest.
  static constexpr std::chrono::seconds kPatience{60};

  bool read_more(Clock::time_point deadline) {
    pollfd waiting{master_, POLLIN, 0};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) <= 0) return false;
    char text[4096];
    const ssize_t count = ::read(master_, text, sizeof text);
    if (count <= 0) return false;
    shown_.append(text, static_cast<size_t>(count));
    return true;
  }

  int master_ = -1;
  pid_t child_ = -1;
  std::string shown_;
  size_t seen_ = 0;
};

}  // namespace jute::test
