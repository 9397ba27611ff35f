// Follows a worker; starts another where one is lost.
#include "race/worker.hpp"

#include <poll.h>

#include <chrono>
#include <numeric>

#include "programs/interrupt.hpp"
#include "programs/worker_process.hpp"
#include "race/results/results.hpp"
#include "race/results/wire.hpp"

namespace jute::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostLost = 5;
constexpr int kGlanceMs = 500;

command::WorkerProcess start(const Job& job, const std::vector<size_t>& indices,
                             const WorkerTask& task) {
  return command::WorkerProcess::start(
      [&](const command::SayLine& line) {
        task(job, indices,
             [&](const std::string& word, const std::string& text) { line(word + "\t" + text); });
      },
      {.json = job.json});
}

/// The rest to do, and what the worker at work has said.
class Watch {
 public:
  Watch(const Job& job, int stall_seconds, const Audience& audience, const WorkerTask& task)
      : job_(job), stall_(stall_seconds), audience_(audience), task_(task) {
    left_.resize(job.cases.size());
    std::iota(left_.begin(), left_.end(), size_t{0});
  }

  Supervised run() {
    Supervised outcome;
    const command::InterruptWatch watch;
    do {
      const int status = follow(start(job_, left_, task_));
      outcome.is_interrupted = command::InterruptWatch::is_interrupted();
      if (outcome.is_interrupted) break;
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
  int follow(command::WorkerProcess worker) {
    is_silent_ = false;
    const auto hear = [&](const std::string& line) { take(message_of(line)); };
    auto heard = Clock::now();
    while (true) {
      pollfd waiting{worker.file(), POLLIN, 0};
      // In glances: an interrupt that comes just before a poll does not end it.
      const int ready = ::poll(&waiting, 1, kGlanceMs);
      if (command::InterruptWatch::is_interrupted()) {
        // All that it had said before counts.
        worker.kill();
        while (worker.read(hear)) {
        }
        break;
      }
      if (ready <= 0) {
        if (Clock::now() - heard < stall_) continue;
        is_silent_ = true;
        worker.kill();
        break;
      }
      if (!worker.read(hear)) break;
      heard = Clock::now();
    }
    return worker.finish().status;
  }

  void take(const Message& message) {
    if (audience_.progress)
      audience_.progress(static_cast<Index>(job_.cases.size() - left_.size()),
                         static_cast<Index>(job_.cases.size()));
    if (message.word == "machine") audience_.machine(machine_of_wire(message.text));
    if (message.word == "print") audience_.print(message.text);
    if (message.word == "start") current_ = std::stoul(message.text);
    if (message.word == "case") report_ = report_of_wire(message.text);
    if (message.word == "result") report_.results.push_back(result_of_csv(message.text));
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
  std::chrono::seconds stall_;
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
