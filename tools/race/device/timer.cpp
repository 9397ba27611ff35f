// Timing in turns.
#include "race/device/timer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "race/device/gpu.hpp"
#include "race/results/statistics.hpp"

namespace jute::bench {
namespace {

constexpr double kPartOfTurn = 0.8;  // of a sustained turn, before its power is read
constexpr size_t kSlots = DeviceKernels::kClockBytes / sizeof(std::uint64_t);

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void rest(double milliseconds) {
  if (milliseconds > 0)
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

}  // namespace

Timer::Timer(Backend& backend, const Gpu& gpu, const DeviceKernels& kernels)
    : backend_(backend),
      gpu_(gpu),
      kernels_(kernels),
      clocks_(backend, 2 * DeviceKernels::kClockBytes) {}

double Timer::mhz_between_clocks() {
  std::vector<std::uint64_t> clocks(2 * kSlots);
  backend_.copy_out(std::as_writable_bytes(std::span(clocks)), clocks_.pointer(),
                    gpu_.jute_stream());
  double sum = 0;
  int sms = 0;
  for (size_t i = 0; i < kSlots; i += 2) {
    const std::uint64_t* before = &clocks[i];
    const std::uint64_t* after = &clocks[kSlots + i];
    if (before[1] == 0 || after[1] <= before[1]) continue;
    sum += static_cast<double>(after[0] - before[0]) / static_cast<double>(after[1] - before[1]);
    ++sms;
  }
  return sms == 0 ? 0.0 : sum / sms * 1e3;
}

Shot Timer::time(const Work& work, int repeats) { return time(work, repeats, {}); }

Shot Timer::rested(const Work& work, int rest_ms) {
  rest(rest_ms);
  if (work.has_lead) work.enqueue();
  return time(work, 1);
}

Shot Timer::time_with_power(const Work& work, int repeats, const PowerMeter& power,
                            double after_ms) {
  return time(work, repeats, [&] {
    rest(after_ms);
    return power.watts();
  });
}

Shot Timer::behind_a_sweep(const Work& work, const Buffer& swept, const PowerMeter& power) {
  constexpr std::uint8_t kAny = 0x5a;
  return time(
      work, 1, [&] { return power.watts(); },
      [&] { backend_.fill(swept.pointer(), kAny, swept.size_bytes(), gpu_.jute_stream()); });
}

Shot Timer::time(const Work& work, int repeats, const std::function<double()>& watts,
                 const std::function<void()>& before) {
  const Stream stream = gpu_.jute_stream();
  backend_.fill(clocks_.pointer(), 0, 2 * DeviceKernels::kClockBytes, stream);
  kernels_.read_clocks(clocks_.pointer(), stream);
  if (before) before();
  const Event start = backend_.record(stream);
  for (int i = 0; i < repeats; ++i) work.enqueue();
  const Event stop = backend_.record(stream);
  kernels_.read_clocks(clocks_.pointer() + DeviceKernels::kClockBytes, stream);
  Shot shot;
  if (watts) shot.watts = watts();
  gpu_.synchronize();
  shot.us = backend_.elapsed_ms(start, stop) * 1e3 / (repeats * work.launches);
  shot.mhz = mhz_between_clocks();
  return shot;
}

std::vector<std::vector<Shot>> in_turns(size_t contestants, Regime regime,
                                        const std::function<Shot(size_t)>& take_turn,
                                        const Alive& alive) {
  std::vector<Shot> first(contestants);
  double fastest = std::numeric_limits<double>::infinity();
  alive();
  for (const size_t i : turns(contestants, 0)) {
    first[i] = take_turn(i);
    fastest = std::min(fastest, first[i].us);
  }
  std::vector<std::vector<Shot>> shots(contestants);
  for (int round = 0; round < regime.rounds; ++round) {
    alive();
    for (const size_t i : turns(contestants, round + 1)) {
      const bool is_out = first[i].us > regime.far_behind * fastest;
      if (!is_out) shots[i].push_back(take_turn(i));
    }
  }
  for (size_t i = 0; i < contestants; ++i)
    if (shots[i].empty()) shots[i] = {first[i]};
  return shots;
}

std::vector<std::vector<Shot>> sustained(Timer& timer, const std::vector<Work>& works,
                                         SustainedRegime regime, const PowerMeter& power,
                                         const Alive& alive) {
  std::vector<double> graph_ms;
  for (const Work& work : works) graph_ms.push_back(timer.time(work).us * 1e-3 * work.launches);
  const auto repeats = [&](size_t i, double ms) {
    return std::max(1, static_cast<int>(std::lround(ms / graph_ms[i])));
  };
  std::vector<std::vector<Shot>> shots(works.size());
  const auto round = [&](int number, bool counts) {
    alive();
    for (const size_t i : turns(works.size(), number)) {
      (void)timer.time(works[i], repeats(i, regime.lead_ms));
      const Shot shot = timer.time_with_power(works[i], repeats(i, regime.turn_ms), power,
                                              kPartOfTurn * regime.turn_ms);
      if (counts) shots[i].push_back(shot);
    }
  };
  const auto start = std::chrono::steady_clock::now();
  for (int number = 0; seconds_since(start) < regime.load_seconds; ++number) round(number, false);
  for (int number = 0; number < regime.rounds; ++number) round(number, true);
  return shots;
}

int cold_rounds(ColdRegime regime, double turn_ms) {
  return std::max(regime.least_rounds, static_cast<int>(std::ceil(regime.least_ms / turn_ms)));
}

std::vector<std::vector<Shot>> cold(Timer& timer, Backend& backend, Stream stream,
                                    const std::vector<Work>& works, ColdRegime regime,
                                    const PowerMeter& power, const Alive& alive) {
  const Buffer swept(backend, regime.swept_bytes);
  const Work sweep{[&] { backend.fill(swept.pointer(), 0, swept.size_bytes(), stream); }};
  (void)timer.time(sweep);
  double fastest_us = std::numeric_limits<double>::infinity();
  for (const Work& work : works)
    fastest_us = std::min(fastest_us, timer.behind_a_sweep(work, swept, power).us);
  const double turn_ms = (timer.time(sweep).us + fastest_us) * 1e-3;
  const int rounds = cold_rounds(regime, turn_ms);
  const auto turn = [&](size_t i) { return timer.behind_a_sweep(works[i], swept, power); };
  return in_turns(works.size(), {.rounds = rounds, .rest_ms = 0}, turn, alive);
}

namespace {

constexpr unsigned kPowerInstant = 186;  // NVML_FI_DEV_POWER_INSTANT, milliwatts, unsigned int

}  // namespace

struct PowerMeter::Api : SharedLibrary {
  explicit Api(SharedLibrary library) : SharedLibrary(std::move(library)) {}

