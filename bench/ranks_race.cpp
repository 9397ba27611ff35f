// A product over several ranks of one process: how long its kernels, its exchanges and both take,
// contestants taking turns, the slowest rank counted. bench/ranks.py drives it.
#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/context.hpp>
#include <jute/host/operands.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/in_process.hpp>
#include <jute/transport/transport.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>

#include "rank_stamps.hpp"
#include "ranks_race_options.hpp"

namespace jute::bench {
namespace {

using Ends = std::vector<std::unique_ptr<Communicator>>;

class Ranks {
 public:
  explicit Ranks(const RaceOptions& options) : options_(options) {
    for (Index rank = 0; rank < options.ranks; ++rank) {
      std::unique_ptr<Backend> backend;
      if (is_gpu())
        backend = open_device({.ordinal = static_cast<int>(rank)});
      else
        backend = open_emulator({.device = device_preset("h200")});
      contexts_.push_back(std::make_unique<Context>(std::move(backend)));
    }
  }
  [[nodiscard]] bool is_gpu() const { return options_.device == "cuda"; }
  [[nodiscard]] Context& context(Index rank) const {
    return *contexts_[static_cast<std::size_t>(rank)];
  }

  /// By the kinds of transport that there are.
  [[nodiscard]] std::vector<std::pair<std::string, Ends>> ends() const {
    std::vector<std::pair<std::string, Ends>> result;
    if (!is_gpu()) {
      std::vector<Backend*> backends;
      for (const auto& context : contexts_) backends.push_back(&context->backend());
      result.emplace_back("host", in_process_communicators(backends));
      return result;
    }
    std::vector<int> ordinals(contexts_.size());
    std::iota(ordinals.begin(), ordinals.end(), 0);
    if (is_named(options_.transports, "copies"))
      result.emplace_back("copies",
                          copy_communicators(ordinals, in_process_rendezvous(options_.ranks),
                                             {.flags = options_.flags}));
    if (is_named(options_.transports, "nccl"))
      result.emplace_back("nccl",
                          nccl_communicators(ordinals, in_process_rendezvous(options_.ranks),
                                             {.most_sms = options_.transport_sms}));
    return result;
  }

 private:
  const RaceOptions& options_;
  std::vector<std::unique_ptr<Context>> contexts_;
};

/// Random bf16 of about one, the same block over and over.
void fill_with_numbers(Backend& backend, DevicePointer to, Index bytes, Index rank) {
  static constexpr Index kBlock = Index{1} << 22;
  const std::vector<std::byte> block =
      random_bytes(DType::bf16, std::min(bytes, kBlock), static_cast<std::uint64_t>(rank + 1),
                   RandomKind::normal);
  const std::span<const std::byte> all(block);
  for (Index at = 0; at < bytes; at += kBlock)
    backend.copy_in(to + static_cast<DevicePointer>(at),
                    all.first(static_cast<std::size_t>(
                        std::min<Index>(static_cast<Index>(all.size()), bytes - at))));
}

/// One rank's memory and streams for one plan.
class RankSide {
 public:
  RankSide(Context& context, const DistributedPlan& plan, Index rank)
      : backend_(context.backend()), gemm_(prepare(context, plan, rank)) {
    const auto bring = [&](const char* name) {
      const RankBuffer& buffer = plan.buffers[buffer_of(plan, name)];
      buffers_.emplace_back(backend_, buffer.bytes);
      fill_with_numbers(backend_, buffers_.back().pointer(), buffer.bytes, rank);
      return buffers_.back().pointer();
    };
    args_.a = bring("A");
    args_.b = bring("B");
    args_.d = bring("D");
    buffers_.emplace_back(backend_, gemm_.workspace_bytes());
    args_.workspace = buffers_.back().pointer();
    if (std::ranges::any_of(plan.kernels, leaves_stamps))
      backend_.fill(args_.workspace, 0, gemm_.workspace_bytes());
    args_.stream = backend_.create_stream();
    side_ = backend_.create_stream();
    gemm_.clear_workspace(args_.workspace, args_.stream);
    backend_.synchronize();
  }
  ~RankSide() {
    backend_.destroy_stream(args_.stream);
    backend_.destroy_stream(side_);
  }
  RankSide(const RankSide&) = delete;
  RankSide& operator=(const RankSide&) = delete;

  void run(Communicator& end, std::optional<Lane> only) {
    DistributedArgs args = args_;
    args.comm_stream = side_;
    args.only = only;
    gemm_.run(end, args);
  }
  [[nodiscard]] double time_of(Communicator& end, std::optional<Lane> only, int calls) {
    const Event from = backend_.record(args_.stream);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) run(end, only);
    host_us_ = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                   .count() /
               calls;
    const Event to = backend_.record(args_.stream);
    end.finish(args_.stream);
    return 1e3 * backend_.elapsed_ms(from, to) / calls;
  }
  /// Of a call, last time: that run() itself took.
  [[nodiscard]] double host_us() const { return host_us_; }
  /// Of the kernel's last run.
  [[nodiscard]] std::vector<StampLane> stamps(Communicator& end, std::size_t kernel) const {
    const Plan& plan = gemm_.plan().kernels[kernel];
    std::vector<std::byte> left(static_cast<std::size_t>(workspace_bytes(plan)));
    backend_.copy_out(left, gemm_.kernel_workspace(end, kernel, args_.workspace));
    return read_stamps(plan, left);
  }
  [[nodiscard]] std::vector<std::byte> result(const DistributedPlan& plan) {
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(plan.buffers[buffer_of(plan, "D")].bytes));
    backend_.copy_out(bytes, args_.d);
    return bytes;
  }

