// Starts ranks as processes and waits for them.
#include "mesh/rank_programs.hpp"

#include <jute/base/error.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

namespace jute::command {
namespace {

constexpr int kEndedBySignal = 128;

/// A folder that vanishes with this value.
class RendezvousFolder {
 public:
  RendezvousFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jute_ranks_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw Exception({.code = ErrorCode::unwritable,
                       .operand = "rendezvous",
                       .value = pattern,
                       .violated_rules = {std::strerror(errno)}});
    path_ = pattern;
  }
  ~RendezvousFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  RendezvousFolder(const RendezvousFolder&) = delete;
  RendezvousFolder& operator=(const RendezvousFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// In the child: becomes the rank, or says through the pipe why not.
[[noreturn]] void become_rank(char* const* arguments, int rank, int ranks,
                              const std::string& rendezvous, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  ::setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  ::setenv("JUTE_RENDEZVOUS", rendezvous.c_str(), 1);
  ::execvp(arguments[0], arguments);
  const int reason = errno;
  (void)!::write(failure, &reason, sizeof reason);
  ::_exit(kEndedBySignal - 1);
}

int exit_status_of(int status) {
  return WIFSIGNALED(status) ? kEndedBySignal + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Processes that are this one's children until they have ended.
class RankProcesses {
 public:
  ~RankProcesses() {
    for (const pid_t child : children_) ::kill(child, SIGKILL);
    for (const pid_t child : children_) ::waitpid(child, nullptr, 0);
  }
  RankProcesses() = default;
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  void start(const std::vector<std::string>& words, int rank, int ranks,
             const std::string& rendezvous) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse(words.front(), errno);
    std::cout.flush();
    const pid_t child = ::fork();
    if (child == 0) become_rank(arguments.data(), rank, ranks, rendezvous, ends[1]);
    ::close(ends[1]);
    int failure = child < 0 ? EAGAIN : 0;
    if (child > 0) children_.push_back(child);
    const bool has_failed =
        child < 0 || ::read(ends[0], &failure, sizeof failure) == sizeof failure;
    ::close(ends[0]);
    if (has_failed) refuse(words.front(), failure);
  }

  /// The first status that is not 0.
  [[nodiscard]] int wait(double grace_s) {
    int first = 0;
    std::chrono::steady_clock::time_point ended;
    while (!children_.empty()) {
      const int status = reap();
      if (first == 0 && status > 0) {
        first = status;
        ended = std::chrono::steady_clock::now();
        for (const pid_t child : children_) ::kill(child, SIGTERM);
      }
      if (status >= 0) continue;
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - ended;
      if (first != 0 && since.count() > grace_s)
        for (const pid_t child : children_) ::kill(child, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return first;
  }

 private:
  [[noreturn]] static void refuse(const std::string& program, int error_number) {
    throw Exception(
        {.code = error_number == ENOENT ? ErrorCode::file_not_found : ErrorCode::bad_file,
         .operand = "program",
         .value = program,
         .violated_rules = {std::string("it must be a program that can be executed: ") +
                            std::strerror(error_number)}});
  }

  /// The status of one that has ended; -1: none has.
  int reap() {
    for (const pid_t child : children_) {
      int status = 0;
      if (::waitpid(child, &status, WNOHANG) != child) continue;
      std::erase(children_, child);
      return exit_status_of(status);
    }
    return -1;
  }

  std::vector<pid_t> children_;
};

}  // namespace

int status_of_ranks(const std::vector<std::string>& words, int ranks, double grace_s) {
  const RendezvousFolder folder;
  RankProcesses processes;
  for (int rank = 0; rank < ranks; ++rank)
    processes.start(words, rank, ranks, "file:" + folder.path() + "/run");
  return processes.wait(grace_s);
}

}  // namespace jute::command
