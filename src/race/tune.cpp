// Compile, time, keep.
#include <jute/base/refuse.hpp>
#include <jute/gemm/prepare_many.hpp>
#include <jute/launch/own_stream.hpp>
#include <jute/race/scratch.hpp>
#include <jute/race/tune.hpp>
#include <jute/race/turns.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jute {
namespace race {
namespace {

void check(const Context& context, const Problem& problem, const TuneOptions& options) {
  if (options.candidates < 1)
    refuse(ErrorCode::out_of_range, "race", std::to_string(options.candidates),
           "one candidate must race at least", "1");
  if (problem.m_range)
    refuse(ErrorCode::unsupported, "race", to_string(problem),
           "a race must have one M: choices are kept for each by itself");
  if (problem.groups && problem.groups->kind == GroupKind::each)
    refuse(ErrorCode::unsupported, "race", to_string(problem),
           "a race must have operands of its own, and not lists of matrices");
  if (context.backend().name() == "emulator")
    refuse(ErrorCode::no_gpu, "race", "emulator",
           "a race needs a GPU and its driver: what the emulator takes says nothing of a chip",
           "cuda");
}

/// Times launches behind fills, which last until the host has put all of them into the stream.
class Course {
 public:
  Course(Backend& backend, const Problem& problem, const OperandSets& sets, Index workspace_bytes,
         Launches launches)
      : backend_(backend),
        problem_(problem),
        sets_(sets),
        own_(backend),
        workspace_(backend, workspace_bytes),
        swept_(backend, launches == Launches::alone ? kSweptBytes
                                                    : std::min(sets.size_bytes(), kSweptBytes)),
        launches_(launches) {}

  /// Once, untimed: a kernel's code comes to the device with its first launch.
  void warm(const Gemm& gemm) const {
    gemm.clear_workspace(workspace_.pointer(), own_.get());
    launch(gemm, 0);
    backend_.synchronize();
  }

  /// Milliseconds. Launches alone find a cache that others have filled.
  [[nodiscard]] double time(const Gemm& gemm, int launches) const {
    gemm.clear_workspace(workspace_.pointer(), own_.get());
    if (launches_ == Launches::behind_others) return time_row(gemm, launches);
    double ms = 0;
    for (int i = 0; i < launches; ++i) ms += time_row(gemm, 1);
    return ms;
  }

 private:
  static constexpr Index kSweptBytes = Index{256} << 20;
  static constexpr double kHostUs = 4, kBytesPerUs = 4e6;  // of a launch, and of a fill
  static constexpr int kMostFills = 24;

  void launch(const Gemm& gemm, int number) const {
    GemmArgs args = args_on(sets_, problem_, number);
    args.workspace = workspace_.pointer();
    args.stream = own_.get();
    gemm.run(args);
  }

  [[nodiscard]] double time_row(const Gemm& gemm, int launches) const {
    const double fill_us = static_cast<double>(swept_.size_bytes()) / kBytesPerUs;
    const int fills =
        std::clamp(static_cast<int>(std::ceil(launches * kHostUs / fill_us)), 1, kMostFills);
    for (int i = 0; i < fills; ++i)
      backend_.fill(swept_.pointer(), 0, swept_.size_bytes(), own_.get());
    const Event begun = backend_.record(own_.get());
    for (int i = 0; i < launches; ++i) launch(gemm, i);
    const Event ended = backend_.record(own_.get());
    backend_.synchronize();
    return backend_.elapsed_ms(begun, ended);
  }

  Backend& backend_;
  const Problem& problem_;
  const OperandSets& sets_;
  OwnStream own_;
  Buffer workspace_, swept_;
  Launches launches_;
};

/// The Gemms that there are, with their places in the list.
struct Entered {
  std::vector<Gemm> gemms;
  std::vector<std::size_t> places;
  Index workspace_bytes = 0;
};

Entered entered(Context& context, const Problem& problem, const TuneOptions& options,
                std::vector<RacedChoice>& raced) {
  std::vector<Config> configs;
  for (RankedChoice& choice :
       ranked_choices(problem, context.device_info(), options.config, context.catalogue(),
                      options.candidates, options.orders)) {
    configs.push_back(choice.config);
    raced.push_back({.choice = std::move(choice)});
  }
  std::vector<Prepared> prepared =
      prepare(context, problem, configs, PrepareOptions{.threads = options.threads});
  Entered result;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    if (prepared[i].error) raced[i].refused = to_string(*prepared[i].error);
    if (!prepared[i].gemm) continue;
    result.workspace_bytes = std::max(result.workspace_bytes, prepared[i].gemm->workspace_bytes());
    result.gemms.push_back(*std::move(prepared[i].gemm));
    result.places.push_back(i);
  }
  if (result.gemms.empty() && !prepared.empty()) throw Exception(*prepared.front().error);
  return result;
}

}  // namespace
}  // namespace race

Tuned tune(Context& context, const Problem& problem, const TuneOptions& options) {
  race::check(context, problem, options);
  std::vector<RacedChoice> raced;
  const race::Entered entered = race::entered(context, problem, options, raced);
  // Nothing to race: prepare() says which rules keep all candidates from being planned.
  if (raced.empty()) return {.gemm = prepare(context, problem, options.config)};
  Backend& backend = context.backend();
  const Index half = backend.free_bytes() / 2;
  const Problem whole = completed(problem);
  const OperandSets sets = scratch_operands(backend, whole, half - entered.workspace_bytes);
  const race::Course course(backend, whole, sets, entered.workspace_bytes,
                            options.config.launches.value_or(Launches::behind_others));
  for (const Gemm& gemm : entered.gemms) course.warm(gemm);
  const std::vector<double> us = raced_us(entered.gemms.size(), [&](std::size_t i, int launches) {
    return course.time(entered.gemms[i], launches);
  });
  std::vector<double> all(raced.size(), 0);
  for (std::size_t i = 0; i < us.size(); ++i)
    all[entered.places[i]] = raced[entered.places[i]].us = us[i];
  const std::size_t winner = fastest_of(all);
  const auto at = std::ranges::find(entered.places, winner) - entered.places.begin();
  Tuned tuned{.gemm = entered.gemms[static_cast<std::size_t>(at)],
              .raced = std::move(raced),
              .winner = winner};
  if (options.orders == SumOrders::any || options.config != Config())
    tuned.file = context.keep_choices(problem, options.config, tuned.best().choice.config);
  return tuned;
}

}  // namespace jute
