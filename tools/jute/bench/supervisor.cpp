// Workers behind pipes.
#include "bench/supervisor.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <numeric>

#include "bench/csv.hpp"
#include "bench/wire.hpp"
#include "exit_status.hpp"

namespace jute::bench {
namespace {

constexpr int kMostLost = 5;

void send(int file, const std::string& line) {
  for (size_t at = 0; at < line.size();) {
    const ssize_t written = ::write(file, line.data() + at, line.size() - at);
    if (written <= 0) ::_exit(command::kLaunchFailed);
    at += static_cast<size_t>(written);
  }
}

/// Ends the process without the driver's own clean-up, which a broken device may block.
[[noreturn]] void run_child(const Job& job, const std::vector<size_t>& indices,
                            const WorkerTask& task, int file) {
  const Say say = [file](const std::string& word, const std::string& text) {
    send(file, word + "\t" + text + "\n");
  };
  int status = command::kDone;
  try {
    task(job, indices, say);
  } catch (const Exception& exception) {
    command::tell(std::cerr, exception.error(), {.json = job.json});
    status = command::exit_status(exception.error().code);
  } catch (const std::exception& exception) {
    std::cerr << "jute: internal: " << exception.what() << '\n';
    status = command::kLaunchFailed;
  }
  std::cerr.flush();
  ::_exit(status);
}

struct Worker {
  pid_t process = -1;
  int file = -1;
};

Worker start(const Job& job, const std::vector<size_t>& indices, const WorkerTask& task) {
  int ends[2];
  if (::pipe(ends) != 0)
    throw Exception({.code = ErrorCode::internal,
                     .operand = "pipe",
                     .violated_rules = {"the system must have file descriptors left"}});
  std::cout.flush();
  const pid_t process = ::fork();
  if (process < 0)
    throw Exception({.code = ErrorCode::internal,
                     .operand = "fork",
                     .violated_rules = {"the system must have room for another process"}});
  if (process == 0) {
    ::close(ends[0]);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    run_child(job, indices, task, ends[1]);
  }
  ::close(ends[1]);
  return {process, ends[0]};
}

/// What is left to do, and what the worker at work has said.
class Watch {
 public:
  Watch(const Job& job, int stall_seconds, const Audience& audience, const WorkerTask& task)
      : job_(job), stall_ms_(stall_seconds * 1000), audience_(audience), task_(task) {
    left_.resize(job.cases.size());
    std::iota(left_.begin(), left_.end(), size_t{0});
  }

  Supervised run() {
    Supervised outcome;
    do {
      const int status = follow(start(job_, left_, task_));
      if (!current_) {
        outcome.status = status;
        break;
      }
      ++outcome.lost;
      give_up();
    } while (!left_.empty() && outcome.lost < kMostLost);
    return outcome;
  }

 private:
  /// Until the worker ends; its exit status.
  int follow(const Worker& worker) {
    is_silent_ = false;
    std::string pending;
    char text[4096];
    while (true) {
      pollfd waiting{worker.file, POLLIN, 0};
      if (::poll(&waiting, 1, stall_ms_) == 0) {
        is_silent_ = true;
        ::kill(worker.process, SIGKILL);
        break;
      }
      const ssize_t count = ::read(worker.file, text, sizeof text);
      if (count <= 0) break;
      pending.append(text, static_cast<size_t>(count));
      for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
        take(message_of(pending.substr(0, end)));
        pending.erase(0, end + 1);
      }
    }
    ::close(worker.file);
    int status = 0;
    ::waitpid(worker.process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(command::kLaunchFailed);
  }

  void take(const Message& message) {
    if (message.word == "machine") audience_.machine(machine_of_wire(message.text));
    if (message.word == "print") audience_.print(message.text);
    if (message.word == "start") current_ = std::stoul(message.text);
    if (message.word == "case") report_ = report_of_wire(message.text);
    if (message.word == "result")
      report_.results.push_back(results_of_csv(message.text, "worker").at(0));
    if (message.word != "end") return;
    audience_.done(report_);
    forget_current();
  }

  void give_up() {
    const Case& each = job_.cases[*current_];
    audience_.done({.id = each.id,
                    .problem = to_string(each.problem),
                    .note = is_silent_ ? "no progress: its process was ended"
                                       : "its process died; the device may say why above",
                    .launches = 0,
                    .sets = 0,
                    .results = {}});
    forget_current();
  }

  void forget_current() {
    std::erase(left_, *current_);
    current_.reset();
  }

  const Job& job_;
  int stall_ms_;
  const Audience& audience_;
  const WorkerTask& task_;
  std::vector<size_t> left_;
  std::optional<size_t> current_;
  CaseReport report_;
  bool is_silent_ = false;
};

}  // namespace

Supervised supervise(const Job& job, int stall_seconds, const Audience& audience,
                     const WorkerTask& task) {
  return Watch(job, stall_seconds, audience, task).run();
}

}  // namespace jute::bench
