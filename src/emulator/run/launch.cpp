// Runs a grid: blocks in order over the machine's threads, or all on one where blocks may talk.
#include "emulator/check/deadlock.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace jute::emulator {
namespace {

// Rounds in which every open block only polls, before a launch counts as stuck.
constexpr int kIdleRounds = 1 << 12;
// The same before other ranks get time, where memory is shared; and for how long.
constexpr int kRoundsOfRanks = 16;
constexpr double kMostSecondsOfRanks = 30;
// Between two questions whether a launch goes on.
constexpr std::chrono::milliseconds kPause{100};

/// Clusters of a launch that all its workers count.
struct ClusterCounts {
  std::atomic<std::int64_t> next{0}, finished{0};
  std::atomic<bool> is_given_up{false};
};

/// Ends a worker whose launch another one has ended.
struct GivenUp {};

/// Lets the caller end a launch, on the thread that launches. On others it does nothing.
class Pauses {
 public:
  explicit Pauses(const std::function<void()>& on_pause) : on_pause_(on_pause) {}
  void pass() {
    if (!on_pause_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kPause;
    on_pause_();
  }

 private:
  const std::function<void()>& on_pause_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kPause;
};

/// One CPU thread's share of a launch: takes clusters (of one block, usually) in order and keeps
/// several open when they wait for each other.
class Worker {
 public:
  Worker(const LaunchContext& launch, ClusterCounts& counts, std::int64_t clusters,
         const std::function<void()>& on_pause)
      : diagnostics(launch.program),
        launch_(launch),
        counts_(counts),
        blocks_(clusters),
        pauses_(on_pause) {}

  void run() {
    const std::int64_t most = resident_clusters();
    int idle = 0;
    while (open_one_if_idle(idle, most) || !open_.empty()) {
      Progress best = Progress::blocked;
      for (size_t i = 0; i < open_.size(); ++i) best = std::min(best, turn(*open_[i]));
      close_finished();
      idle = best == Progress::moved ? 0 : best == Progress::polled ? idle + 1 : kIdleRounds;
      if (can_open(most) || open_.empty()) continue;
      if (best == Progress::polled && idle >= kRoundsOfRanks && waits_for_ranks()) idle = 0;
      if (idle < kIdleRounds) continue;
      give_up();
      idle = 0;
    }
  }

  Diagnostics diagnostics;
  GlobalHistory history;

