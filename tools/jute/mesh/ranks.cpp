// `jute ranks`: a program once for each rank.
#include <jute/base/error.hpp>
#include <jute/ranks/secret.hpp>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "command/command_line.hpp"
#include "programs/child_program.hpp"

namespace jute::command {
namespace {

/// How a run ended: which rank failed first, with which status, 128 and its signal where one ended
/// it. A signal that this process got has no rank.
struct RanksEnd {
  int status = 0;
  std::optional<int> rank = {};
};

constexpr int kEndedBySignal = 128;

/// A folder that vanishes with this value.
class RendezvousFolder {
 public:
  RendezvousFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jute_ranks_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      command::refuse(ErrorCode::unwritable, "rendezvous", pattern, std::strerror(errno));
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

/// Prepares a child before it becomes the rank.
void begin_rank(int rank, int ranks, const std::string& folder) {
  ::setpgid(0, 0);
  // Who is not in the terminal's foreground would be stopped by a look at its input.
  const int nothing = ::isatty(STDIN_FILENO) != 0 ? ::open("/dev/null", O_RDONLY) : -1;
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  ::setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
  ::setenv("WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  ::setenv("JUTE_RENDEZVOUS", ("file:" + folder + "/run").c_str(), 1);
  ::setenv("JUTE_RENDEZVOUS_SECRET", (folder + "/secret").c_str(), 0);
}

/// Signals that end a run are taken note of, and passed on by who looks.
class PassedSignals {
 public:
  PassedSignals() {
    struct sigaction note = {};
    note.sa_handler = [](int number) { got_ = number; };
    for (std::size_t i = 0; i < kEnding.size(); ++i) ::sigaction(kEnding[i], &note, &before_[i]);
  }
  ~PassedSignals() {
    for (std::size_t i = 0; i < kEnding.size(); ++i) ::sigaction(kEnding[i], &before_[i], nullptr);
  }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;
  /// 0: none since the last look.
  [[nodiscard]] static int next() { return std::exchange(got_, 0); }

 private:
  static constexpr std::array<int, 3> kEnding{SIGTERM, SIGINT, SIGHUP};
  static inline volatile std::sig_atomic_t got_ = 0;
  std::array<struct sigaction, kEnding.size()> before_{};
};

/// A process that kills the groups it was told of once this one is gone, however it went.
class Guard {
 public:
  Guard() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    const pid_t guard = ::fork();
    if (guard == 0) watch(ends);
    ::close(ends[0]);
    told_ = ends[1];
    guard_ = guard;
  }
  ~Guard() {
    tell(0);
    if (told_ >= 0) ::close(told_);
    if (guard_ > 0) ::waitpid(guard_, nullptr, 0);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  /// 0: there is nothing to do any more.
  void tell(pid_t group) const { (void)!::write(told_, &group, sizeof group); }

 private:
  [[noreturn]] static void watch(const std::array<int, 2>& ends) {
    ::setsid();
    ::close(ends[1]);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
    std::vector<pid_t> groups;
    for (pid_t group = 0; ::read(ends[0], &group, sizeof group) == sizeof group;) {
      if (group == 0) ::_exit(0);
      groups.push_back(group);
    }
    for (const pid_t group : groups) ::kill(-group, SIGKILL);
    ::_exit(0);
  }
  int told_ = -1;
  pid_t guard_ = -1;
};

/// Processes that are this one's children until they have ended, each with all that it has started.
class RankProcesses {
 public:
  ~RankProcesses() {
    tell(SIGKILL);
    for (const Rank& rank : ranks_)
      if (!rank.status) ::waitpid(rank.group, nullptr, 0);
  }
  /// Children that a rank leaves behind when it ends become this one's.
  RankProcesses() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  void start(const std::vector<std::string>& words, int rank, int ranks,
             const std::string& folder) {
    start_program(
        words, [&] { begin_rank(rank, ranks, folder); },
        [&](pid_t child) {
          ::setpgid(child, child);
          guard_.tell(child);
          ranks_.push_back({rank, child});
        });
  }

  [[nodiscard]] RanksEnd wait(double grace_s) {
    using Clock = std::chrono::steady_clock;
    RanksEnd end;
    Clock::time_point ending;
    bool is_killed = false;
    while (is_any_left(end.status != 0 && !is_killed)) {
      const bool was_ending = end.status != 0;
      const int signal = PassedSignals::next();
      if (signal != 0 && !was_ending) end = {kEndedBySignal + signal, std::nullopt};
      reap(end);
      if (!was_ending) ending = Clock::now();
      if (signal != 0 || (!was_ending && end.status != 0)) tell(signal != 0 ? signal : SIGTERM);
      is_killed =
          end.status != 0 && std::chrono::duration<double>(Clock::now() - ending).count() > grace_s;
      if (is_killed) tell(SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (end.status == 0) ranks_.clear();  // what they have left running is theirs
    return end;
  }

 private:
  struct Rank {
    int number;
    pid_t group;
    std::optional<int> status = {};
  };

  void tell(int signal) const {
    for (const Rank& rank : ranks_) ::kill(-rank.group, signal);
  }
  /// Takes the statuses of those that have ended; the first that is not 0 stays.
  void reap(RanksEnd& end) {
    for (Rank& rank : ranks_) {
      int status = 0;
      for (pid_t child = 1; child > 0;) {
        child = ::waitpid(-rank.group, &status, WNOHANG);
        if (child != rank.group) continue;
        rank.status = exit_status_of(status);
        if (end.status == 0 && *rank.status != 0) end = {*rank.status, rank.number};
      }
    }
  }
  /// A rank; of a run that must end, anything that one has started.
  [[nodiscard]] bool is_any_left(bool must_end) {
    if (must_end)
      std::erase_if(ranks_, [](const Rank& rank) {
        return rank.status && ::kill(-rank.group, 0) != 0 && errno == ESRCH;
      });
    return std::ranges::any_of(ranks_, [&](const Rank& rank) { return must_end || !rank.status; });
  }

  PassedSignals signals_;
  Guard guard_;
  std::vector<Rank> ranks_;
};

/// Starts `words` so often, with RANK, WORLD_SIZE, LOCAL_RANK, JUTE_RENDEZVOUS=file:FOLDER and
/// JUTE_RENDEZVOUS_SECRET set, of a folder that is removed after. Each is a process group of its
/// own. Once one has ended with another status than 0 all groups get SIGTERM, and SIGKILL where
/// anything of them is there after `grace_s` seconds; SIGTERM, SIGINT and SIGHUP that this process
/// gets go to all groups likewise. Should it be killed, so are they.
///   throws   file_not_found, bad_file: the program does not start; unwritable: no folder
RanksEnd run_rank_programs(const std::vector<std::string>& words, int ranks, double grace_s) {
  const RendezvousFolder folder;
  make_secret(folder.path() + "/secret");
  RankProcesses processes;
  for (int rank = 0; rank < ranks; ++rank) processes.start(words, rank, ranks, folder.path());
  return processes.wait(grace_s);
}

struct RanksOptions {
  int count = 0;
  double grace_s = 5;
  std::vector<std::string> words;
};

void check_ranks(const RanksOptions& options) {
  if (options.words.empty())
    throw UsageError("PROGRAM", "it must be given behind --: jute ranks -n 2 -- ./program");
}

}  // namespace

void add_ranks(Command& jute) {
  auto options = std::make_shared<RanksOptions>();
  Command& sub = jute.add("ranks", "Start a program once for each rank",
                          "jute ranks -n 2 -- ./program arguments");
  sub.option("program PROGRAM", &options->words, "The program and its arguments, behind --")
      .takes(Strays::word);
  sub.option("-n,--count", &options->count,
             "How many: each has RANK, WORLD_SIZE, LOCAL_RANK, JUTE_RENDEZVOUS and "
             "JUTE_RENDEZVOUS_SECRET")
      .between(1, 4096)
      .required();
  sub.option("--grace SECONDS", &options->grace_s,
             "Seconds that the others have to end once one has failed")
      .with_default();
  sub.run = [options](const Session& session) {
    check_ranks(*options);
    const RanksEnd end = run_rank_programs(options->words, options->count, options->grace_s);
    if (end.rank)
      session.note("jute: rank " + std::to_string(*end.rank) + " of " + options->words.front() +
                   " ended with status " + std::to_string(end.status));
    return end.status;
  };
  sub.judge = [options](const Session&) { check_ranks(*options); };
}

}  // namespace jute::command
