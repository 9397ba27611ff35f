#pragma once
// Shared-memory layouts and permutations that no planner would choose, all legal: whatever they
// are, the same D.
#include "support/gemm_case.hpp"

#include <array>
#include <string_view>

namespace jute::test {

/// Layouts of a (64,32) tile of 16-bit elements: plain, padded, of the other major, in blocks,
/// scattered, swizzled in the tile's major and across it.
// clang-format off
inline constexpr std::array<std::string_view, 25> kSubstituted{
    "(64,32):(32,1)",          "(64,32):(40,1)",          "(64,32):(34,1)",           "(64,32):(33,1)",          "(64,32):(66,2)",
    "(64,32):(1,64)",          "(64,32):(1,72)",          "(64,32):(1,65)",           "(64,32):(2,130)",         "(64,32):(36,1)",
    "((8,8),32):((32,256),1)", "((8,8),32):((1,256),8)",  "(64,(8,4)):(8,(1,512))",   "(64,(8,4)):(8,(1,520))",  "((2,32),32):((1024,32),1)",
    "(64,(16,2)):(16,(1,1032))",
    "Sw<2,3,3>o0o(64,32):(32,1)",         "Sw<3,3,3>o0o(64,32):(32,1)",          "Sw<2,3,2>o0o(64,32):(32,1)",
    "Sw<1,3,4>o0o(64,32):(32,1)",         "Sw<3,3,3>o0o(64,32):(1,64)",          "Sw<2,4,3>o0o(64,32):(1,64)",
    "Sw<3,0,4>o0o(64,32):(1,64)",         "Sw<2,1,4>o0o(64,32):(32,1)",          "Sw<2,3,3>o0o((32,2),32):((32,1040),1)",
};
/// Permutations along M, N and K of (2,2,1) atoms of 16x8x16.
inline constexpr std::array<std::string_view, 5> kPermutations{
    "(_,_,_)",
    "(_,32,_)",
    "(32,(8,2,2):(1,16,8),_)",
    "((16,2,2):(1,32,16),(8,2,4):(1,32,8),_)",
    "(_,(4,2,2):(1,8,4),(8,2,2):(1,16,8))",
};
// clang-format on
inline constexpr int kSubstitutions = 50;

/// Case 0 … kSubstitutions-1; all have the same operands and so the same D.
inline GemmCase substituted_case(int index) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = 100;
  problem.n = 90;
  problem.k = 72;
  problem.a.type = problem.b.type = DType::bf16;
  problem.a.ld_elems = 104;
  problem.b.ld_elems = 104;
  // Both majors of both operands; which one does not change what the elements are.
  problem.a.order = index % 2 == 0 ? Order::row : Order::col;
  problem.b.order = index / 2 % 2 == 0 ? Order::col : Order::row;
  result.alpha = 2.0;
  result.beta = 3.0;
  result.seed = 21;
  result.config.specialize = Specialize::none;
  result.config.main_loop = MainLoop::multistage;
  result.config.tile = TileShape{64, 64, 32};
  result.config.atom_layout = Layout("(2,2,1):(1,2,4)");
  return result;
}

/// The same case with its own layouts in place of the planned ones.
inline GemmCase with_substitutes(GemmCase gemm_case, int index) {
  const auto i = static_cast<size_t>(index);
  Config& config = gemm_case.config;
  config.smem_a = ComposedLayout(std::string(kSubstituted[i % kSubstituted.size()]));
  config.smem_b =
      ComposedLayout(std::string(kSubstituted[(7 * i + i / 25 + 3) % kSubstituted.size()]));
  config.permutation = Tiler(std::string(kPermutations[(i + i / 25) % kPermutations.size()]));
  return gemm_case;
}

/// Runs the planned kernel once, then cases `first` … `last` - 1; what differs, a paragraph each.
inline std::string substitution_failures(Context& context, int first, int last) {
  std::string failures;
  const GemmCase planned_case = substituted_case(0);
  const CaseOutcome planned = run_case(context, planned_case, make_data(planned_case));
  failures += describe(planned_case, planned);
  for (int index = first; index < last; ++index) {
    const GemmCase gemm_case = with_substitutes(substituted_case(index), index);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    const std::string label = "case " + std::to_string(index) + ", A " +
                              to_string(*gemm_case.config.smem_a) + ", B " +
                              to_string(*gemm_case.config.smem_b) + ", permutation " +
                              to_string(*gemm_case.config.permutation) + ": ";
    if (!outcome.failures.empty()) failures += label + describe(gemm_case, outcome) + "\n";
    if (outcome.d != planned.d) failures += label + "other bits than the planned kernel's\n";
  }
  return failures;
}

}  // namespace jute::test
