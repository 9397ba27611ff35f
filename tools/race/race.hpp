#pragma once
// jute against its peers on one case.
#include <jute/gemm/context.hpp>
#include <jute/gemm/gemm.hpp>

#include <optional>
#include <string>
#include <vector>

#include "race/device/graph.hpp"
#include "race/device/timer.hpp"
#include "race/operands/contestant.hpp"
#include "race/operands/judge.hpp"
#include "race/results/statistics.hpp"

namespace jute::bench {

struct RaceOptions {
  Regime regime;
  SustainedRegime sustained_regime;
  ColdRegime cold_regime;
  double graph_ms = kGraphMs;  ///< nominal work that each timing replays
  bool sustained = false, cold = false;
  bool without_overlap = true;  ///< what overlaps also races with plain edges
  std::vector<Mode> only;       ///< modes that race, whatever is said above; none: those
  int screen_replays = 7;       ///< of each peer that is not far behind
  int raced_peers = 3;
  double small_us = 20.0;  ///< faster ones also race on a stream and in a chain
};

/// A prepared contestant of jute's, or why there is none.
struct Entrant {
  std::string name;
  std::optional<Gemm> gemm;
  std::string refusal;
  Side side = Side::jute;
};

class Race {
 public:
  /// `open_peers`: nothing to race against when empty. `alive` is called at least every few
  /// seconds.
  ///   throws  no_gpu, no_nvrtc, driver_failed, launch_failed
  Race(Context& context, const Settings& settings, const OpenPeers& open_peers, RaceOptions options,
       Alive alive);

  [[nodiscard]] Machine machine() const;
  /// throws  driver_failed, launch_failed, out_of_memory
  [[nodiscard]] CaseReport run(const Case& each, const std::vector<Entrant>& entrants);

 private:
  struct Lane;
  using Lanes = std::vector<Lane>;
  struct BestPeers;
  using Chosen = std::vector<const Lane*>;

  [[nodiscard]] std::optional<Graph> captured(const Contestant& contestant,
                                              const RotatingSets& sets, Edges edges,
                                              std::string* refusal) const;
  [[nodiscard]] Lanes jute_lanes(const Case& each, const std::vector<Entrant>& entrants,
                                 const RotatingSets& sets);
  [[nodiscard]] Lanes peer_lanes(const Case& each, const RotatingSets& sets);
  void judge(Lane& lane, const RotatingSets& sets, Judge& judge);
  [[nodiscard]] Chosen judged(CaseReport& report, const Case& each, Lanes& own,
                              const RotatingSets& sets, Judge& judge);
  [[nodiscard]] BestPeers best_peers(Lanes lanes, const RotatingSets& sets, Judge& judge);

  [[nodiscard]] bool races_in(Mode mode, bool is_usual) const;
  [[nodiscard]] std::vector<std::vector<Shot>> shots(Mode mode, const std::vector<Work>& works);
  void race(CaseReport& report, Mode mode, const Case& each, const Chosen& lanes,
            const std::vector<Work>& works);
  void race_graphs(CaseReport& report, Mode mode, const Case& each, const Chosen& lanes);
  void race_without_overlap(CaseReport& report, const Case& each, const Chosen& lanes,
                            const RotatingSets& sets);
  void race_on_stream(CaseReport& report, const Case& each, const Chosen& lanes,
                      const RotatingSets& sets);
  void race_cold(CaseReport& report, const Case& each, const Chosen& lanes,
                 const RotatingSets& sets);
  void race_chain(CaseReport& report, const Case& each, const Chosen& lanes,
                  const RotatingSets& sets);

  Context& context_;
  RaceOptions options_;
  Alive alive_;
  Gpu gpu_;
  PowerMeter power_;
  DeviceKernels kernels_;
  Timer timer_;
  std::optional<PeerLibraries> peers_;
};

/// Can a launch take the D of the one before as its A?
[[nodiscard]] bool can_be_chained(const Case& each);

}  // namespace jute::bench
