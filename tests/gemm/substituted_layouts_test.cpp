// Tensor-core kernels whose shared memory and atoms are laid out as somebody else likes.
#include "support/substituted_layouts.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"

#include <jute/emulator/emulator.hpp>

#include <set>

using namespace jute;
using namespace jute::test;

TEST_CASE("fifty substituted layouts under permuted atoms give the bits of the planned kernel",
          "[gemm][layouts]") {
  Context context(open_emulator(), with_kept_kernels());
  const int count = kIsInstrumented ? kSubstitutions / 6 : kSubstitutions;
  CHECK(substitution_failures(context, 0, count) == "");
}

TEST_CASE("each substituted layout is the kernel's own, and each gives another kernel",
          "[gemm][layouts]") {
  const DeviceInfo device = open_emulator()->device_info();
  std::set<std::string> texts;
  int by_matrix = 0, gathered = 0, synchronous = 0;
  for (int index = 0; index < kSubstitutions; ++index) {
    const GemmCase gemm_case = with_substitutes(substituted_case(index), index);
    const Plan plan = make_plan(gemm_case.problem, device, gemm_case.config);
    const GemmStep& step = gemm_step(plan);
    CHECK(stage_of(step.a).smem == *gemm_case.config.smem_a);
    CHECK(stage_of(step.b).smem == *gemm_case.config.smem_b);
    CHECK(step.mma.permutation() == *gemm_case.config.permutation);
    CHECK(check(plan).empty());
    by_matrix += fragments_of(step.a).atom || fragments_of(step.b).atom ? 1 : 0;
    gathered += fragments_of(step.a).atom && fragments_of(step.b).atom ? 0 : 1;
    synchronous += transfer_of(step.a) == Transfer::registers ? 1 : 0;
    texts.insert(generate(plan).back().text);
  }
  CHECK(texts.size() == kSubstitutions);
  // The layouts decide: which operand is read by matrix, and whether cp.async can write its runs.
  INFO(by_matrix << " by matrix, " << gathered << " gathered, " << synchronous
                 << " through registers");
  CHECK(by_matrix >= 10);
  CHECK(gathered >= 10);
  CHECK(synchronous >= 10);
  CHECK(synchronous <= 40);
}
