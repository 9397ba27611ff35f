// Contestants are the ways of one distributed product; the slowest rank counts.
#include "bench/bench.hpp"

#include <jute/host/operands.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/ranks/distributed_gemm.hpp>
#include <jute/ranks/in_process.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

using Ends = std::vector<std::unique_ptr<Communicator>>;

/// One rank's memory and streams for one plan.
class TimedRank {
 public:
  TimedRank(Context& context, const DistributedPlan& plan, Index rank)
      : backend_(context.backend()), gemm_(prepare(context, plan, rank)) {
    if (const auto& epilogue = plan.problem.problem.epilogue)
      args_.inputs.assign(epilogue->inputs.size(), {.value = 1});
    for (const RankBuffer& buffer : plan.buffers)
      if (buffer.is_callers) place_of(buffer) = filled(buffer, rank);
    buffers_.emplace_back(backend_, gemm_.workspace_bytes());
    args_.workspace = buffers_.back().pointer();
    // A lane alone reads what nobody has brought.
    backend_.fill(args_.workspace, 0, gemm_.workspace_bytes());
    args_.stream = backend_.create_stream();
    args_.comm_stream = backend_.create_stream();
    if (plan.problem.problem.beta == Factor::one) args_.beta = 1;
    gemm_.clear_workspace(args_.workspace, args_.stream);
    backend_.synchronize();
  }
  ~TimedRank() {
    backend_.destroy_stream(args_.stream);
    backend_.destroy_stream(args_.comm_stream);
  }
  TimedRank(const TimedRank&) = delete;
  TimedRank& operator=(const TimedRank&) = delete;

  [[nodiscard]] double us_of(Communicator& end, std::optional<Lane> only, int calls) {
    args_.only = only;
    const Event from = backend_.record(args_.stream);
    for (int i = 0; i < calls; ++i) gemm_.run(end, args_);
    const Event to = backend_.record(args_.stream);
    end.finish(args_.stream);
    return 1e3 * backend_.elapsed_ms(from, to) / calls;
  }

 private:
  [[nodiscard]] DevicePointer& place_of(const RankBuffer& buffer) {
    if (buffer.input) return args_.inputs[*buffer.input].base;
    const std::string& name = buffer.name;
    return name == "A" ? args_.a : name == "B" ? args_.b : name == "C" ? args_.c : args_.d;
  }
  /// A block of random numbers, over and over.
  [[nodiscard]] DevicePointer filled(const RankBuffer& buffer, Index rank) {
    constexpr Index kMostNumbers = Index{1} << 20;
    const Index count = std::min(kMostNumbers, buffer.bytes / width_bytes(buffer.type));
    const std::vector<std::byte> block =
        random_bytes(buffer.type, count * width_bytes(buffer.type),
                     static_cast<std::uint64_t>(rank + 1), RandomKind::normal);
    buffers_.emplace_back(backend_, buffer.bytes);
    const DevicePointer place = buffers_.back().pointer();
    const auto length = static_cast<Index>(block.size());
    for (Index at = 0; at < buffer.bytes && length > 0; at += length)
      backend_.copy_in(
          place + static_cast<DevicePointer>(at),
          std::span(block).first(static_cast<std::size_t>(std::min(length, buffer.bytes - at))));
    return place;
  }

  Backend& backend_;
  DistributedGemm gemm_;
  std::vector<Buffer> buffers_;
  DistributedArgs args_;
};

struct MeshWay {
  std::string name;
  DistributedPlan plan;
  std::vector<std::unique_ptr<TimedRank>> ranks;
};
struct MeshContestant {
  std::string name;
  std::size_t way = 0;
  std::optional<Lane> only = {};
  int calls = 1;
  std::vector<double> us = {};
};

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// NCCL has one communicator for all ways: it takes what the way that leaves the most does.
int most_sms_of(const std::vector<MeshWay>& ways) {
  int most = 0;
  for (const MeshWay& way : ways) most = std::max(most, way.plan.problem.transport_sms);
  return most;
}

class MeshRace {
 public:
  MeshRace(const MeshRanks& ranks, std::vector<MeshWay> ways)
      : ends_(ranks.ends(most_sms_of(ways))), ways_(std::move(ways)) {
    for (MeshWay& way : ways_)
      for (std::size_t rank = 0; rank < ends_.size(); ++rank)
        way.ranks.push_back(
            std::make_unique<TimedRank>(ranks.context(rank), way.plan, static_cast<Index>(rank)));
    all_ = {{"kernels alone", 0, Lane::compute}, {"exchanges alone", 0, Lane::comm}};
    for (std::size_t i = 0; i < ways_.size(); ++i) all_.push_back({ways_[i].name, i});
  }

