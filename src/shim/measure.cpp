// Recorded calls, measured: what jute does faster is kept.
#include <jute/base/refuse.hpp>
#include <jute/device/device.hpp>
#include <jute/gemm/prepare_many.hpp>
#include <jute/launch/own_stream.hpp>
#include <jute/race/scratch.hpp>
#include <jute/race/tune.hpp>
#include <jute/race/turns.hpp>
#include <jute/shim/kept_calls.hpp>

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/format.hpp"
#include "shim/call_numbers.hpp"
#include "shim/cublas_peer.hpp"
#include "shim/ready_call.hpp"
#include "shim/report.hpp"

namespace jute {
namespace shim {
namespace {

constexpr int kRounds = 3;

/// Operands of one call, and the time that runs on them take.
class CallCourse {
 public:
  CallCourse(Backend& backend, const CublasCall& call, const CublasPeer& peer)
      : backend_(backend),
        call_(call),
        product_(product_of(call)),
        sets_(scratch_operands(backend, product_.problem, backend.free_bytes() / 2)),
        own_(backend),
        workspace_(backend, call.workspace),
        swept_(backend, std::min(sets_.size_bytes(), kSweptBytes)),
        by_cublas_(peer.prepared(call)) {}

  /// Microseconds of each candidate and, last, of cuBLAS.
  [[nodiscard]] std::vector<double> race(const std::vector<ReadyCall>& ready) const {
    for (std::size_t i = 0; i <= ready.size(); ++i) launch(ready, i, 0);
    backend_.synchronize();
    return raced_us(ready.size() + 1, [&](std::size_t i, int launches) {
      // Launches queue behind a fill, which lasts until the host has put them into the stream.
      backend_.fill(swept_.pointer(), 0, swept_.size_bytes(), own_.get());
      const Event begun = backend_.record(own_.get());
      for (int number = 0; number < launches; ++number) launch(ready, i, number);
      const Event ended = backend_.record(own_.get());
      backend_.synchronize();
      return backend_.elapsed_ms(begun, ended);
    });
  }

  /// cuBLAS's time over jute's: the median of rounds of turns.
  [[nodiscard]] double ratio(const ReadyCall& ready) const {
    std::vector<double> ratios;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<double> us = race({ready});
      ratios.push_back(us[1] / us[0]);
    }
    std::ranges::sort(ratios);
    return ratios[kRounds / 2];
  }

 private:
  static constexpr Index kSweptBytes = Index{256} << 20;

  void launch(const std::vector<ReadyCall>& ready, std::size_t i, int number) const {
    constexpr double kFactor = 0.5;
    GemmArgs args = args_on(sets_, product_.problem, number);
    args.workspace = call_.workspace > 0 ? workspace_.pointer() : 0;
    args.stream = own_.get();
    if (call_.alpha != 1) args.alpha = kFactor;
    args.beta = call_.beta == 2 ? kFactor : static_cast<double>(call_.beta);
    const CublasAddresses addresses = addresses_of(product_, args);
    CublasCall call = call_;
    if (i < ready.size())
      ready[i].run(addresses, rows_in(call));
    else
      by_cublas_(addresses);
  }

  Backend& backend_;
  CublasCall call_;
  CublasProduct product_;
  OperandSets sets_;
  OwnStream own_;
  Buffer workspace_, swept_;
  std::function<void(const CublasAddresses&)> by_cublas_;
};

/// Measures, and keeps what reaches the ratio.
class Measurement {
 public:
  Measurement(Context& context, const MeasureOptions& options, const Settings& settings)
      : context_(context), options_(options), settings_(settings) {
    kept.device = context.backend().device_info().name;
  }

  /// The first candidates that fit the caller's workspace race; the fastest takes turns with
  /// cuBLAS.
  void alone(const CublasCall& call) {
    try {
      const CublasProduct product = product_of(call);
      std::vector<Config> raced;
      const std::vector<ReadyCall> ready = entered(call, product, raced);
      const CallCourse course(context_.backend(), call, peer(call));
      std::vector<double> us = course.race(ready);
      us.pop_back();
      const std::size_t best = fastest_of(us);
      const double ratio = course.ratio(ready[best]);
      tell(product.problem, base::format("{:.3f}", ratio));
      const Index m = rows_in(const_cast<CublasCall&>(call));
      if (ratio >= options_.least)
        kept.calls.push_back(
            {.call = call, .first = m, .last = m, .config = raced[best], .ratio = ratio});
    } catch (const Exception& exception) {
      say(to_line(call) + ": jute does not serve it: " + to_string(exception.error()));
    }
  }

