#pragma once
// Runs what may hang or crash in a process of its own, with a deadline.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <thread>

namespace jute::test {

struct ChildResult {
  enum class End { returned, threw, crashed, timed_out } end = End::crashed;
  std::string output;  ///< what the call returned, or the exception's text
};

/// Calls `work` in a child and gives back its text. A child that outlives the deadline is killed.
/// The parent must not have used CUDA before: a driver does not survive fork.
inline ChildResult run_in_child(const std::function<std::string()>& work, int seconds = 10) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    char tag = 'r';
    std::string text;
    try {
      text = work();
    } catch (const std::exception& exception) {
      tag = 't';
      text = exception.what();
    }
    text.insert(text.begin(), tag);
    text.resize(std::min<size_t>(text.size(), 60000));  // fits the pipe, so nobody blocks
    const bool written =
        ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int status = 0;
  ChildResult result;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      result.end = ChildResult::End::timed_out;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::string text(60000, '\0');
  const ssize_t size = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  if (result.end == ChildResult::End::timed_out || size < 1) return result;
  result.end = text[0] == 'r' ? ChildResult::End::returned : ChildResult::End::threw;
  result.output = text.substr(1, static_cast<size_t>(size) - 1);
  return result;
}

}  // namespace jute::test
