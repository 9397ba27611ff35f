#pragma once
// What --verbose says: where settings, plans, kernels and files come from and go to.
#include <jute/jit/cache.hpp>
#include <jute/plan/values/plan.hpp>

#include <chrono>
#include <string>

#include "command/command_line.hpp"

namespace jute::command {

/// From when it was made.
class Stopwatch {
 public:
  [[nodiscard]] std::string text() const;  ///< "8.2 ms"

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// `settings: cache on in /home/me/.cache/jute; tuned on; …`
void tell_settings(const Session& session);
/// `plan: jute_sm90a_…; for h200 (sm_90a), in 8.2 ms`
void tell_plan(const Plan& plan, const std::string& time, const Session& session);
/// `kernels: 1 compiled in 357 ms by NVRTC 13.0.88, /usr/…/libnvrtc.so.13; 1 from the cache …`
void tell_kernels(const CacheCounts& counts, const std::string& time, const Session& session);
/// `wrote k.ptx`
void tell_written(const std::string& path, const Session& session);

}  // namespace jute::command
