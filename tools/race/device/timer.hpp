#pragma once
// Work timed by the device's events, with the clock that it saw.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "race/device/device_kernels.hpp"
#include "race/device/gpu.hpp"

namespace jute::bench {

/// NVML, loaded at run time, and one device of it.
class PowerMeter {
 public:
  /// The device at this PCI address. A meter without a library, or without that device, reads 0.
  explicit PowerMeter(const std::string& pci_bus);
  ~PowerMeter();
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;

  /// The board's power now, else its latest average; 0: unknown.
  [[nodiscard]] double watts() const;

 private:
  struct Api;
  Api* api_ = nullptr;
  void* device_ = nullptr;
};

/// Something that puts `launches` launches on the GPU's stream; rested it may run once untimed, so
/// that the L2 cache holds what the GPU reads to launch, whoever ran before.
struct Work {
  std::function<void()> enqueue;
  int launches = 1;
  bool has_lead = false;
};

/// One timing: microseconds a launch, the SM clock meanwhile, power at its end (0: unknown).
struct Shot {
  double us = 0, mhz = 0, watts = 0;
};

class Timer {
 public:
  Timer(Backend& backend, const Gpu& gpu, const DeviceKernels& kernels);

  /// Enqueues the work `repeats` times between two events, and waits.
  [[nodiscard]] Shot time(const Work& work, int repeats = 1);
  /// Once, after a rest.
  [[nodiscard]] Shot rested(const Work& work, int rest_ms);
  /// Once, behind a memset of `swept`, with the board's power at its end. The host is ahead of the
  /// device by then: what is timed is the device's own.
  [[nodiscard]] Shot behind_a_sweep(const Work& work, const Buffer& swept, const PowerMeter& power);
  /// Repeated, and asks `power` after so many milliseconds, while the last of it runs.
  [[nodiscard]] Shot time_with_power(const Work& work, int repeats, const PowerMeter& power,
                                     double after_ms);

 private:
  [[nodiscard]] double mhz_between_clocks();
  [[nodiscard]] Shot time(const Work& work, int repeats, const std::function<double()>& watts,
                          const std::function<void()>& before = {});

  Backend& backend_;
  const Gpu& gpu_;
  const DeviceKernels& kernels_;
  Buffer clocks_;
};

/// How long the device rests before each timing, and who may go on.
struct Regime {
  int rounds = 9;
  int rest_ms = 20;
  /// Whoever takes this many times as long as the fastest in the round before the first takes no
  /// further turn: what was timed then is all that is known of it.
  double far_behind = std::numeric_limits<double>::infinity();
};
/// Called now and then, so that a supervisor knows that the process lives.
using Alive = std::function<void()>;

/// The contestants take turns, in another order each round; a round before the first is not
/// counted, but for those that are far behind. [contestant][round]
[[nodiscard]] std::vector<std::vector<Shot>> in_turns(size_t contestants, Regime regime,
                                                      const std::function<Shot(size_t)>& take_turn,
                                                      const Alive& alive);

/// Without rests: rounds that do not count for `load_seconds`, then `rounds` that do. In a turn the
/// first `lead_ms` do not count: the board's power and clock are then still those of the contestant
/// before.
struct SustainedRegime {
  int rounds = 9;
  double load_seconds = 2.0;
  double lead_ms = 75.0;
  double turn_ms = 45.0;
};
[[nodiscard]] std::vector<std::vector<Shot>> sustained(Timer& timer, const std::vector<Work>& works,
                                                       SustainedRegime regime,
                                                       const PowerMeter& power, const Alive& alive);

/// One launch a turn, nothing of its own in the L2 cache, as behind triton's do_bench: before each
/// a memset of `swept_bytes`, whose lines the launch must write back to make room for its own.
/// At least `least_rounds`, and as many more as give each contestant `least_ms`, memsets among
/// them.
struct ColdRegime {
  int least_rounds = 30;
  double least_ms = 100.0;
  Index swept_bytes = Index{256} << 20;
};
/// Turns of each contestant, of which one takes so long with the memset before it.
[[nodiscard]] int cold_rounds(ColdRegime regime, double turn_ms);
[[nodiscard]] std::vector<std::vector<Shot>> cold(Timer& timer, Backend& backend, Stream stream,
                                                  const std::vector<Work>& works, ColdRegime regime,
                                                  const PowerMeter& power, const Alive& alive);

}  // namespace jute::bench
