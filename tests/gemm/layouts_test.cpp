// Layouts drive the code: another shared-memory layout gives other code and the same result.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"

#include <jute/emulator/emulator.hpp>

#include <array>
#include <set>

using namespace jute;
using namespace jute::test;

namespace {

/// Legal layouts of a (64,8) tile: plain, padded, of either major, swizzled, scattered.
constexpr std::array kLayouts{
    "(64,8):(1,64)",
    "(64,8):(1,68)",
    "(64,8):(1,65)",
    "(64,8):(8,1)",
    "(64,8):(9,1)",
    "(64,8):(12,1)",
    "(64,8):(16,2)",
    "(64,8):(3,200)",
    "((8,8),8):((1,64),8)",
    "((16,4),8):((8,128),1)",
    "((2,32),8):((256,1),32)",
    "((4,16),(2,4)):((2,32),(1,8))",
    "(64,(4,2)):(4,(1,256))",
    "(64,(2,2,2)):(1,(256,64,128))",
    "Sw<3,2,3>o0o(64,8):(8,1)",
    "Sw<2,0,3>o0o(64,8):(8,1)",
    "Sw<3,3,3>o0o(64,8):(1,64)",
    "Sw<2,2,4>o0o(64,8):(1,64)",
    "Sw<1,2,5>o0o(64,8):(1,64)",
    "Sw<3,2,3>o0o((8,8),8):((8,64),1)",
};

GemmCase case_with_small_tile() {
  GemmCase gemm_case;
  Problem& problem = gemm_case.problem;
  problem.m = 130;
  problem.n = 93;
  problem.k = 45;
  problem.a.order = Order::col;
  gemm_case.alpha = 1.5;
  gemm_case.beta = -0.75;
  gemm_case.fill = Fill::normal;
  gemm_case.seed = 11;
  gemm_case.config.specialize = Specialize::none;
  gemm_case.config.tile = TileShape{64, 64, 8};
  return gemm_case;
}

}  // namespace

TEST_CASE("twenty other shared-memory layouts give other kernels and the same bits",
          "[gemm][layouts]") {
  Context context(open_emulator(), with_kept_kernels());
  GemmCase gemm_case = case_with_small_tile();
  const CaseData data = make_data(gemm_case);
  const CaseOutcome planned = run_case(context, gemm_case, data);
  REQUIRE(describe(gemm_case, planned) == "");
  std::set<std::string> texts;
  for (size_t i = 0; i < kLayouts.size(); ++i) {
    gemm_case.config.smem_a = ComposedLayout(kLayouts[i]);
    gemm_case.config.smem_b = ComposedLayout(kLayouts[(7 * i + 3) % kLayouts.size()]);
    INFO("A " << *gemm_case.config.smem_a << "  B " << *gemm_case.config.smem_b);
    const CaseOutcome outcome = run_case(context, gemm_case, data);
    CHECK(describe(gemm_case, outcome) == "");
    const bool is_same = outcome.d == planned.d;
    CHECK(is_same);
    const Gemm gemm = prepare(context, gemm_case.problem, gemm_case.config);
    const auto& step = std::get<GemmStep>(gemm.plan().steps[0]);
    CHECK(stage_of(step.a).smem == *gemm_case.config.smem_a);
    CHECK(stage_of(step.b).smem == *gemm_case.config.smem_b);
    texts.insert(gemm.sources()[0].text);
  }
  CHECK(texts.size() == kLayouts.size());
}
