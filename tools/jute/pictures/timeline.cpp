// Follows a block through its first tiles: whoever waits goes on when what it waits for is there.
#include "pictures/timeline.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <utility>

namespace jute::command {
namespace {

constexpr double kLoad = 2.0, kDrain = 2.0, kAsk = 0.15, kStore = 0.3;
constexpr Index kMostKTiles = 6;

/// k-tiles of one tile: no more than can be read, but every stage is used, and one comes again.
int k_tiles_of(const GemmStep& step) {
  const Index all = ceil_div(std::max<Index>(step.k.value, 1), step.tile.k);
  const Index slice = ceil_div(all, std::max(step.schedule.split_k, 1));
  const Index most = std::max<Index>(kMostKTiles, step.schedule.stages + 1);
  return static_cast<int>(std::clamp<Index>(slice, 1, most));
}

class Follower {
 public:
  explicit Follower(const GemmStep& step) : step_(step), k_tiles_(k_tiles_of(step)) {}

  Timeline followed() {
    line_.title = step_.symbol + " in time";
    switch (step_.schedule.main_loop) {
      case MainLoop::warp_specialised:
        specialised();
        break;
      case MainLoop::multistage:
        multistage();
        break;
      case MainLoop::register_staged:
        register_staged();
        break;
      case MainLoop::straight:
        straight();
        break;
    }
    for (const TimelineSpan& span : line_.spans) line_.end = std::max(line_.end, span.end);
    tell();
    return std::move(line_);
  }

 private:
  int add_row(std::string name) {
    line_.rows.push_back(std::move(name));
    return static_cast<int>(line_.rows.size()) - 1;
  }
  int add_stages() {
    const int first = static_cast<int>(line_.rows.size());
    for (int stage = 0; stage < step_.schedule.stages; ++stage)
      add_row("stage " + std::to_string(stage));
    return first;
  }
  void add(int row, double begin, double end, Activity activity, int tile, int k_tile) {
    if (end > begin) line_.spans.push_back({row, begin, end, activity, tile, k_tile});
  }
  /// A stage from the request to the end of the products that read it.
  void add_stage(int row, double asked, double landed, double begin, double end, int tile,
                 int k_tile) {
    add(row, asked, landed, Activity::on_its_way, tile, k_tile);
    add(row, landed, begin, Activity::waiting, tile, k_tile);
    add(row, begin, end, Activity::read, tile, k_tile);
  }

  /// One producer, teams of consumers that take turns with the tensor cores.
  void specialised() {
    const KernelSchedule& schedule = step_.schedule;
    const int ping_pong = std::max(schedule.ping_pong, 1);
    const int tiles = walks(schedule) ? ping_pong + 1 : 1;
    const int producer = add_row("producer"), stages = add_stages();
    const int first_team = static_cast<int>(line_.rows.size());
    for (int team = 0; team < ping_pong; ++team)
      add_row(ping_pong > 1 ? "team " + std::to_string(team) : "consumers");
    std::vector<double> stage_free(static_cast<size_t>(schedule.stages));
    std::vector<double> team_free(static_cast<size_t>(ping_pong));
    double asked = -kAsk, multiplied = 0.0;
    for (int tile = 0; tile < tiles; ++tile) {
      const int team = tile % ping_pong;
      double& own = team_free[static_cast<size_t>(team)];
      multiplied = std::max(multiplied, own);
      for (int k_tile = 0; k_tile < k_tiles_; ++k_tile) {
        const int stage = (tile * k_tiles_ + k_tile) % schedule.stages;
        double& is_free = stage_free[static_cast<size_t>(stage)];
        asked = std::max(asked + kAsk, is_free);
        const double landed = asked + kLoad, begin = std::max(multiplied, landed);
        multiplied = is_free = begin + 1.0;
        add(producer, asked, asked + kAsk, Activity::on_its_way, tile, k_tile);
        add_stage(stages + stage, asked, landed, begin, multiplied, tile, k_tile);
        add(first_team + team, begin, multiplied, Activity::multiply, tile, k_tile);
      }
      own = multiplied + kDrain;
      add(first_team + team, multiplied, own, Activity::drain, tile, 0);
    }
  }

