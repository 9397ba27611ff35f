// Stages of wgmma that a producer's warps fill by cp.async: right whatever brings an operand, named
// where an order is broken, and assembled within their registers.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/carried_stages.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gemm/assembling_backend.hpp"
#include "gemm/spills.hpp"
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/grouped_cases.hpp"
#include "support/refusal.hpp"
#include "support/row_table_cases.hpp"
#include "support/temporary_folder.hpp"
#include "support/viewed_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr std::array kCarriers{"carry_a=cp_async carry_b=cp_async", "carry_a=cp_async",
                               "carry_b=cp_async"};

using DrawCase = GemmCase (*)(const CaseTypes&, int);

/// The case with both operands by copies, or one of them; nothing where that is refused.
std::optional<GemmCase> carried(GemmCase one, const DeviceInfo& device, int index) {
  if (one.prepared) return std::nullopt;  // runs of other numbers have parameters
  const bool is_named = index % 2 == 1;
  for (size_t i = 0; i < kCarriers.size(); ++i) {
    const auto at = (static_cast<size_t>(is_named ? index : 0) + i) % kCarriers.size();
    one.config = parse_config(kCarriers.at(at));
    try {
      const Plan plan = make_plan(one.problem, device, one.config);
      if (!carries(gemm_step(plan)) || !check(plan).empty()) return std::nullopt;
      return one;
    } catch (const Exception& refused) {
      if (refused.error().code != ErrorCode::illegal_config) throw;
    }
  }
  return std::nullopt;
}

/// Runs the first `count` draws of each family that are carried, and gives how many there were;
/// whatever goes wrong with them is told.
int run_drawn(DrawCase draw, int count, std::initializer_list<const char*> families) {
  constexpr int kMostDraws = 240;
  int all = 0;
  for (const char* name : families) {
    Context context = context_of(Schedule::random, 3);
    const TypeFamily& family = family_of(name);
    int ran = 0;
    for (int index = 0; index < kMostDraws && ran < count; ++index) {
      const std::optional<GemmCase> one =
          carried(draw(family.types, index), context.backend().device_info(), index);
      if (!one) continue;
      ++ran;
      const std::string failure = describe(*one, run_case(context, *one, make_data(*one)));
      INFO(to_string(one->config));
      CHECK(failure == "");
    }
    all += ran;
  }
  return all;
}

}  // namespace

TEST_CASE("matrices come right whatever fills the stages", "[gemm][carried]") {
  CHECK(run_drawn(random_case, draws(6), {"bf16", "f16 in f16", "bf16 to f32"}) > 0);
  CHECK(run_drawn(random_case, draws(6), {"tf32", "e4m3", "s8"}) > 0);
}

TEST_CASE("threads that fill stages walk Views", "[gemm][carried][view]") {
  CHECK(run_drawn(viewed_case, draws(6), {"bf16", "f16"}) > 0);
}

TEST_CASE("threads that fill stages find rows by tables", "[gemm][carried][rows]") {
  CHECK(run_drawn(row_table_case, draws(6), {"bf16", "bf16 to f32"}) > 0);
}

TEST_CASE("threads that fill stages leave zeros where a group ends", "[gemm][carried][groups]") {
  CHECK(run_drawn(grouped_case, draws(6), {"bf16", "f16"}) > 0);
}

TEST_CASE("what a neighbour has behind a group's part of K is not multiplied",
          "[gemm][carried][groups]") {
  GemmCase one;
  one.problem = parse_problem(
      "M=72 N=104 K=300 batch=5 A=bf16:col B=bf16:row D=f32:row alpha=1 beta=0 groups=k");
  one.config = parse_config("carry_a=cp_async carry_b=cp_async");
  one.ends = {33, 33, 97, 224, 300};  // of which none ends where a k-tile does, and one is empty
  one.fill = Fill::special;
  Context context = context_of(Schedule::late);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    one.seed = seed;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    CHECK(describe(one, outcome) == "");
  }
  CHECK(refusal_of([&] {
          (void)make_plan(one.problem, device_preset("h200"),
                          parse_config("carry_a=cp_async carry_b=tma"));
        }).operand == "carry_a");
}