 private:
  [[nodiscard]] std::int64_t resident_clusters() const {
    const Dim3& size = launch_.spec.cluster;
    // A cooperative launch was held to what the device takes at a time.
    if (launch_.spec.residency == Residency::whole_grid) return blocks_;
    const std::int64_t blocks = launch_.options.resident_blocks > 0
                                    ? launch_.options.resident_blocks / (size.x * size.y * size.z)
                                    : launch_.device.sm_count;
    return std::max<std::int64_t>(1, blocks);
  }
  [[nodiscard]] bool can_open(std::int64_t most) const {
    return counts_.next.load() < blocks_ && static_cast<std::int64_t>(open_.size()) < most;
  }
  bool open_one_if_idle(int idle, std::int64_t most) {
    if (!open_.empty() && idle == 0) return false;
    if (static_cast<std::int64_t>(open_.size()) >= most) return false;
    const std::int64_t linear = counts_.next.fetch_add(1);
    if (linear >= blocks_) return false;
    if (spare_.empty()) spare_.push_back(make_cluster(linear));
    open_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    open_.back()->start(linear);
    return true;
  }
  [[nodiscard]] std::unique_ptr<Cluster> make_cluster(std::int64_t linear) {
    auto cluster = std::make_unique<Cluster>();
    const Dim3& size = launch_.spec.cluster;
    for (std::int64_t rank = 0; rank < size.x * size.y * size.z; ++rank) {
      const auto salt = static_cast<std::uint64_t>(linear * 64 + rank);
      cluster->blocks.push_back(std::make_unique<Block>(
          launch_, diagnostics, history, launch_.options.seed * 0x9E3779B97F4A7C15ULL + salt));
      cluster->blocks.back()->cluster = cluster.get();
      cluster->blocks.back()->rank = static_cast<int>(rank);
    }
    return cluster;
  }
  // A cluster runs until it ends or only waits.
  Progress turn(Cluster& cluster) {
    bool moved = false;
    for (;;) {
      pauses_.pass();
      if (counts_.is_given_up) throw GivenUp();
      Progress best = Progress::blocked;
      for (auto& block : cluster.blocks)
        if (!block->is_finished()) best = std::min(best, step(*block));
      if (cluster.is_finished()) return Progress::moved;
      if (best != Progress::moved && !land_oldest(cluster)) return moved ? Progress::moved : best;
      moved = true;
    }
  }
  // A block that ends has moved.
  static Progress step(Block& block) {
    const Progress progress = block.step();
    return progress == Progress::finished ? Progress::moved : progress;
  }
  void close_finished() {
    for (size_t i = 0; i < open_.size();) {
      if (!open_[i]->is_finished()) {
        ++i;
        continue;
      }
      spare_.push_back(std::move(open_[i]));
      // The launch would not end either: its other blocks need not show it.
      for (const auto& block : spare_.back()->blocks)
        if (block->overran) counts_.next.store(blocks_);
      const std::int64_t finished = ++counts_.finished;
      if (launch_.options.on_block) {
        const Dim3& size = launch_.spec.cluster;
        const std::int64_t each = size.x * size.y * size.z;
        launch_.options.on_block(finished * each, blocks_ * each);
      }
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  /// Polls may be for what another rank writes: its thread gets time. False: it has had enough.
  [[nodiscard]] bool waits_for_ranks() {
    if (launch_.ranks == nullptr) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!waits_since_) waits_since_ = now;
    const double waited = std::chrono::duration<double>(now - *waits_since_).count();
    const bool goes_on =
        *launch_.keeps_waiting ? (*launch_.keeps_waiting)(waited) : waited < kMostSecondsOfRanks;
    if (goes_on) std::this_thread::sleep_for(std::chrono::microseconds(100));
    return goes_on;
  }
  void give_up() {
    for (auto& cluster : open_)
      for (auto& block : cluster->blocks)
        if (!block->is_finished() && block->force_convergence()) return;
    const Dim3& size = launch_.spec.cluster;
    Standstill standstill;
    const std::int64_t next = std::min(blocks_, counts_.next.load());
    standstill.next = block_of_cluster(launch_.spec, next, 0);
    standstill.unstarted = (blocks_ - next) * size.x * size.y * size.z;
    for (auto& cluster : open_)
      for (auto& block : cluster->blocks)
        if (!block->is_finished()) standstill.blocks.push_back(block.get());
    report_deadlock(standstill);
    close_finished();
  }

  const LaunchContext& launch_;
  ClusterCounts& counts_;
  std::int64_t blocks_;
  Pauses pauses_;
  std::optional<std::chrono::steady_clock::time_point> waits_since_;  ///< for ranks, first
  std::deque<std::unique_ptr<Cluster>> open_;
  std::vector<std::unique_ptr<Cluster>> spare_;
};

int worker_count(const LaunchContext& launch, std::int64_t blocks) {
  // Results must not depend on timing: blocks that may see each other's writes run on one thread.
  if (launch.program.orders_blocks || launch.options.check == Check::full) return 1;
  if (launch.counter != nullptr) return 1;
  const int wanted = launch.options.threads > 0
                         ? launch.options.threads
                         : static_cast<int>(std::thread::hardware_concurrency());
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, blocks));
}

}  // namespace

GlobalHistory run_grid(const LaunchContext& launch, Diagnostics& report) {
  const Dim3& grid = launch.spec.grid;
  const Dim3& size = launch.spec.cluster;
  const std::int64_t blocks = grid.x * grid.y * grid.z / (size.x * size.y * size.z);
  ClusterCounts counts;
  std::deque<Worker> workers;
  const int count = worker_count(launch, blocks);
  const std::function<void()> never;
  for (int i = 0; i < count; ++i)
    workers.emplace_back(launch, counts, blocks, i == 0 ? launch.options.on_pause : never);
  std::vector<std::exception_ptr> failures(workers.size());
  std::vector<std::thread> threads;
  const auto run = [&](size_t index) {
    try {
      workers[index].run();
    } catch (const GivenUp&) {
    } catch (...) {
      failures[index] = std::current_exception();
      counts.next.store(blocks);
      counts.is_given_up = true;
    }
  };
  try {
    for (size_t i = 1; i < workers.size(); ++i) threads.emplace_back(run, i);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that are there take all blocks.
  }
  run(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& each : failures)
    if (each) std::rethrow_exception(each);
  for (const Worker& worker : workers) report.merge(worker.diagnostics);
  return std::move(workers.front().history);
}

}  // namespace jute::emulator