  /// nvmlFieldValue_t.
  struct FieldValue {
    unsigned field = 0, scope = 0;
    long long timestamp = 0, latency_us = 0;
    int value_type = 0, status = 0;
    union {
      double as_double;
      unsigned as_unsigned;
      unsigned long long as_long;
    } value = {};
  };

  int (*init)() = get("nvmlInit_v2");
  int (*shutdown)() = get("nvmlShutdown");
  int (*device_by_pci)(const char* bus, void** device) = get("nvmlDeviceGetHandleByPciBusId_v2");
  int (*power)(void* device, unsigned* milliwatts) = get("nvmlDeviceGetPowerUsage");
  int (*fields)(void* device, int count, FieldValue* values) = if_there("nvmlDeviceGetFieldValues");
};

PowerMeter::PowerMeter(const std::string& pci_bus) {
  auto library = SharedLibrary::open("libnvidia-ml.so.1");
  if (!library) return;
  const Api api(*std::move(library));
  if (!api.missing().empty() || api.init() != 0) return;
  if (api.device_by_pci(pci_bus.c_str(), &device_) == 0)
    api_ = new Api(api);
  else
    (void)api.shutdown();
}

PowerMeter::~PowerMeter() {
  if (api_ != nullptr) (void)api_->shutdown();
  delete api_;
}

double PowerMeter::watts() const {
  if (api_ == nullptr) return 0.0;
  Api::FieldValue now;
  now.field = kPowerInstant;
  if (api_->fields != nullptr && api_->fields(device_, 1, &now) == 0 && now.status == 0)
    return now.value.as_unsigned * 1e-3;
  unsigned milliwatts = 0;
  return api_->power(device_, &milliwatts) == 0 ? milliwatts * 1e-3 : 0.0;
}

}  // namespace jute::bench
