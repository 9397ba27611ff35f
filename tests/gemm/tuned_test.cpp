// What was measured to be best is what prepare plans, where the caller leaves all to it.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/problem_of.hpp"
#include "support/temporary_folder.hpp"

#include <jute/gemm/gemm.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem_class.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <fstream>

using namespace jute;
using namespace jute::test;

namespace {

Problem bf16_problem() {
  return problem_of(1024, 1024, 1024, {DType::bf16, DType::bf16}, {Order::row, Order::col});
}

Context tuned_context(const ContextOptions& options) {
  return Context(std::make_unique<RecordingBackend>(), options);
}

/// Not the model's first.
Config measured() { return considered(bf16_problem(), device_preset("h200"))[3].config; }

}  // namespace

TEST_CASE("prepare plans as was measured to be best for the class of the problem",
          "[gemm][tuned]") {
  const TemporaryFolder folder;
  ContextOptions options = with_tuning_in(folder.file("cache"));
  const DeviceInfo device = device_preset("h200");
  const Plan planned = make_plan(bf16_problem(), device);
  const Plan best = make_plan(bf16_problem(), device, measured());
  REQUIRE(planned != best);
  {
    Context context = tuned_context(options);
    CHECK(prepare(context, bf16_problem()).plan() == planned);
  }
  TunedFile(options.settings, device).keep(problem_class(bf16_problem()), to_string(measured()));

  Context context = tuned_context(options);
  CHECK(context.tuned_fault().empty());
  CHECK(prepare(context, bf16_problem()).plan() == best);
  // What the caller chooses, another problem, and a range go by the model.
  CHECK(prepare(context, bf16_problem(), parse_config("split_k=1")).plan() == planned);
  Problem other = bf16_problem();
  other.n = 1032;
  CHECK(prepare(context, other).plan() == make_plan(other, device));
  Problem ranged = bf16_problem();
  ranged.m_range = MRange{1024, 1024};
  CHECK(prepare(context, ranged).plans().size() == 1);
  // Launches alone are a class of their own.
  const Config alone = parse_config("launches=alone"),
               best_alone = parse_config(to_string(measured()) + " launches=alone");
  CHECK(prepare(context, bf16_problem(), alone).plan() == make_plan(bf16_problem(), device, alone));
  TunedFile(options.settings, device)
      .keep(problem_class(bf16_problem(), Launches::alone), to_string(best_alone));
  Context later = tuned_context(options);
  CHECK(prepare(later, bf16_problem(), alone).plan() ==
        make_plan(bf16_problem(), device, best_alone));
  CHECK(prepare(later, bf16_problem()).plan() == best);
  for (const char* off : {"off", "0"}) {
    options.settings.tuned = off;
    Context without = tuned_context(options);
    CHECK(prepare(without, bf16_problem()).plan() == planned);
  }
}

TEST_CASE("what was measured of Views, groups and tables of rows is kept for their likes alone",
          "[gemm][tuned]") {
  struct Pair {
    const char *measured, *other;
  };
  const DeviceInfo device = device_preset("h200");
  for (const auto& [text, other] :
       {Pair{"M=512 N=512 K=512 A=bf16:view[((64,8),512):((512,65536),1)] B=bf16:col",
             "M=512 N=512 K=512 A=bf16:view[((64,8),512):((512,131072),1)] B=bf16:col"},
        Pair{"M=512 N=512 K=512 A=bf16 B=bf16:col batch=8 groups=rows",
             "M=512 N=512 K=512 A=bf16 B=bf16:col batch=8 groups=rows:by_row"},
        Pair{"M=512 N=512 K=512 A=bf16:rows4096 B=bf16:col",
             "M=512 N=512 K=512 A=bf16:rows8192 B=bf16:col"}}) {
    INFO(text);
    const TemporaryFolder folder;
    const ContextOptions options = with_tuning_in(folder.file("cache"));
    const Problem problem = parse_problem(text), unlike = parse_problem(other);
    const Plan planned = make_plan(problem, device);
    const std::vector<Considered> candidates = considered(problem, device);
    const auto chosen = std::ranges::find_if(candidates, [&](const Considered& each) {
      return each.refused.empty() && make_plan(problem, device, each.config) != planned;
    });
    REQUIRE(chosen != candidates.end());
    TunedFile(options.settings, device).keep(problem_class(problem), to_string(chosen->config));
    Context context = tuned_context(options);
    CHECK(prepare(context, problem).plan() == make_plan(problem, device, chosen->config));
    CHECK(problem_class(problem) != problem_class(unlike));
    CHECK(prepare(context, unlike).plan() == make_plan(unlike, device));
  }
}

TEST_CASE("choices that no longer plan, and files of other versions, change nothing",
          "[gemm][tuned]") {
  const TemporaryFolder folder;
  const ContextOptions options = with_tuning_in(folder.file("cache"));
  const DeviceInfo device = device_preset("h200");
  const Plan planned = make_plan(bf16_problem(), device);
  const TunedFile file(options.settings, device);
  for (const char* choices : {"stages=1000", "tile=7x7x7", "no such choice"}) {
    file.keep(problem_class(bf16_problem()), choices);
    Context context = tuned_context(options);
    CHECK(prepare(context, bf16_problem()).plan() == planned);
  }
  std::ofstream(file.path()) << "jute-tuned 99\n";
  Context context = tuned_context(options);
  CHECK(context.tuned_fault() == "its first line must be 'jute-tuned 1'");
  CHECK(prepare(context, bf16_problem()).plan() == planned);
}

TEST_CASE("a class holds problems that differ only in where their memory lies", "[plan][class]") {
  Problem one = bf16_problem(), two = bf16_problem();
  two.a.ld_elems = 2048;
  two.b.alignment_bytes = 256;
  two.m_range = MRange{1, 4096};
  CHECK(problem_class(one) == problem_class(two));
  two.a.ld_elems = 1032;  // rows that begin inside lines
  CHECK(problem_class(one) != problem_class(two));
  two = one;
  two.m = 1025;
  CHECK(problem_class(one) != problem_class(two));
  two = one;
  two.beta = Factor::zero;
  CHECK(problem_class(one) != problem_class(two));
}