  /// Calls that differ in M alone, by M: jute's from one that won to the next.
  void range(std::vector<CublasCall>& calls) {
    const MRange over{rows_in(calls.front()), rows_in(calls.back())};
    std::vector<double> ratios;
    Config config;
    try {
      const ReadyCall ready = fitting(calls.front(), over, config);
      for (const CublasCall& call : calls)
        ratios.push_back(CallCourse(context_.backend(), call, peer(call)).ratio(ready));
      std::string told;
      for (const double ratio : ratios) told += base::format(" {:.3f}", ratio);
      tell(ready.product.problem, told.substr(1));
    } catch (const Exception& exception) {
      say(to_line(calls.front()) + ": no range of M: " + to_string(exception.error()));
      for (const CublasCall& call : calls) alone(call);
      return;
    }
    for (std::size_t at = 0; at < calls.size(); ++at) {
      if (ratios[at] < options_.least) continue;
      const std::size_t first = at;
      while (at + 1 < calls.size() && ratios[at + 1] >= options_.least) ++at;
      kept.calls.push_back({.call = calls[first],
                            .first = rows_in(calls[first]),
                            .last = rows_in(calls[at]),
                            .over = over,
                            .config = config,
                            .ratio = *std::min_element(ratios.begin() + std::ptrdiff_t(first),
                                                       ratios.begin() + std::ptrdiff_t(at) + 1)});
    }
  }

  KeptCalls kept;

 private:
  /// The first candidates that do with the caller's workspace, or those without slices of K.
  std::vector<ReadyCall> entered(const CublasCall& call, const CublasProduct& product,
                                 std::vector<Config>& raced) {
    std::vector<ReadyCall> ready;
    for (const std::optional<int> split_k : {std::optional<int>(), std::optional<int>(1)}) {
      Config asked = product.config;
      asked.split_k = split_k;
      std::vector<Config> configs;
      for (const RankedChoice& choice : ranked_choices(product.problem, context_.device_info(),
                                                       asked, context_.catalogue(), options_.race))
        configs.push_back(choice.config);
      const std::vector<Prepared> all = prepare(context_, product.problem, configs);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].gemm || all[i].gemm->workspace_bytes() > call.workspace) continue;
        ready.push_back({product, *all[i].gemm});
        raced.push_back(configs[i]);
      }
      if (!ready.empty()) return ready;
    }
    refuse(ErrorCode::unsupported, "workspace", std::to_string(call.workspace),
           "a candidate must do with the workspace that the caller gives");
  }

  /// The planner's choice, or where that takes more workspace one without slices of K.
  ReadyCall fitting(const CublasCall& call, const MRange& over, Config& config) {
    CublasProduct product = product_of(call, over);
    config = product.config;
    for (const std::optional<int> split_k : {std::optional<int>(), std::optional<int>(1)}) {
      config.split_k = split_k;
      ReadyCall ready{product, prepare(context_, product.problem, config)};
      if (ready.fits(call)) return ready;
    }
    refuse(ErrorCode::unsupported, "workspace", std::to_string(call.workspace),
           "the kernels of a range must do with the workspace that the caller gives");
  }

  const CublasPeer& peer(const CublasCall& call) {
    const auto version = static_cast<int>(call.library);
    auto found = peers_.find(version);
    if (found == peers_.end()) {
      found = peers_.emplace(version, CublasPeer(version, options_.cublas, settings_)).first;
      kept.cublas += (kept.cublas.empty() ? "" : ", ") + found->second.version();
    }
    return found->second;
  }

  void say(const std::string& text) const {
    if (options_.progress) options_.progress(text);
  }
  void tell(const Problem& problem, const std::string& ratios) const {
    say(short_text(problem) + ": " + ratios);
  }

  Context& context_;
  const MeasureOptions& options_;
  const Settings& settings_;
  std::map<int, CublasPeer> peers_;
};

}  // namespace
}  // namespace shim

std::size_t measure_calls(const std::vector<CublasCall>& calls, const std::string& path,
                          const MeasureOptions& options) {
  const Settings said = settings_from_environment();
  Settings settings = settings_of_kept(path);
  settings.cache = "on";
  settings.compile = "allowed";
  settings.nvrtc = said.nvrtc;
  settings.cuda_home = said.cuda_home;
  settings.virtual_env = said.virtual_env;
  Context context(open_device(), {.settings = settings});
  shim::Measurement measurement(context, options, settings);
  std::map<shim::CallNumbers, std::vector<CublasCall>> ranges;
  for (CublasCall call : calls) {
    const CublasCall own = call;
    rows_in(call) = 0;
    ranges[shim::numbers_of(call)].push_back(own);
  }
  for (auto& [key, members] : ranges) {
    std::ranges::sort(members, {}, [](CublasCall& call) { return rows_in(call); });
    if (members.size() == 1)
      measurement.alone(members.front());
    else
      measurement.range(members);
  }
  write_kept(path, measurement.kept);
  (void)::unlink(shim::report_path(path).c_str());
  return measurement.kept.calls.size();
}

}  // namespace jute
