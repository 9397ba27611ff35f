#pragma once
// Candidates of a problem timed on the GPU, and the fastest kept for `prepare`.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// A candidate that may race: its place in planning's list, from 1, and all its choices.
struct RankedChoice {
  int rank = 0;
  Config config = {};
  bool operator==(const RankedChoice&) const = default;
};

/// The orders of sums that may race against each other.
enum class SumOrders : std::uint8_t {
  any,
  as_planned,  ///< the first one's alone: whoever wins gives the same bits
};

/// The first `most` candidates of the problem, with these choices made, that break no rule.
///   throws  what considered() throws
[[nodiscard]] std::vector<RankedChoice> ranked_choices(const Problem& problem,
                                                       const DeviceInfo& device,
                                                       const Config& config,
                                                       const Catalogue& catalogue, int most,
                                                       SumOrders orders = SumOrders::any);

/// Of times of candidates in planning's order, 0 where one has none: the fastest's place; the
/// planned one's unless another is faster by more than what two races of one kernel differ by.
///   needs   one that has a time
[[nodiscard]] std::size_t fastest_of(std::span<const double> us);
/// `12.30 us, 4.1 % faster than planned, the best of 8: tile=…`. planned_us 0: it has no time.
[[nodiscard]] std::string race_text(const RankedChoice& winner, double us, double planned_us,
                                    int raced);

struct TuneOptions {
  int candidates = 8;                 ///< of planning's list, the first
  Config config{};                    ///< choices that all of them keep
  SumOrders orders = SumOrders::any;  ///< as_planned where sums are promised: batch-invariant ones
  int threads = 0;                    ///< that compile; 0: as many as the machine has
};

/// One that was compiled and timed.
struct RacedChoice {
  RankedChoice choice = {};
  double us = 0;             ///< a launch; 0: it could not be prepared
  std::string refused = {};  ///< and why
};

/// A race and its winner.
struct Tuned {
  Gemm gemm;  ///< the winner, ready to run
  std::vector<RacedChoice> raced = {};
  std::size_t winner = 0;
  std::string file = {};  ///< where it is kept for other programs; empty: there is no cache

  [[nodiscard]] const RacedChoice& best() const { return raced.at(winner); }
};
/// As race_text says it.
[[nodiscard]] std::string to_string(const Tuned& tuned);

/// Compiles the first candidates of the list in parallel, times each on scratch operands (at least
/// three launches, or as many as take 2 ms), and keeps the fastest, so that prepare() takes it from
/// then on, in this Context and by the device's file in others. Groups are timed by as many rows as
/// the problem expects. A race of one order of sums without choices of the caller's is not kept, as
/// prepare() is free to take a faster order. Nothing else should use the GPU meanwhile.
///   throws  no_gpu: the emulator's times say nothing; out_of_memory: the operands and a workspace
///           take more than half of the memory that is free; unsupported: a range of M, lists of
///           matrices; unwritable: the file; what prepare() throws of the first candidate, where
///           none can be prepared; launch_failed
[[nodiscard]] Tuned tune(Context& context, const Problem& problem, const TuneOptions& options = {});

}  // namespace jute
