#pragma once
// Runs a program and keeps what it said.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jute::test {

struct ProcessInput {
  std::string text = {};  ///< standard input
  /// Environment variables to set; an empty value removes one.
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string folder = {};  ///< working directory; empty keeps the caller's
};

struct ProcessResult {
  int status = -1;  ///< exit status; 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

namespace process {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(read); }
  void close_write() { close_end(write); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

[[noreturn]] inline void become(const std::vector<std::string>& arguments,
                                const ProcessInput& input) {
  for (const auto& [name, value] : input.environment) {
    if (value.empty()) {
      ::unsetenv(name.c_str());
    } else {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  if (!input.folder.empty() && ::chdir(input.folder.c_str()) != 0) ::_exit(126);
  std::vector<char*> raw;
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  ::execvp(raw[0], raw.data());
  ::_exit(127);
}

/// Feeds the input and drains both outputs at once, so that no pipe fills up and blocks.
inline void exchange(Pipe& in, Pipe& out, Pipe& err, const std::string& text,
                     ProcessResult& result) {
  size_t sent = 0;
  // A blocking write of more than the pipe holds would wait while the program waits for us.
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  if (text.empty()) in.close_write();
  while (out.read >= 0 || err.read >= 0) {
    pollfd polled[3] = {{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
    if (::poll(polled, 3, -1) < 0 && errno != EINTR) throw std::runtime_error("poll");
    if (in.write >= 0 && polled[0].revents != 0) {
      const ssize_t count = ::write(in.write, text.data() + sent, text.size() - sent);
      if (count > 0) sent += static_cast<size_t>(count);
      const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
      if (broken || sent == text.size()) in.close_write();
    }
    const auto drain = [](Pipe& pipe, short events, std::string& target) {
      if (pipe.read < 0 || events == 0) return;
      char buffer[65536];
      const ssize_t count = ::read(pipe.read, buffer, sizeof buffer);
      if (count > 0) target.append(buffer, static_cast<size_t>(count));
      if (count <= 0) pipe.close_read();
    };
    drain(out, polled[1].revents, result.out);
    drain(err, polled[2].revents, result.err);
  }
}

}  // namespace process

/// arguments[0] is the program, looked up in PATH when it has no slash.
inline ProcessResult run_process(const std::vector<std::string>& arguments,
                                 const ProcessInput& input = {}) {
  ::signal(SIGPIPE, SIG_IGN);  // a program may end before it has read everything
  process::Pipe in, out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(in.read, STDIN_FILENO);
    ::dup2(out.write, STDOUT_FILENO);
    ::dup2(err.write, STDERR_FILENO);
    for (process::Pipe* pipe : {&in, &out, &err}) {
      pipe->close_read();
      pipe->close_write();
    }
    process::become(arguments, input);
  }
  in.close_read();
  out.close_write();
  err.close_write();
  ProcessResult result;
  process::exchange(in, out, err, input.text, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace jute::test