  /// All threads ask for a k-tile that is some stages ahead, then multiply one that is there.
  void multistage() {
    const int ahead = std::max(step_.schedule.stages - 1, 1);
    const int stages = add_stages(), threads = add_row("all threads");
    std::vector<double> asked(static_cast<size_t>(k_tiles_));
    double now = 0.0;
    for (int k_tile = 0; k_tile < std::min(ahead, k_tiles_); ++k_tile, now += kAsk)
      asked[static_cast<size_t>(k_tile)] = now;
    for (int k_tile = 0; k_tile < k_tiles_; ++k_tile) {
      const double at = asked[static_cast<size_t>(k_tile)], begin = std::max(now, at + kLoad);
      if (k_tile + ahead < k_tiles_) asked[static_cast<size_t>(k_tile + ahead)] = begin;
      now = begin + 1.0;
      add_stage(stages + k_tile % step_.schedule.stages, at, at + kLoad, begin, now, 0, k_tile);
      add(threads, begin, now, Activity::multiply, 0, k_tile);
    }
    add(threads, now, now + kDrain, Activity::drain, 0, 0);
  }

  /// All threads load a k-tile into registers while they multiply the one before it, then store it.
  void register_staged() {
    const int registers = add_row("registers"), stages = add_stages();
    const int threads = add_row("all threads");
    double now = 0.0, asked = 0.0;
    for (int k_tile = 0; k_tile < k_tiles_; ++k_tile) {
      const double landed = asked + kLoad, stored = std::max(now, landed) + kStore;
      const int stage = stages + k_tile % step_.schedule.stages;
      add(registers, asked, landed, Activity::on_its_way, 0, k_tile);
      add(registers, landed, stored - kStore, Activity::waiting, 0, k_tile);
      add(threads, stored - kStore, stored, Activity::store, 0, k_tile);
      add(stage, stored - kStore, stored, Activity::store, 0, k_tile);
      asked = stored;
      now = stored + 1.0;
      add(stage, stored, now, Activity::read, 0, k_tile);
      add(threads, stored, now, Activity::multiply, 0, k_tile);
    }
    add(threads, now, now + kDrain, Activity::drain, 0, 0);
  }

  /// All threads ask for the fragments of a k-tile, then multiply them.
  void straight() {
    const int registers = add_row("registers"), threads = add_row("all threads");
    double now = 0.0;
    for (int k_tile = 0; k_tile < k_tiles_; ++k_tile) {
      const double landed = now + kLoad;
      add(registers, now, landed, Activity::on_its_way, 0, k_tile);
      add(registers, landed, landed + 1.0, Activity::read, 0, k_tile);
      add(threads, landed, landed + 1.0, Activity::multiply, 0, k_tile);
      now = landed + 1.0;
    }
    add(threads, now, now + kDrain, Activity::drain, 0, 0);
  }
  void tell() {
    const KernelSchedule& schedule = step_.schedule;
    line_.notes = {
        "Order, not clocks: the products of a k-tile are 1 long, a load and a drain 2; "
        "numbers are k-tiles, " +
        std::to_string(k_tiles_) + " of each tile are shown"};
    if (schedule.ping_pong > 1)
      line_.notes.push_back("Teams take turns: one multiplies while another drains");
    if (blocks(schedule.cluster) > 1)
      line_.notes.push_back("A stage is filled by the producers of all " +
                            std::to_string(blocks(schedule.cluster)) +
                            " blocks of the cluster that share it");
    if (schedule.split_k > 1)
      line_.notes.push_back("A block sums one of " + std::to_string(schedule.split_k) +
                            " slices of K; " +
                            (schedule.reduction != SplitK::last_adds
                                 ? "each block of a tile then adds a part of it in order"
                                 : "the last block of a tile adds the sums in order"));
  }

  const GemmStep& step_;
  int k_tiles_;
  Timeline line_;
};

}  // namespace

Timeline timeline(const GemmStep& step) { return Follower(step).followed(); }

}  // namespace jute::command
