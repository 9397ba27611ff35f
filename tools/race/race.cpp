// One case: screen the peers, check what everybody computes, take turns in every mode.
#include "race/race.hpp"

#include <algorithm>
#include <cmath>

#include "race/results/statistics.hpp"
#include "tree/numbers.hpp"

namespace jute::bench {

/// A contestant on its way through a case.
struct Race::Lane {
  Contestant contestant;
  std::optional<Graph> graph;  ///< as launched, but for peers with plain edges
  Edges edges = Edges::as_launched;
  Judgement judgement{-1, {}};  ///< not judged yet
};

/// Peers that are right, and what to say where none is.
struct Race::BestPeers {
  Lanes lanes;
  std::string when_none;
};

namespace {

Result result_in(Mode mode, const Case& each, const Contestant& contestant) {
  Result result;
  result.case_id = each.id;
  result.mode = mode;
  result.side = contestant.side;
  result.contestant = contestant.name;
  result.registers = contestant.registers;
  result.spill_bytes = contestant.spill_bytes;
  result.flop = flop(each.problem);
  result.bytes = least_bytes(each);
  result.note = contestant.refusal;
  return result;
}

Timed timed(Result result, const std::vector<Shot>& shots) {
  Timed each{std::move(result), {}, {}, {}};
  for (const Shot& shot : shots) {
    each.us.push_back(shot.us);
    each.mhz.push_back(shot.mhz);
    each.watts.push_back(shot.watts);
  }
  return each;
}

/// A node takes about a kilobyte: from memory it comes later than a kernel of a microsecond ends.
Work replay_of(const Graph& graph) {
  constexpr int kManyNodes = 2000;
  return {[&graph] { graph.replay(); }, graph.launches(), graph.launches() > kManyNodes};
}

double fastest_us(const std::vector<Result>& results) {
  double fastest = INFINITY;
  for (const Result& result : results)
    if (result.us > 0) fastest = std::min(fastest, result.us);
  return fastest;
}

}  // namespace

bool can_be_chained(const Case& each) {
  const Problem& p = each.problem;
  return p.n == p.k && p.a.type == p.d.type && p.a.order == p.d.order &&
         p.a.ld_elems == p.d.ld_elems && p.a.batch_stride_elems == p.d.batch_stride_elems &&
         !p.a.broadcast && !p.groups && !p.a.rows && !p.d.rows && each.beta == 0.0 && !p.epilogue;
}

Race::Race(Context& context, const Settings& settings, const OpenPeers& open_peers,
           RaceOptions options, Alive alive)
    : context_(context),
      options_(options),
      alive_(std::move(alive)),
      power_(gpu_.pci_bus()),
      kernels_(context.backend(), settings),
      timer_(context.backend(), gpu_, kernels_) {
  if (open_peers) peers_ = open_peers(context.backend());
}

Machine Race::machine() const {
  Machine machine = gpu_.machine(context_.backend().device_info());
  if (peers_) machine.cublas = peers_->description;
  return machine;
}

std::optional<Graph> Race::captured(const Contestant& contestant, const RotatingSets& sets,
                                    Edges edges, std::string* refusal) const {
  try {
    // Once outside: libraries load their kernels on first use, which a capture may forbid.
    contestant.enqueue(sets.of(0));
    gpu_.synchronize();
    const auto launch = [&](int i) { contestant.enqueue(sets.of(i)); };
    return Graph(gpu_, sets.rotation().launches, launch, edges);
  } catch (const Exception& exception) {
    if (refusal != nullptr) *refusal = exception.what();
    return std::nullopt;
  }
}

Race::Lanes Race::jute_lanes(const Case& each, const std::vector<Entrant>& entrants,
                             const RotatingSets& sets) {
  Lanes lanes;
  for (const Entrant& entrant : entrants) {
    Lane& lane = lanes.emplace_back();
    lane.contestant.side = entrant.side;
    lane.contestant.name = entrant.name;
    lane.contestant.refusal = entrant.refusal;
    if (!entrant.gemm) continue;
    lane.contestant =
        jute_contestant(context_.backend(), *entrant.gemm, each, entrant.name, gpu_.jute_stream());
    lane.contestant.side = entrant.side;
    lane.graph = captured(lane.contestant, sets, Edges::as_launched, &lane.contestant.refusal);
    alive_();
  }
  return lanes;
}

/// Contestants that libraries refuse are left out: a heuristic offers more than can be captured.
Race::Lanes Race::peer_lanes(const Case& each, const RotatingSets& sets) {
  Lanes lanes;
  if (!peers_) return lanes;
  for (Contestant& contestant : peers_->contestants(each, sets.of(0), gpu_.jute_stream())) {
    alive_();
    auto graph = captured(contestant, sets, Edges::as_launched, nullptr);
    if (!graph) continue;
    const bool overlaps = graph->overlaps() > 0;
    Contestant plain = contestant;
    lanes.push_back({std::move(contestant), std::move(graph), Edges::as_launched, {-1, {}}});
    if (!overlaps) continue;
    plain.name += ", plain edges";
    if (auto other = captured(plain, sets, Edges::plain, nullptr))
      lanes.push_back({std::move(plain), std::move(other), Edges::plain, {-1, {}}});
  }
  return lanes;
}

void Race::judge(Lane& lane, const RotatingSets& sets, Judge& judge) {
  alive_();
  sets.poison();
  lane.graph->replay();
  gpu_.synchronize();
  lane.judgement = judge.judge(lane.contestant.roundoff);
}

/// The fastest that are right, after enough rested replays of each that could be among them.
Race::BestPeers Race::best_peers(Lanes lanes, const RotatingSets& sets, Judge& judge) {
  const std::vector<double> medians = screen(lanes.size(), options_.screen_replays, [&](size_t i) {
    alive_();
    return timer_.rested(replay_of(*lanes[i].graph), options_.regime.rest_ms).us;
  });
  BestPeers best{{}, "the peers' libraries do not compute this"};
  const std::vector<size_t> order = least(medians, lanes.size());
  for (const size_t i : order) {
    if (best.lanes.size() == static_cast<size_t>(options_.raced_peers)) break;
    this->judge(lanes[i], sets, judge);
    const double error = lanes[i].judgement.error;
    if (error <= 1)
      best.lanes.push_back(std::move(lanes[i]));
    else if (best.lanes.empty() && i == order.front())
      best.when_none = "no peer is right: the fastest takes " + fixed(medians[i], 2) +
                       " us with an error of " + scientific(error) + " bounds";
  }
  return best;
}

bool Race::races_in(Mode mode, bool is_usual) const {
  return options_.only.empty() ? is_usual : std::ranges::count(options_.only, mode) > 0;
}

std::vector<std::vector<Shot>> Race::shots(Mode mode, const std::vector<Work>& works) {
  if (mode == Mode::sustained)
    return sustained(timer_, works, options_.sustained_regime, power_, alive_);
  if (mode == Mode::cold)
    return cold(timer_, context_.backend(), gpu_.jute_stream(), works, options_.cold_regime, power_,
                alive_);
  const auto rested = [&](size_t i) { return timer_.rested(works[i], options_.regime.rest_ms); };
  return in_turns(works.size(), options_.regime, rested, alive_);
}

void Race::race(CaseReport& report, Mode mode, const Case& each, const Chosen& lanes,
                const std::vector<Work>& works) {
  const auto shots = this->shots(mode, works);
  std::vector<Timed> all;
  for (size_t i = 0; i < lanes.size(); ++i) {
    Result result = result_in(mode, each, lanes[i]->contestant);
    const bool as_launched =
        lanes[i]->edges == Edges::as_launched && mode != Mode::pdl_off && mode != Mode::cold;
    result.is_overlapped = as_launched && lanes[i]->graph->overlaps() > 0;
    result.error = lanes[i]->judgement.error;
    if (!lanes[i]->judgement.note.empty()) result.note = lanes[i]->judgement.note;
    all.push_back(timed(std::move(result), shots[i]));
  }
  std::ranges::move(ranked(std::move(all)), std::back_inserter(report.results));
}

void Race::race_graphs(CaseReport& report, Mode mode, const Case& each, const Chosen& lanes) {
  std::vector<Work> works;
  for (const Lane* lane : lanes) works.push_back(replay_of(*lane->graph));
  race(report, mode, each, lanes, works);
}

/// The same launches with every edge a plain one: what is left of overlap is none.
void Race::race_without_overlap(CaseReport& report, const Case& each, const Chosen& lanes,
                                const RotatingSets& sets) {
  std::vector<Graph> graphs;
  Chosen chosen;
  graphs.reserve(lanes.size());
  for (const Lane* lane : lanes) {
    auto graph = captured(lane->contestant, sets, Edges::plain, nullptr);
    if (!graph) continue;
    graphs.push_back(std::move(*graph));
    chosen.push_back(lane);
  }
  std::vector<Work> works;
  for (const Graph& graph : graphs) works.push_back(replay_of(graph));
  race(report, Mode::pdl_off, each, chosen, works);
}

void Race::race_on_stream(CaseReport& report, const Case& each, const Chosen& lanes,
                          const RotatingSets& sets) {
  std::vector<Work> works;
  const int launches = sets.rotation().launches;
  Chosen chosen;
  for (const Lane* lane : lanes) {
    if (lane->edges == Edges::plain) continue;  // an edge is a graph's
    const auto enqueue = [lane, launches, &sets] {
      for (int i = 0; i < launches; ++i) lane->contestant.enqueue(sets.of(i));
    };
    works.push_back({enqueue, launches});
    chosen.push_back(lane);
  }
  race(report, Mode::stream, each, chosen, works);
}

void Race::race_cold(CaseReport& report, const Case& each, const Chosen& lanes,
                     const RotatingSets& sets) {
  std::vector<Work> works;
  Chosen chosen;
  for (const Lane* lane : lanes) {  // with plain edges too: a launch alone has none
    works.push_back({[lane, &sets] { lane->contestant.enqueue(sets.of(0)); }});
    chosen.push_back(lane);
  }
  race(report, Mode::cold, each, chosen, works);
}

void Race::race_chain(CaseReport& report, const Case& each, const Chosen& lanes,
                      const RotatingSets& sets) {
  sets.refill_b(1.0 / std::sqrt(static_cast<double>(each.problem.k)));
  std::vector<Graph> graphs;
  graphs.reserve(lanes.size());
  for (const Lane* lane : lanes) {
    const auto launch = [&](int i) {
      Operands operands = sets.of(i);
      if (i > 0) operands[TensorRole::a] = sets.of(i - 1)[TensorRole::d];
      lane->contestant.enqueue(operands);
    };
    graphs.emplace_back(gpu_, sets.rotation().launches, launch, lane->edges);
  }
  std::vector<Work> works;
  for (const Graph& graph : graphs) works.push_back(replay_of(graph));
  race(report, Mode::chain, each, lanes, works);
}

/// Jute's own that can be timed; why the others cannot is in the report.
Race::Chosen Race::judged(CaseReport& report, const Case& each, Lanes& own,
                          const RotatingSets& sets, Judge& judge) {
  const Case plain = plain_case(each);
  std::optional<Judge> plain_judge;
  if (std::ranges::any_of(
          own, [](const Lane& lane) { return lane.graph && lane.contestant.side == Side::plain; }))
    plain_judge.emplace(context_.backend(), sets, plain);
  Chosen lanes;
  for (Lane& lane : own) {
    if (!lane.graph) {
      report.results.push_back(result_in(Mode::cool, each, lane.contestant));
      continue;
    }
    this->judge(lane, sets, lane.contestant.side == Side::plain ? *plain_judge : judge);
    lanes.push_back(&lane);
  }
  return lanes;
}

CaseReport Race::run(const Case& each, const std::vector<Entrant>& entrants) {
  const RotatingSets sets(context_.backend(), kernels_, each, rotation_of(each, options_.graph_ms));
  CaseReport report{.id = each.id,
                    .problem = to_string(each.problem),
                    .note = {},
                    .launches = sets.rotation().launches,
                    .sets = sets.rotation().sets,
                    .results = {}};
  alive_();
  Judge judge(context_.backend(), sets, each);
  Lanes own = jute_lanes(each, entrants, sets);
  const BestPeers peers = best_peers(peer_lanes(each, sets), sets, judge);
  Chosen lanes = judged(report, each, own, sets, judge);
  const bool overlaps =
      std::ranges::any_of(lanes, [](const Lane* lane) { return lane->graph->overlaps() > 0; });
  for (const Lane& lane : peers.lanes) lanes.push_back(&lane);
  if (peers_ && peers.lanes.empty()) report.note = peers.when_none;
  if (lanes.empty()) return report;
  if (races_in(Mode::cool, true)) race_graphs(report, Mode::cool, each, lanes);
  const bool is_small = fastest_us(report.results) < options_.small_us;
  if (overlaps && races_in(Mode::pdl_off, options_.without_overlap))
    race_without_overlap(report, each, lanes, sets);
  if (races_in(Mode::stream, is_small)) race_on_stream(report, each, lanes, sets);
  if (races_in(Mode::cold, options_.cold)) race_cold(report, each, lanes, sets);
  if (races_in(Mode::sustained, options_.sustained))
    race_graphs(report, Mode::sustained, each, lanes);
  if (can_be_chained(each) && races_in(Mode::chain, is_small))
    race_chain(report, each, lanes, sets);
  return report;
}

}  // namespace jute::bench