 private:
  Backend& backend_;
  DistributedGemm gemm_;
  std::vector<Buffer> buffers_;
  DistributedArgs args_;
  Stream side_;
  double host_us_ = 0;
};

struct Contestant {
  std::string name;
  std::size_t ends = 0;  ///< place among the transports
  std::size_t plan = 0;
  std::optional<Lane> only;
  int calls = 1;
  std::vector<double> times;
};

struct PlannedWay {
  std::string name;
  DistributedPlan plan;
  std::vector<std::unique_ptr<RankSide>> sides;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Race {
 public:
  Race(const RaceOptions& options, const Ranks& ranks) : options_(options), ranks_(ranks) {
    if (!options.only_prepares) transports_ = ranks.ends();
  }

  void run(const std::string& line) {
    const std::string text = problem_text(line, options_.ranks);
    if (text.empty()) throw std::runtime_error("no such case: " + line);
    std::vector<PlannedWay> ways = planned(text);
    if (options_.only_prepares) return prepare_all(ways);
    open_sides(ways);
    std::vector<Contestant> all;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (i == 0) all.push_back({"gemm", 0, i, Lane::compute, 1, {}});
      for (std::size_t j = 0; j < transports_.size(); ++j) {
        if (i == 0) all.push_back({"comm " + transports_[j].first, j, i, Lane::comm, 1, {}});
        // Where kernels do not reach other ranks' memory it is an exchange as any other.
        const bool needs_windows =
            ways[i].name == "one-shot" || ways[i].name == "arrival" || ways[i].name == "store";
        if (needs_windows && transports_[j].first == "nccl") continue;
        all.push_back({ways[i].name + " " + transports_[j].first, j, i, std::nullopt, 1, {}});
      }
    }
    const char* const agree = compare(ways);
    for (Contestant& it : all) calibrate(it, ways[it.plan]);
    for (int round = 0; round < options_.rounds; ++round)
      for (Contestant& it : all) it.times.push_back(time(it, ways[it.plan]));
    for (const Contestant& it : all)
      std::printf("%s,%s,%.2f,%.2f,%s\n", line.c_str(), it.name.c_str(), median(it.times),
                  *std::ranges::min_element(it.times), agree);
    const std::string chosen = chosen_way(text, ways) + " " + transports_.front().first;
    for (const Contestant& it : all)
      if (it.name == chosen)
        std::printf("%s,planned %s,%.2f,%.2f,%s\n", line.c_str(), chosen.c_str(), median(it.times),
                    *std::ranges::min_element(it.times), agree);
    tell_host_costs(line, all, ways);
    if (options_.with_stamps)
      for (PlannedWay& way : ways) tell_stamps(line, way);
    std::printf("%s,end,0,0,\n", line.c_str());
    std::fflush(stdout);
  }

 private:
  [[nodiscard]] std::vector<PlannedWay> planned(const std::string& text) const {
    std::vector<PlannedWay> ways;
    const DeviceInfo device = ranks_.context(0).backend().device_info();
    for (const auto& [name, overlap] :
         {std::pair{"seq", OverlapChoice::none}, std::pair{"chunks", OverlapChoice::chunks},
          std::pair{"one-shot", OverlapChoice::one_shot},
          std::pair{"arrival", OverlapChoice::arrival}, std::pair{"store", OverlapChoice::store}}) {
      if (!is_named(options_.ways, name)) continue;
      DistributedProblem problem = parse_distributed_problem(text);
      problem.overlap = overlap;
      problem.transport_sms = options_.transport_sms;
      try {
        ways.push_back({name, make_plan(problem, device, parse_config(options_.config)), {}});
      } catch (const Exception& exception) {
        if (exception.error().operand != "overlap") throw;
      }
    }
    return ways;
  }
  void open_sides(std::vector<PlannedWay>& ways) const {
    for (PlannedWay& way : ways)
      for (Index rank = 0; rank < options_.ranks; ++rank)
        way.sides.push_back(std::make_unique<RankSide>(ranks_.context(rank), way.plan, rank));
  }
  void prepare_all(const std::vector<PlannedWay>& ways) const {
    for (const PlannedWay& way : ways) {
      (void)prepare(ranks_.context(0), way.plan, 0);
      if (options_.with_stamps) (void)prepare(ranks_.context(0), stamped(way.plan), 0);
    }
  }

