// Races against a clock that the test sets: who runs, how often, who wins, what is kept.
#include <jute/host/operands.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/derive/sum_order.hpp>
#include <jute/race/tune.hpp>

#include <algorithm>
#include <set>

#include "race/timed_gpu.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const char* const kSmall = "M=64 N=48 K=64 A=bf16 alpha=1 beta=0";

/// A Context of a timed GPU whose cache is a folder of the test's.
struct Raced {
  explicit Raced(const TemporaryFolder& folder, std::vector<double> ms,
                 Index free = Index{1} << 40) {
    Settings settings = settings_from_environment();
    settings.cache = "on";
    settings.cache_dir = folder.path();
    auto opened = std::make_unique<TimedGpu>(std::move(ms), free);
    gpu = opened.get();
    context = std::make_unique<Context>(std::move(opened), ContextOptions{.settings = settings});
  }
  TimedGpu* gpu;
  std::unique_ptr<Context> context;
};

Tuned tuned_of(Raced& raced, const char* text, TuneOptions options = {.candidates = 3}) {
  return tune(*raced.context, parse_problem(text), options);
}

}  // namespace

TEST_CASE("a race times the first candidates, and the fastest is prepared from then on",
          "[race][nvrtc]") {
  const TemporaryFolder folder;
  Raced raced(folder, {0.5, 0.7, 0.25});
  const Problem problem = parse_problem(kSmall);
  const std::string planned = to_string(prepare(*raced.context, problem).plan());
  const Tuned tuned = tuned_of(raced, kSmall);
  REQUIRE(tuned.raced.size() == 3);
  CHECK(tuned.winner == 2);
  CHECK(tuned.best().us == Approx(250));
  CHECK(to_string(tuned).find("100.0 % faster than planned, the best of 3: ") != std::string::npos);
  // Untimed, a turn ahead, and three that last 2 ms: no kernel runs less often than that.
  CHECK(raced.gpu->launches() == std::vector<int>{2 + 6, 2 + 3, 2 + 9});
  const std::string winner = to_string(prepare(*raced.context, problem).plan());
  CHECK(winner == to_string(tuned.gemm.plan()));
  CHECK(winner != planned);
  // Others read it in the device's file.
  CHECK(tuned.file.starts_with(folder.path().string()));
  const Raced other(folder, {1});
  CHECK(to_string(prepare(*other.context, problem).plan()) == winner);
}

TEST_CASE("planning's first wins where another is as fast as races of one kernel differ",
          "[race][nvrtc]") {
  const TemporaryFolder folder;
  Raced raced(folder, {0.5, 0.496, 0.5});
  CHECK(tuned_of(raced, kSmall).winner == 0);
}

TEST_CASE("choices of the caller's race and are kept for such choices alone", "[race][nvrtc]") {
  const TemporaryFolder folder;
  Raced raced(folder, {0.5, 0.25});
  const Problem problem = parse_problem(kSmall);
  const std::string planned = to_string(prepare(*raced.context, problem).plan());
  const Config asked = parse_config("raster_width=4");
  const Tuned tuned = tuned_of(raced, kSmall, {.candidates = 2, .config = asked});
  CHECK(tuned.winner == 1);
  for (const RacedChoice& one : tuned.raced) CHECK(one.choice.config.raster_width == 4);
  CHECK(to_string(prepare(*raced.context, problem).plan()) == planned);
  CHECK(to_string(prepare(*raced.context, problem, asked).plan()) == to_string(tuned.gemm.plan()));
}

TEST_CASE("of promised bits only equal orders of sums race", "[race]") {
  const Problem problem = parse_problem("M=64 N=512 K=4096 A=bf16 B=bf16:col");
  const DeviceInfo chip = device_preset("h200");
  const auto orders_of = [&](SumOrders orders) {
    std::set<std::string> found;
    for (const RankedChoice& one : ranked_choices(problem, chip, {}, Catalogue(), 12, orders))
      found.insert(sum_order(make_plan(problem, chip, one.config)));
    return found;
  };
  REQUIRE(orders_of(SumOrders::any).size() > 1);
  const auto same = orders_of(SumOrders::as_planned);
  REQUIRE(same.size() == 1);
  CHECK(*same.begin() == sum_order(make_plan(problem, chip)));
}

TEST_CASE("every operand of a problem is there while it races", "[race][nvrtc]") {
  const TemporaryFolder folder;
  for (const char* text :
       {"M=64 N=48 K=64 A=bf16 epilogue=\"d = gelu(acc + bias[n]) + s*c; r = acc\"",
        "M=64 N=48 K=128 batch=4 A=bf16 groups=rows:i32:expected8",
        "M=64 N=48 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8",
        "M=32 N=48 K=64 batch=3 A=f16:rows40 D=f16"}) {
    INFO(text);
    Raced raced(folder, {0.5, 0.4});
    const Tuned tuned = tuned_of(raced, text, {.candidates = 2});
    for (const RacedChoice& one : tuned.raced) CHECK((one.us > 0 || !one.refused.empty()));
    if (parse_problem(text).groups)  // as many rows as are expected of each
      CHECK(raced.gpu->last_small() ==
            bytes_of(std::vector<Index>{8, 16, 24, 32}, GroupIndex::i32));
  }
}

TEST_CASE("what cannot race is refused by name", "[race][refusal]") {
  const TemporaryFolder folder;
  const auto refused = [&](const char* text, const TuneOptions& options = {.candidates = 1}) {
    Raced raced(folder, {1}, 4096);
    const Error error = refusal_of([&] { (void)tuned_of(raced, text, options); });
    CHECK(error.operand == "race");
    return error.code;
  };
  CHECK(refused("M=1:64 N=48 K=64") == ErrorCode::unsupported);
  CHECK(refused("M=64 N=48 K=64 batch=2 groups=each") == ErrorCode::unsupported);
  CHECK(refused(kSmall, {.candidates = 0}) == ErrorCode::out_of_range);
  Context emulated(open_emulator());
  const Error error = refusal_of([&] { (void)tune(emulated, parse_problem(kSmall)); });
  CHECK(error.code == ErrorCode::no_gpu);
  CHECK(error.nearest_legal == "cuda");
}

TEST_CASE("operands that take more than half of the free memory are refused with their bytes",
          "[race][refusal][nvrtc]") {
  const TemporaryFolder folder;
  Raced raced(folder, {1}, 4096);
  const Error error = refusal_of([&] { (void)tuned_of(raced, kSmall, {.candidates = 1}); });
  CHECK(error.code == ErrorCode::out_of_memory);
  CHECK(error.operand == "race");
  CHECK(error.value.ends_with("bytes of operands"));
  CHECK(raced.gpu->launches().empty());
}
