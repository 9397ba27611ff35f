// Supervising the process that touches the GPU.
#include "worker.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <optional>

namespace jute::bench {
namespace {

constexpr int kMostLost = 5;

struct Worker {
  pid_t process = -1;
  int progress = -1;
};

Worker start(std::vector<std::string> arguments) {
  int ends[2];
  if (pipe(ends) != 0) throw Exception({.code = ErrorCode::internal, .operand = "pipe"});
  arguments.insert(arguments.begin(), "jute_bench");
  arguments.insert(arguments.end(), {"--report-to", std::to_string(ends[1])});
  std::cout.flush();
  const pid_t process = fork();
  if (process < 0) throw Exception({.code = ErrorCode::internal, .operand = "fork"});
  if (process == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    execv("/proc/self/exe", words.data());
    _exit(127);
  }
  close(ends[1]);
  return {process, ends[0]};
}

/// Follows one worker. Gives the case that it was at when it went silent or died, if any.
struct Outcome {
  std::optional<int> exit_status;  // none: it was killed or crashed
  bool was_silent = false;
  std::vector<std::string> done;
  std::string current;
};

void take_line(Outcome& outcome, const std::string& line) {
  if (line.starts_with("start ")) outcome.current = line.substr(6);
  if (line.starts_with("end ")) {
    outcome.done.push_back(line.substr(4));
    outcome.current.clear();
  }
}

Outcome follow(const Worker& worker, int stall_seconds) {
  Outcome outcome;
  std::string pending;
  while (true) {
    pollfd waiting{worker.progress, POLLIN, 0};
    if (poll(&waiting, 1, stall_seconds * 1000) <= 0) {
      outcome.was_silent = true;
      kill(worker.process, SIGKILL);
      break;
    }
    char text[512];
    const ssize_t count = read(worker.progress, text, sizeof text);
    if (count <= 0) break;
    pending.append(text, static_cast<size_t>(count));
    for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
      take_line(outcome, pending.substr(0, end));
      pending.erase(0, end + 1);
    }
  }
  close(worker.progress);
  int status = 0;
  waitpid(worker.process, &status, 0);
  if (!outcome.was_silent && WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  return outcome;
}

}  // namespace

void Progress::say(const std::string& line) const {
  const std::string text = line + "\n";
  if (descriptor_ >= 0 && write(descriptor_, text.data(), text.size()) < 0) _exit(3);
}

int supervise(const Options& options, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  for (int lost = 0; lost < kMostLost; ++lost) {
    const Outcome outcome = follow(start(words), options.stall_seconds);
    if (outcome.exit_status)
      return *outcome.exit_status == 0 && lost > 0 ? 1 : *outcome.exit_status;
    std::cout << (outcome.current.empty() ? std::string("start") : outcome.current)
              << (outcome.was_silent ? ": no progress, killed" : ": the worker died") << std::endl;
    if (outcome.current.empty()) return 4;
    for (const std::string& id : outcome.done) words.insert(words.end(), {"--skip", id});
    words.insert(words.end(), {"--skip", outcome.current});
  }
  return 4;
}

}  // namespace jute::bench
