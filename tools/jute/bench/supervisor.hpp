#pragma once
// The process that watches: a worker that hangs or dies costs the case that it was at, no more.
#include <functional>

#include "bench/worker.hpp"

namespace jute::bench {

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
