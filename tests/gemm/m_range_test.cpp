// One Gemm for many M: right for each, without a compilation, whichever of its kernels runs.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <set>

using namespace jute;
using namespace jute::test;

namespace {

Problem ranged(Index first, Index last, Index n, Index k) {
  Problem problem = problem_of(last, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  problem.m_range = MRange{first, last};
  return problem;
}

/// A chip so small that its waves are full after a few hundred rows.
Context small_chip(int processors = 12, const char* chip = "h200") {
  EmulatorOptions options;
  options.check = Check::full;
  options.device = device_preset(chip);
  options.device.sm_count = processors;
  return Context(open_emulator(options), with_kept_kernels());
}

/// A Gemm with its operands on the device.
class Bench {
 public:
  Bench(Context& context, const Problem& problem, const char* config = "")
      : context_(context), problem_(problem) {
    GemmCase all;
    all.problem = problem;
    all.problem.m_range.reset();
    const CaseData data = make_data(all);
    reference_ = data.reference;
    a_ = uploaded(data.a);
    b_ = uploaded(data.b);
    gemm_ = prepare(context, problem, parse_config(config));
    workspace_ = Buffer(context.backend(), gemm_->workspace_bytes());
    context.backend().fill(workspace_.pointer(), 0xff, gemm_->workspace_bytes());
    gemm_->clear_workspace(workspace_.pointer());
  }

  [[nodiscard]] const Gemm& gemm() const { return *gemm_; }

  /// What is wrong with D of so many rows; its memory ends behind them.
  [[nodiscard]] std::string run(Index m, bool packs_b = false) const {
    Backend& backend = context_.backend();
    const Buffer packed(backend, packs_b ? gemm_->packed_bytes(TensorRole::b) : 0);
    if (packs_b)
      gemm_->pack(TensorRole::b, packed.pointer(), {.a = a_.pointer(), .b = b_.pointer()});
    const Index bytes = m * problem_.n * width_bytes(problem_.d.type);
    const Buffer d(backend, bytes);
    gemm_->run({.a = a_.pointer(),
                .b = b_.pointer(),
                .d = d.pointer(),
                .workspace = workspace_.pointer(),
                .packed_b = packs_b ? packed.pointer() : 0,
                .m = m});
    backend.synchronize();
    std::vector<std::byte> result(static_cast<size_t>(bytes));
    backend.copy_out(result, d.pointer());
    Problem few = problem_;
    few.m_range.reset();
    few.m = m;
    Reference part = reference_;
    part.value.resize(static_cast<size_t>(m * problem_.n));
    part.bound.assign(part.value.size(), 0);  // whole numbers that both types hold
    const Verdict verdict = compare(few, part, result);
    return verdict.ok ? "" : std::to_string(m) + " rows: " + to_string(verdict) + "\n";
  }

 private:
  [[nodiscard]] Buffer uploaded(const std::vector<std::byte>& bytes) const {
    Buffer buffer(context_.backend(), static_cast<Index>(bytes.size()));
    context_.backend().copy_in(buffer.pointer(), bytes);
    return buffer;
  }

  Context& context_;
  Problem problem_;
  Reference reference_;
  Buffer a_, b_, workspace_;
  std::optional<Gemm> gemm_;
};

/// Runs all of them, and the first once more; several kernels take part.
void check_rows(const Problem& problem, const std::vector<Index>& rows, const char* chip = "h200") {
  Context context = small_chip(12, chip);
  const Bench bench(context, problem);
  const Gemm& gemm = bench.gemm();
  CHECK(gemm.plans().size() > 1);
  CHECK(gemm.plans().size() <= kMostKernelsOfRange);
  const int compiles = context.compile_count();
  std::set<size_t> ran;
  std::string wrong;
  for (const Index m : rows) {
    ran.insert(gemm.choice(m).kernel);
    wrong += bench.run(m);
  }
  wrong += bench.run(rows.front());
  CHECK(wrong == "");
  CHECK(ran.size() > 1);
  CHECK(context.compile_count() == compiles);
}

}  // namespace

TEST_CASE("one Gemm gives exact sums for many M", "[gemm][m_range]") {
  check_rows(ranged(1, 600, 136, 72),
             {1, 2, 7, 8, 9, 31, 63, 64, 65, 100, 127, 129, 193, 257, 300, 600});
}

TEST_CASE("one Gemm gives exact sums for many M where no warpgroup multiplies", "[gemm][m_range]") {
  const std::vector<Index> rows{1, 2, 5, 16, 17, 64, 65, 130, 257, 400};
  check_rows(ranged(1, 400, 136, 520), rows, "a100");
  Problem floats = problem_of(400, 136, 264);
  floats.m_range = MRange{1, 400};
  check_rows(floats, rows);
}

TEST_CASE("a run that is given a copy of B has a kernel that reads it", "[gemm][m_range][pack]") {
  // Dot products of few rows read B as it lies, the others copies of its odd rows.
  Context context = small_chip();
  const Bench bench(context, ranged(1, 300, 256, 515));
  CHECK(bench.gemm().plans().size() > 1);
  REQUIRE(bench.gemm().packed_bytes(TensorRole::b) > 0);
  std::string wrong;
  for (const Index m : {1, 3, 40, 300}) wrong += bench.run(m, true);
  CHECK(wrong == "");
}

TEST_CASE("tiles take their columns from the launch, and D is the same for every M",
          "[gemm][m_range][widths]") {
  const Problem problem = ranged(1, 600, 192, 200);
  Context context = small_chip();
  const Bench bench(context, problem);
  std::set<std::pair<size_t, Index>> ran;  // kernels, and widths of theirs
  std::string wrong;
  for (Index m = 1; m <= 600; m += m < 40 ? 3 : 13) {
    const KernelChoice choice = bench.gemm().choice(m);
    if (choice.width > 0) ran.insert({choice.kernel, choice.width});
    wrong += bench.run(m);
  }
  CHECK(wrong == "");
  CHECK(ran.size() > 6);
}

TEST_CASE("blocks of a range begin at several places of K where a run has few rows",
          "[gemm][m_range][widths]") {
  constexpr Index kMostShared = 42;  // of tiles of 64 rows
  const Problem problem = ranged(1, 600, 704, 1024);
  Context context = small_chip();
  const Bench bench(context, problem, "k_starts=3");
  int few = 0, many = 0;
  std::string wrong;
  for (const Index m : {3, 9, 17, 24, 40, 42, 43, 48, 57, 64, 100, 150}) {
    if (bench.gemm().choice(m).width > 0) ++(m <= kMostShared ? few : many);
    wrong += bench.run(m);
  }
  CHECK(wrong == "");
  CHECK(few > 1);
  CHECK(many > 1);
}

TEST_CASE("a group with several rows of instructions leaves out the past columns of each",
          "[gemm][m_range][widths]") {
  Problem problem = ranged(1, 800, 512, 1024);
  problem.beta = Factor::zero;  // registers that C would take hold sums
  Context context = small_chip(6);
  const Bench bench(context, problem);
  int narrower = 0;
  std::string wrong;
  for (Index m = 80; m <= 400; m += 10) {
    const KernelChoice choice = bench.gemm().choice(m);
    const GemmStep& step = gemm_step(bench.gemm().plans()[choice.kernel]);
    const bool has_rows = step.tile.m > step.epilogue.drain->groups * step.mma.atom().shape.m;
    if (!has_rows || choice.width == 0 || choice.width == step.tile.n) continue;
    ++narrower;
    wrong += bench.run(m);
  }
  CHECK(wrong == "");
  CHECK(narrower > 2);
}

TEST_CASE("kernels of a range leave alone what surrounds their matrices",
          "[gemm][m_range][widths]") {
  Context context = small_chip();
  int with_widths = 0;
  for (const Order order_b : {Order::row, Order::col})
    for (const Order order_a : {Order::row, Order::col})
      for (const Index m : {1, 16, 47, 193}) {
        GemmCase one;
        one.problem = ranged(1, 200, 192, 200);
        one.problem.m = m;
        one.problem.a.order = order_a;
        one.problem.b.order = order_b;
        one.problem.batch = 2;
        with_widths += prepare(context, one.problem).choice(m).width > 0 ? 1 : 0;
        CHECK(describe(one, run_case(context, one, make_data(one))) == "");
      }
  CHECK(with_widths > 3);
}

TEST_CASE("kernels of a range add what lies along N, and C", "[gemm][m_range][widths]") {
  Context context = small_chip();
  int with_widths = 0;
  for (const char* text : {"relu(alpha*acc + bias[n])", "y := alpha*acc + beta*c; d = y*s[n]"})
    for (const Index m : {3, 40, 130, 257, 555}) {
      GemmCase one;
      one.problem = ranged(1, 600, 192, 200);
      one.problem.m = m;
      one.problem.epilogue = Epilogue{parse_epilogue(text)};
      one.problem = completed(one.problem);
      with_widths += prepare(context, one.problem).choice(m).width > 0 ? 1 : 0;
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
  CHECK(with_widths > 3);
}

TEST_CASE("launches cut tiles into slices of K, and D is the same for every M",
          "[gemm][m_range][widths]") {
  // The last rows of tiles along N lie past the edge, where stages hold zeros.
  const Problem problem = ranged(1, 200, 200, 8192);
  Context context = small_chip(24);
  const Bench bench(context, problem);
  std::set<std::pair<Index, Index>> ran;  // widths, and slices of theirs
  std::string wrong;
  for (Index m = 1; m <= 200; m += m < 40 ? 8 : 27) {
    const KernelChoice choice = bench.gemm().choice(m);
    if (choice.width > 0 && choice.split_k > 1) ran.insert({choice.width, choice.split_k});
    wrong += bench.run(m);
  }
  CHECK(wrong == "");
  CHECK(ran.size() > 3);
}

TEST_CASE("slices that a launch asks for add what epilogues take once", "[gemm][m_range][widths]") {
  Context context = small_chip(48);  // where dot products serve fewer than five rows
  int cut = 0;
  for (const Index m : {7, 40, 130}) {
    GemmCase one;
    one.problem = ranged(1, 200, 136, 8192);
    one.problem.m = m;
    one.problem.batch = 1 + m % 2;
    one.problem.epilogue = Epilogue{parse_epilogue("y := relu(alpha*acc + beta*c); d = y*s[n]")};
    one.problem = completed(one.problem);
    const KernelChoice choice = prepare(context, one.problem).choice(m);
    cut += choice.width > 0 && choice.split_k > 1 ? 1 : 0;
    CHECK(describe(one, run_case(context, one, make_data(one))) == "");
  }
  CHECK(cut > 1);
}

TEST_CASE("more slices than blocks run together are refused", "[gemm][m_range][refusal]") {
  const DeviceInfo device = device_preset("h200");
  for (const Plan& plan : make_plans(ranged(1, 200, 256, 4096), device)) {
    const GemmStep& step = gemm_step(plan);
    if (!step.schedule.split_k_at_run_time) continue;
    RunValues run = run_values(plan);
    run.m = 200;  // four tiles of 64 along N, and two of 128 along M
    set_width(run, step, {.width = 128, .split_k = 16});
    CHECK(run.split_k == 16);
    const Error error = refusal_of([&] { set_width(run, step, {.width = 128, .split_k = 17}); });
    CHECK(error.operand == "split_k");
    CHECK(error.nearest_legal == "16");
    return;
  }
  FAIL("no kernel of the range takes slices");
}

TEST_CASE("kernels that count in the workspace share it with those that do not",
          "[gemm][m_range]") {
  const Problem problem = ranged(1, 400, 64, 2048);
  Context context = small_chip();
  const Gemm gemm = prepare(context, problem);
  std::set<bool> counts;
  for (const Plan& plan : gemm.plans()) counts.insert(takes_split_k(gemm_step(plan)));
  CHECK(counts.size() == 2);
  CHECK(gemm.zeroed_bytes() > 0);
  check_rows(problem, {1, 33, 65, 130, 400});
}

TEST_CASE("a thousand values of M take eight compilations, all before the first run",
          "[gemm][m_range]") {
  auto owned = std::make_unique<RecordingBackend>();
  RecordingBackend& backend = *owned;
  Context context(std::move(owned), without_disk_cache());
  Problem problem = ranged(1, 8192, 4096, 4096);
  const Gemm gemm = prepare(context, problem);
  CHECK(context.compile_count() == static_cast<int>(gemm.plans().size()));
  CHECK(gemm.plans().size() <= kMostKernelsOfRange);
  GemmArgs args;
  args.a = args.b = args.d = args.workspace = 0x10000;
  for (Index m = 1; m <= 1000; ++m) {
    args.m = 1 + (m * 8191 / 1000);
    gemm.run(args);
    const GemmStep& step = gemm_step(plan_for_m(gemm.plans(), *args.m));
    CHECK(backend.last_block.x == step.threads);
  }
  CHECK(backend.launches == 1000);
  CHECK(context.compile_count() == static_cast<int>(gemm.plans().size()));
  // Beyond the range, and none at all: whatever is held does.
  for (const Index m : {0, 8193, 100000}) {
    args.m = m;
    gemm.run(args);
  }
  CHECK(context.compile_count() == static_cast<int>(gemm.plans().size()));
  // Another M of the range is the same set of kernels, and plan() the one that serves it.
  problem.m = 5;
  const Gemm again = prepare(context, problem);
  CHECK(context.compile_count() == static_cast<int>(gemm.plans().size()));
  CHECK(again.plan() == plan_for_m(gemm.plans(), 5));
}

TEST_CASE("the choice for an M says what another kernel would gain", "[gemm][m_range]") {
  Context context(std::make_unique<RecordingBackend>(), without_disk_cache());
  const Gemm ranged_gemm = prepare(context, ranged(1, 64, 4096, 4096));
  // Fewer rows have dot products, which serve no others.
  for (const Index m : {5, 10, 33, 64}) {
    const KernelChoice choice = ranged_gemm.choice(m);
    CHECK(choice.gain() >= 0);
    CHECK(choice.gain() <= kLossOfRange);
    CHECK(&ranged_gemm.plans()[choice.kernel] == &plan_for_m(ranged_gemm.plans(), m));
  }
  // A kernel that was chosen for many rows alone serves few, but not well.
  Problem many = ranged(1, 4096, 4096, 4096);
  many.m_range.reset();
  const Gemm one = prepare(context, many);
  const int compiles = context.compile_count();
  const KernelChoice choice = one.choice(16);
  CHECK(choice.kernel == 0);
  CHECK(choice.gain() > 0.2);
  CHECK(context.compile_count() == compiles);
  Problem few = many;
  few.m = 16;
  CHECK(make_plan(few, device_preset("h200"), choice.config) ==
        make_plan(few, device_preset("h200")));
}

TEST_CASE("a run is refused for its workspace alone", "[gemm][m_range][refusal]") {
  Context context(std::make_unique<RecordingBackend>(), without_disk_cache());
  // Rows that begin at odd addresses are copied into the workspace first, but for dot products.
  const Gemm gemm = prepare(context, ranged(5, 512, 512, 515));
  GemmArgs args;
  args.a = args.b = args.d = args.workspace = 0x10000;
  args.m = 512;
  gemm.run(args);
  args.m = 100000;
  const Error error = refusal_of([&] { gemm.run(args); });
  CHECK(error.operand == "workspace");
  CHECK(error.nearest_legal == std::to_string(gemm.workspace_bytes()));
}
