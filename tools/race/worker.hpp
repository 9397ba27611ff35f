#pragma once
// The process that touches the GPU, and who watches it.
#include <jute/gemm/context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "race/race.hpp"
#include "race/results/cases.hpp"

namespace jute::bench {

/// A configuration of jute's that races.
struct Attempt {
  std::string name;  ///< "planned", or the Config as text
  Config config;
  std::optional<MRange> m_range = {};  ///< the rows that its kernels serve; those of the case alone
};

/// Takes a line to be shown.
using Print = std::function<void(const std::string&)>;

/// All that a run of the command is to do.
struct Job {
  std::vector<Case> cases;
  std::vector<Attempt> attempts;
  /// For one case in their place, where they follow from the case and the device.
  std::function<std::vector<Attempt>(const Case&, const Context&)> attempts_for{};
  RaceOptions race;
  /// Looks for other libraries before anything is compiled; empty: nobody races against jute.
  std::function<OpenPeers()> find_peers{};
  /// The work in place of a race; empty: it races.
  std::function<void(Context&, const Settings&, const OpenPeers&, const Print&)> instead{};
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

/// The parent is told all as it happens.
struct Audience {
  std::function<void(const Machine&)> machine;
  std::function<void(const CaseReport&)> done;
  Print print;
  /// At every sign of life: how many cases are done or given up, of how many.
  std::function<void(Index done, Index all)> progress{};
};

struct Supervised {
  int status = 0;               ///< of a worker that could not even begin; it has told why
  int lost = 0;                 ///< cases whose worker hung or died
  bool is_interrupted = false;  ///< by SIGINT; what was done before has been told
};

/// The work of a worker process: `work`, but for tests.
using WorkerTask = std::function<void(const Job&, const std::vector<size_t>& indices, const Say&)>;

/// Runs the task in processes of their own until every case is done or given up. One that says
/// nothing for `stall_seconds` is ended.
[[nodiscard]] Supervised supervise(const Job& job, int stall_seconds, const Audience& audience,
                                   const WorkerTask& task = work);

}  // namespace jute::bench