namespace {

/// A fault of the copying producer, and what the emulator calls it.
struct CopyMutant {
  const char *name, *file, *was, *now, *finding;
};

// clang-format off
constexpr std::array kCopyMutants{
    CopyMutant{"copies are not shown", "prelude/cp_async.cu", "asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");", "", "fence.proxy.async"},
    CopyMutant{"copies are told of on their way", "specialised/copies.cu", "wait_copies<kCopiesAhead>();", "", "read"},
    CopyMutant{"the last copies are told of on their way", "specialised/copies.cu", "wait_copies<0>();", "", "read"},
    CopyMutant{"the last copies are not shown", "specialised/copies.cu", "wait_copies<0>();\nshow_copies();", "wait_copies<0>();", "fence.proxy.async"},
    CopyMutant{"a stage is filled before it is free", "specialised/copies.cu", "wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);", "", ""},
    CopyMutant{"the last k-tiles are not told of", "specialised/copies.cu", "for (; on_the_way > 0; --on_the_way)", "for (; on_the_way > 1; --on_the_way)", ""},
};
// clang-format on

TemplateSet with_fault(const CopyMutant& mutant) {
  const TemporaryFolder folder;
  std::ifstream in(std::string(JUTE_SOURCE_DIR "/kernels_templates/") + mutant.file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t place = text.find(mutant.was);
  REQUIRE(place != std::string::npos);
  text.replace(place, std::string(mutant.was).size(), mutant.now);
  const std::filesystem::path path = folder.path() / mutant.file;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return TemplateSet::from_directory(folder.path().string());
}

std::string failures_with(const CopyMutant& mutant) {
  GemmCase one;
  one.problem = parse_problem("M=128 N=64 K=520 A=bf16:row B=bf16:col D=bf16:row");
  one.config = parse_config("carry_a=cp_async carry_b=cp_async tile=128x64x64 stages=3");
  ContextOptions kept = with_kept_kernels();
  kept.templates = with_fault(mutant);
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = Schedule::late;
  options.warp_instructions_per_block = 400'000;
  Context context(open_emulator(options), kept);
  try {
    return describe(one, run_case(context, one, make_data(one)));
  } catch (const std::exception& finding) {
    return finding.what();
  }
}

}  // namespace

TEST_CASE("every fault of copies beside wgmma is named", "[gemm][carried][mutation]") {
  for (const CopyMutant& mutant : kCopyMutants) {
    const std::string failures = failures_with(mutant);
    INFO(mutant.name << ": " << failures);
    CHECK(failures != "");
    CHECK(failures.find(mutant.finding) != std::string::npos);
  }
}

TEST_CASE("kernels whose producer copies keep to their registers", "[gemm][carried][spills]") {
  constexpr std::array kRows{
      std::pair("M=4096 N=4096 K=4096 A=bf16 B=bf16:col D=bf16", "tile=128x256x64"),
      std::pair("M=4096 N=4096 K=4096 A=bf16:col B=bf16 D=bf16", "tile=256x128x64"),
      std::pair("M=4096 N=4096 K=4096 A=bf16 B=bf16 D=bf16", "tile=192x192x64"),
      std::pair("M=4096 N=4096 K=4096 A=e4m3 B=e4m3:col D=bf16", "tile=128x128x128"),
      std::pair("M=4096 N=2048 K=4100 A=bf16:row:ld4102 B=bf16:row:ld2050 D=bf16",
                "tile=128x256x64"),
      std::pair("M=2048 N=1024 K=8192 batch=16 A=bf16:col B=bf16 D=f32 groups=k",
                "tile=128x256x64"),
      std::pair("M=4096 N=2048 K=1024 A=bf16:rows9000 B=bf16:col D=bf16", "tile=128x256x64")};
  for (const auto& [problem, choices] : kRows) {
    INFO(problem << " " << choices);
    Context context(std::make_unique<AssemblingBackend>("h200"), without_disk_cache());
    const Config config = parse_config(std::string("carry_a=cp_async carry_b=cp_async ") + choices);
    const Gemm gemm = prepare(context, parse_problem(problem), config);
    CHECK(gemm::fault_of_assembly(gemm.binaries()) == "");
    CHECK(gemm.passed_over().empty());
  }
}

TEST_CASE("what a producer's warps cannot bring is refused with its rule",
          "[gemm][carried][refusal]") {
  struct Refused {
    const char *problem, *choices, *operand, *nearest;
  };
  for (const auto& [problem, choices, operand, nearest] :
       {Refused{"M=200 N=136 K=96 A=bf16 B=bf16:col", "cluster=2x1", "cluster", "1x1"},
        Refused{"M=200 N=136 K=96 A=bf16 B=bf16:col", "k_starts=4", "k_starts", "1"},
        Refused{"M=200 N=136 K=96 A=bf16 B=bf16:col", "first_stages=prefetched", "first_stages",
                "after_barrier"},
        Refused{"M=200 N=136 K=96 A=bf16 B=bf16:col", "specialize=generic", "specialize", "usual"},
        Refused{"M=200 N=136 K=96 A=bf16 B=bf16:col", "main_loop=multistage", "carry_a", "tma"},
        Refused{"M=200 N=136 K=97 A=bf16 B=bf16:col", "", "carry_a", "tma"},
        Refused{"M=200 N=136 K=96", "", "carry_a", "tma"},
        Refused{"M=200 N=136 K=96 precision=tf32x3", "", "products", "0"}}) {
    INFO(problem << " " << choices);
    const Error error = refusal_of([&] {
      (void)make_plan(parse_problem(problem), device_preset("h200"),
                      parse_config(std::string("carry_a=cp_async ") + choices));
    });
    CHECK(error.operand == operand);
    CHECK(error.nearest_legal == nearest);
  }
  CHECK(refusal_of([] {
          (void)make_plan(parse_problem("M=200 N=136 K=96 A=bf16 B=bf16:col"),
                          device_preset("a100"), parse_config("carry_b=cp_async"));
        }).operand == "carry_b");
}