  /// On an emulator a call is long enough.
  void run(int rounds, bool is_timed_by_device) {
    constexpr double kRoundUs = 5000;
    constexpr int kMostCalls = 400;
    for (MeshContestant& it : all_) {
      const double us = std::max(1.0, time(it));
      if (is_timed_by_device) it.calls = std::clamp(static_cast<int>(kRoundUs / us), 2, kMostCalls);
    }
    for (int round = 0; round < rounds; ++round)
      for (MeshContestant& it : all_) it.us.push_back(time(it));
  }
  [[nodiscard]] const std::vector<MeshContestant>& contestants() const { return all_; }

 private:
  [[nodiscard]] double time(const MeshContestant& it) {
    std::vector<double> times(ends_.size());
    run_ranks(ends_, [&](Communicator& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      (void)end.gather_texts("start", "");
      times[rank] = ways_[it.way].ranks[rank]->us_of(end, it.only, it.calls);
    });
    return *std::ranges::max_element(times);
  }

  Ends ends_;
  std::vector<MeshWay> ways_;
  std::vector<MeshContestant> all_;
};

/// All ways that the problem has, the one in a row first.
std::vector<MeshWay> ways_of(const MeshBenchOptions& options, const Problem& problem,
                             const Session& session, const DeviceInfo& chip) {
  std::vector<MeshWay> ways;
  for (const std::string name : {"none", "chunks", "one-shot", "arrival", "store"}) {
    MeshOptions mesh = options.mesh;
    mesh.said.words["overlap"] = name;
    try {
      ways.push_back({name, distributed_plan(problem, options.problem, mesh, session, chip), {}});
    } catch (const Exception& exception) {
      if (exception.error().operand != "overlap") throw;
    }
  }
  return ways;
}

std::string planned_way(const std::vector<MeshWay>& ways, const DistributedPlan& planned) {
  for (const MeshWay& way : ways) {
    DistributedPlan same = way.plan;
    same.problem.overlap = planned.problem.overlap;
    if (to_string(same) == to_string(planned)) return way.name;
  }
  return {};
}

void print_race(const MeshRace& race, const MeshRanks& ranks, const DistributedPlan& plan,
                const std::string& planned, const Session& session) {
  Json times = Json::array();
  std::ostringstream text;
  text.precision(4);
  for (const MeshContestant& it : race.contestants()) {
    const double us = median_of(it.us), least = *std::ranges::min_element(it.us);
    times.push_back({{"name", it.name}, {"us", us}, {"least_us", least}});
    text << "time     " << bench::left(it.name, 16) << us << " us, least " << least << "\n";
  }
  if (session.common.json) {
    session.print({{"problem", to_string(plan.problem)},
                   {"ranks", rank_count(plan.problem.mesh)},
                   {"device", plan.device.name},
                   {"transport", ranks.transport()},
                   {"times", times},
                   {"planned", planned}});
    return;
  }
  session.out << "device   " << rank_count(plan.problem.mesh) << " ranks, each "
              << ranks.context(0).backend().name() << " (" << plan.device.name << "), by "
              << ranks.transport() << "\nproblem  " << short_text(plan.problem) << "\n"
              << text.str() << "planned  " << planned << ", expected "
              << bench::in_digits(expected_us(plan), 4) << " us\n";
}

}  // namespace

int run_mesh_bench(const MeshBenchOptions& given, const Session& session) {
  MeshBenchOptions options = given;
  const std::string axis = mesh_of(options.mesh).axes.front().name;
  if (options.mesh.said["place"].empty())
    options.mesh.said.words["place"] = "A=M@" + axis + ",B=N@" + axis + ",D=N@" + axis;
  // An emulator's times say nothing of a GPU: it runs where it is asked for.
  if (options.backend.device.empty() && session.settings().device != "emulator")
    options.backend.device = "cuda";
  const MeshRanks ranks(options.problem, options.mesh, options.backend, session);
  Problem problem = problem_of(options.problem);
  if (!problem.epilogue) {
    problem.alpha = Factor::one;
    problem.beta = Factor::zero;
  }
  std::vector<MeshWay> ways = ways_of(options, problem, session, ranks.chip());
  const DistributedPlan planned =
      distributed_plan(problem, options.problem, options.mesh, session, ranks.chip());
  const std::string name = planned_way(ways, planned);
  MeshRace race(ranks, std::move(ways));
  race.run(options.rounds, ranks.context(0).backend().name() != "emulator");
  print_race(race, ranks, planned, name, session);
  return kDone;
}

}  // namespace jute::command
