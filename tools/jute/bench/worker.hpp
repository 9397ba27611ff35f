#pragma once
// The process that touches the GPU, a race or what one call costs the host, and who watches it.
#include <jute/gemm/context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/device/cublas_api.hpp"
#include "bench/peers/peers.hpp"
#include "bench/race.hpp"
#include "bench/results/cases.hpp"

namespace jute::bench {

/// A configuration of jute's that races.
struct Attempt {
  std::string name;  ///< "planned", or the Config as text
  Config config;
  std::optional<MRange> m_range = {};  ///< the rows that its kernels serve; those of the case alone
};

/// All that a run of the command is to do.
struct Job {
  std::vector<Case> cases;
  std::vector<Attempt> attempts;
  /// Of one case in their place, where they follow from the case and the device.
  std::function<std::vector<Attempt>(const Case&, const Context&)> attempts_for{};
  RaceOptions race;
  CublasPlaces cublas;
  bool with_peers = true;
  bool host_costs = false;             ///< these instead of a race
  bool json = false;                   ///< refusals are for programs
  std::string command = "jute bench";  ///< who asks: what a refusal names
  std::function<ContextOptions()> context_options;
};

/// Where a worker says what it does; each is one line of text.
using Say = std::function<void(const std::string& word, const std::string& text)>;

/// Races the cases with these indices, in their order. Words: `machine`, `start` (an index),
/// `alive`, `case`, `result`, `end`, and `print` for a line to be shown.
///   throws  no_gpu, no_nvrtc, and what breaks the device
void work(const Job& job, const std::vector<size_t>& indices, const Say& say);

/// Says a line for each of: a bare launch by the driver, prepare (a new kernel, a known one), run,
/// cublasLtMatmul; microseconds a call, medians over rounds of calls that nobody waits for.
void print_host_costs(Context& context, const Settings& settings, std::optional<Cublas> cublas,
                      const std::function<void(const std::string&)>& print);

/// What the parent is told as it happens.
struct Audience {
  std::function<void(const Machine&)> machine;
  std::function<void(const CaseReport&)> done;
  std::function<void(const std::string&)> print;
  /// At every sign of life: how many cases are done or given up, of how many.
  std::function<void(Index done, Index all)> progress{};
};

struct Supervised {
  int status = 0;               ///< of a worker that could not even begin; it has told why
  int lost = 0;                 ///< cases whose worker hung or died
  bool is_interrupted = false;  ///< by SIGINT; what was done before has been told
};

/// What a worker process does: `work`, but for tests.
using WorkerTask = std::function<void(const Job&, const std::vector<size_t>& indices, const Say&)>;

/// Runs the task in processes of their own until every case is done or given up. One that says
/// nothing for `stall_seconds` is ended.
[[nodiscard]] Supervised supervise(const Job& job, int stall_seconds, const Audience& audience,
                                   const WorkerTask& task = work);

}  // namespace jute::bench
