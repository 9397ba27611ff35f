#pragma once
// jute against cuBLASLt on one case.
#include "cublas_peer.hpp"
#include "gpu_timing.hpp"
#include "options.hpp"

#include <jute/gemm/gemm.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::bench {

/// A prepared contestant, or why there is none.
struct Entrant {
  std::string name;
  std::optional<Gemm> gemm;
  std::string refusal;
};

/// What is printed of one contestant.
struct Result {
  std::string name;
  std::string note;  ///< why there are no figures; else empty
  double ms = 0, tflops = 0, mhz = 0;
  double sustained_tflops = 0;  ///< 0: not asked for
  /// Median over the rounds of peer time / own time, and the extremes. Above 1: faster than the
  /// peer.
  double against_best = 0, against_default = 0, least = 0, most = 0;
  double error = 0;  ///< worst |D - reference| / bound of the samples
  int registers = 0, spills = 0;
};

class Race {
 public:
  Race(Context& context, const Options& options);
  /// jute's contestants first, then cuBLASLt's fastest candidate and its first.
  [[nodiscard]] std::vector<Result> run(const Case& bench_case,
                                        const std::vector<Entrant>& entrants);

 private:
  struct Lane;
  [[nodiscard]] Lane jute_lane(const Entrant& entrant, const OperandSets& sets);
  [[nodiscard]] Lane peer_lane(const std::string& name, int candidate, const OperandSets& sets);
  [[nodiscard]] int fastest_candidate(int count, const OperandSets& sets);
  void judge(Lane& lane, const Case& bench_case, const OperandSets& sets);

  Context& context_;
  const Options& options_;
  DeviceKernels kernels_;
  cudaStream_t stream_ = nullptr;
  GraphTimer timer_;
  CublasPeer peer_;
  Buffer workspace_;
};

}  // namespace jute::bench