  /// The way that the planner takes by itself.
  [[nodiscard]] std::string chosen_way(const std::string& text,
                                       const std::vector<PlannedWay>& ways) const {
    DistributedProblem problem = parse_distributed_problem(text);
    problem.transport_sms = options_.transport_sms;
    const DistributedPlan free = make_plan(problem, ranks_.context(0).backend().device_info(),
                                           parse_config(options_.config));
    for (const PlannedWay& way : ways) {
      DistributedPlan plan = way.plan;
      plan.problem.overlap = free.problem.overlap;
      if (to_string(plan) == to_string(free)) return way.name;
    }
    return {};
  }

  /// Has D the same bits by every way and transport? It must where products sum in one order.
  const char* compare(std::vector<PlannedWay>& ways) {
    using Parts = std::vector<std::vector<std::byte>>;
    std::map<std::vector<std::string>, Parts> by_order;
    bool is_kept = true;
    for (PlannedWay& way : ways)
      for (auto& [name, ends] : transports_) {
        Parts parts(ends.size());
        run_ranks(ends, [&](Communicator& end) {
          RankSide& side = *way.sides[static_cast<std::size_t>(end.rank())];
          (void)side.time_of(end, std::nullopt, 1);
          (void)end.gather_texts("compared", "");
          parts[static_cast<std::size_t>(end.rank())] = side.result(way.plan);
        });
        const auto& known = by_order.try_emplace(orders_of(way), parts).first->second;
        is_kept = is_kept && parts == known;
      }
    const bool is_one = std::ranges::all_of(
        by_order, [&](const auto& it) { return it.second == by_order.begin()->second; });
    return !is_kept ? "DIFFERENT" : is_one ? "same" : "same by sum order";
  }
  /// How its products sum; one that has no name for it sums as its own kernels do.
  static std::vector<std::string> orders_of(const PlannedWay& way) {
    std::vector<std::string> orders = sum_orders(way.plan);
    if (orders.size() != 1 || orders.front().empty()) orders.push_back(way.name);
    return orders;
  }

  /// Of a run among others by the first transport, of each product's kernel: where its blocks were.
  void tell_stamps(const std::string& line, const PlannedWay& way) {
    const DistributedPlan plan = stamped(way.plan);
    std::mutex printing;
    run_ranks(transports_.front().second, [&](Communicator& end) {
      RankSide side(ranks_.context(end.rank()), plan, end.rank());
      constexpr int kRuns = 3;
      end.window_for_rows() = {};  // one of zeros
      (void)side.time_of(end, std::nullopt, kRuns);
      (void)end.gather_texts("stamped", "");
      const std::scoped_lock lock(printing);
      for (std::size_t kernel = 0; kernel < plan.kernels.size(); ++kernel) {
        if (!leaves_stamps(plan.kernels[kernel])) continue;
        for (const RolePhases& it : phases_of(side.stamps(end, kernel)))
          std::printf("%s,stamps %s kernel %zu rank %lld %s,%.1f,%.1f,%s\n", line.c_str(),
                      way.name.c_str(), kernel, static_cast<long long>(end.rank()), it.role.c_str(),
                      it.median.whole, it.most.whole, to_string(it).c_str());
      }
    });
  }

  /// Of eight calls, which no queue is full of.
  void tell_host_costs(const std::string& line, std::vector<Contestant>& all,
                       std::vector<PlannedWay>& ways) {
    constexpr int kCalls = 8;
    for (Contestant& it : all) {
      if (it.only) continue;
      it.calls = kCalls;
      std::vector<double> costs;
      for (int round = 0; round < options_.rounds; ++round) {
        (void)time(it, ways[it.plan]);
        double most = 0;
        for (const auto& side : ways[it.plan].sides) most = std::max(most, side->host_us());
        costs.push_back(most);
      }
      std::printf("%s,host %s,%.2f,%.2f,\n", line.c_str(), it.name.c_str(), median(costs),
                  *std::ranges::min_element(costs));
    }
  }

  /// The first call of a thread is not counted: the driver makes that thread its own.
  double time(Contestant& it, PlannedWay& way) {
    Ends& ends = transports_[it.ends].second;
    std::vector<double> times(ends.size());
    run_ranks(ends, [&](Communicator& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      (void)way.sides[rank]->time_of(end, it.only, 1);
      (void)end.gather_texts("start", "");
      times[rank] = way.sides[rank]->time_of(end, it.only, it.calls);
    });
    return *std::ranges::max_element(times);
  }

  void calibrate(Contestant& it, PlannedWay& way) {
    (void)time(it, way);
    const double us = std::max(time(it, way), 1.0);
    it.calls = std::clamp(static_cast<int>(1e3 * options_.round_ms / us), 2, 400);
  }

  const RaceOptions& options_;
  const Ranks& ranks_;
  std::vector<std::pair<std::string, Ends>> transports_;
};

}  // namespace
}  // namespace jute::bench

int main(int count, char** words) {
  using namespace jute::bench;
  const RaceOptions options = race_options_of(count, words);
  try {
    const Ranks ranks(options);
    Race race(options, ranks);
    for (const std::string& line : options.problems) {
      std::fprintf(stderr, "case %s\n", line.c_str());
      race.run(line);
    }
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "ranks_race: %s\n", exception.what());
    return 1;
  }
  return 0;
}
