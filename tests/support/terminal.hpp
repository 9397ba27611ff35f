#pragma once
// A program on a terminal of its own: keys go in, what it shows comes out.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace jute::test {

class TerminalProgram {
 public:
  TerminalProgram(const std::vector<std::string>& arguments, const ProcessInput& input)
      : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0)
      throw std::runtime_error("no terminal");
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

  /// Waits until it has shown `part` behind all that was waited for before; false: it ended or was
  /// silent for ten seconds.
  bool shows(const std::string& part) {
    for (;;) {
      const size_t found = shown_.find(part, seen_);
      if (found != std::string::npos) {
        seen_ = found + part.size();
        return true;
      }
      if (!read_more()) return false;
    }
  }

  /// Its exit status once it has ended; 128 + signal where one ended it.
  int finish() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  bool read_more() {
    pollfd waiting{master_, POLLIN, 0};
    if (::poll(&waiting, 1, 10000) <= 0) return false;
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
