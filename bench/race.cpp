// One case: capture every contestant, take turns, check what they computed.
#include "race.hpp"

#include <algorithm>

namespace jute::bench {
namespace {

constexpr Index kRestingBytes = Index{1} << 20;

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  return stream;
}

std::vector<double> ratios(const std::vector<Shot>& peer, const std::vector<Shot>& own) {
  std::vector<double> result;
  for (size_t i = 0; i < own.size(); ++i) result.push_back(peer[i].ms / own[i].ms);
  return result;
}

void fill_resources(Result& result, const Gemm& gemm) {
  for (const Binary& binary : gemm.binaries()) {
    if (!binary.resources) continue;
    result.registers = std::max(result.registers, binary.resources->registers);
    result.spills += binary.resources->spill_store_bytes + binary.resources->spill_load_bytes;
  }
}

}  // namespace

struct Race::Lane {
  Result result;
  std::optional<Graph> graph;
  std::vector<Shot> shots;
};

Race::Race(Context& context, const Options& options)
    : context_(context),
      options_(options),
      kernels_(context.backend()),
      stream_(new_stream()),
      timer_(context.backend(), kernels_, stream_) {}

Race::Lane Race::jute_lane(const Entrant& entrant, const OperandSets& sets) {
  Lane lane;
  lane.result.name = "jute " + entrant.name;
  lane.result.note = entrant.refusal;
  if (!entrant.gemm) return lane;
  const Gemm& gemm = *entrant.gemm;
  fill_resources(lane.result, gemm);
  if (gemm.workspace_bytes() > workspace_.size_bytes())
    workspace_ = Buffer(context_.backend(), gemm.workspace_bytes());
  GemmArgs args;
  args.workspace = workspace_.pointer();
  args.stream.handle = reinterpret_cast<std::uint64_t>(stream_);
  try {
    lane.graph.emplace(stream_, sets.launches(), [&](int launch) {
      args.a = sets.a(launch);
      args.b = sets.b(launch);
      args.d = sets.d(launch);
      gemm.run(args);
    });
  } catch (const Exception& exception) {
    lane.result.note = exception.what();
  }
  return lane;
}

Race::Lane Race::peer_lane(const std::string& name, int candidate, const OperandSets& sets) {
  Lane lane;
  lane.result.name = name;
  try {
    lane.graph.emplace(stream_, sets.launches(),
                       [&](int launch) { peer_.launch(candidate, sets, launch, stream_); });
  } catch (const Exception& exception) {
    lane.result.note = exception.what();
  }
  return lane;
}

int Race::fastest_candidate(int count, const OperandSets& sets) {
  std::vector<Lane> lanes;
  for (int i = 0; i < count; ++i) lanes.push_back(peer_lane("", i, sets));
  int fastest = 0;
  double least_ms = 0;
  for (int i = 0; i < count; ++i) {
    const Lane& lane = lanes[static_cast<size_t>(i)];
    if (!lane.graph) continue;
    (void)timer_.replay(*lane.graph);
    const double ms = median({timer_.replay(*lane.graph).ms, timer_.replay(*lane.graph).ms,
                              timer_.replay(*lane.graph).ms});
    if (least_ms != 0 && ms >= least_ms) continue;
    least_ms = ms;
    fastest = i;
  }
  return fastest;
}

/// Runs the lane once more on poisoned results and looks at samples of the first and last set.
void Race::judge(Lane& lane, const Case& bench_case, const OperandSets& sets) {
  sets.poison();
  context_.backend().synchronize();
  require(cudaGraphLaunch(lane.graph->handle(), stream_), "cudaGraphLaunch");
  require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  for (const int set : {0, sets.count() - 1}) {
    const double ratio = kernels_.worst_ratio(bench_case, sets.a(set), sets.b(set), sets.d(set),
                                              7 + static_cast<std::uint64_t>(set));
    lane.result.error = std::max(lane.result.error, ratio);
  }
}

std::vector<Result> Race::run(const Case& bench_case, const std::vector<Entrant>& entrants) {
  const OperandSets sets(context_.backend(), kernels_, bench_case);
  std::vector<Lane> lanes;
  for (const Entrant& entrant : entrants) lanes.push_back(jute_lane(entrant, sets));
  const int candidates = peer_.prepare(bench_case, options_.candidates);
  const size_t best = lanes.size();
  if (candidates > 0) {
    lanes.push_back(peer_lane("cublasLt best", fastest_candidate(candidates, sets), sets));
    lanes.push_back(peer_lane("cublasLt default", 0, sets));
  }
  std::vector<Lane*> running;
  std::vector<const Graph*> graphs;
  for (Lane& lane : lanes)
    if (lane.graph) {
      running.push_back(&lane);
      graphs.push_back(&*lane.graph);
    }
  const bool rests = sets.bytes_per_set() > kRestingBytes;
  const auto shots = timer_.in_turns(graphs, options_.rounds, rests ? options_.rest_ms : 0);
  for (size_t i = 0; i < running.size(); ++i) {
    Lane& lane = *running[i];
    lane.shots = shots[i];
    std::vector<double> ms, mhz;
    for (const Shot& shot : lane.shots) {
      ms.push_back(shot.ms);
      mhz.push_back(shot.mhz);
    }
    lane.result.ms = median(ms);
    lane.result.mhz = median(mhz);
    lane.result.tflops = bench_case.flop() / lane.result.ms * 1e-9;
    if (options_.sustained)
      lane.result.sustained_tflops = bench_case.flop() / timer_.sustained(*lane.graph).ms * 1e-9;
    judge(lane, bench_case, sets);
  }
  std::vector<Result> results;
  for (Lane& lane : lanes) {
    if (!lane.shots.empty() && candidates > 0 && !lanes[best].shots.empty()) {
      const std::vector<double> rounds = ratios(lanes[best].shots, lane.shots);
      lane.result.against_best = median(rounds);
      lane.result.least = std::ranges::min(rounds);
      lane.result.most = std::ranges::max(rounds);
      if (!lanes[best + 1].shots.empty())
        lane.result.against_default = median(ratios(lanes[best + 1].shots, lane.shots));
    }
    results.push_back(lane.result);
  }
  return results;
}

}  // namespace jute::bench
