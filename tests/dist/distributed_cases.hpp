#pragma once
// Distributed problems that tests share: the usual ones by their names, and random ones.
#include <jute/dist/distributed_plan.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/device_presets.hpp>

#include <string>
#include <vector>

#include "dist/random_placement.hpp"

namespace jute::test {

struct NamedCase {
  std::string name, text;
  Index moved_bytes;  ///< known by hand
};

/// What is known of tensor parallelism and of dense products on meshes.
inline const std::vector<NamedCase>& named_cases() {
  // Bytes: bf16 operands, f32 summands, p - 1 parts of p leave for each copy or sum.
  constexpr Index kMega = 1 << 20;
  static const std::vector<NamedCase> kCases{
      {"all_gather_gemm",
       "M=1024 N=2048 K=512 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=M@tp,B=N@tp,D=N@tp share=N@tp",
       3 * kMega},
      {"gemm_reduce_scatter",
       "M=1024 N=512 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,B=K@tp,D=M@tp share=K@tp",
       3 * 2 * kMega},
      {"gemm_all_reduce",
       "M=64 N=512 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,B=K@tp share=K@tp overlap=none",
       3 * (64 * 512 * 4 + 64 * 512 * 2)},
      {"gemm_reduce_scatter_bf16_wire",
       "M=1024 N=512 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16",
       3 * kMega},
      {"gemm_reduce_scatter_store",
       "M=1024 N=512 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=store",
       3 * 2 * kMega},
      {"summa_2x2",
       "M=2048 N=2048 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=row=2,col=2 "
       "place=A=M@row,K@col,B=N@col,K@row,D=M@row,N@col share=M@row,N@col",
       2 * 8 * kMega},
      {"one_dimension",
       "M=2048 N=2048 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=M@tp,B=N@tp,D=N@tp share=N@tp",
       3 * 8 * kMega},
      {"layers_2_5d",
       "M=2048 N=2048 K=2048 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=row=2,col=2,z=2 "
       "place=A=M@row,K@z,K@col,B=N@col,K@z,K@row,D=M@row,N@col,+z share=M@row,N@col,K@z",
       2 * 8 * kMega},
      {"k_split_into_summands",
       "M=256 N=256 K=4096 A=bf16 B=bf16 D=f32 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,B=K@tp,D=+tp share=K@tp",
       0},
      {"redistribution",
       "M=1024 N=1024 K=1024 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=K@tp,D=M@tp share=M@tp",
       3 * kMega / 4 * 2},
      {"blocks_dealt_round",
       "M=1024 N=1024 K=1024 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=M@tp/64,D=M@tp share=M@tp",
       3 * kMega / 4 * 2},
      {"uneven_with_c",
       "M=100 N=70 K=90 A=f32 B=f32 D=f32 alpha=run-time beta=run-time mesh=tp=3 "
       "place=A=M@tp,B=K@tp,D=M@tp share=M@tp",
       2 * 90 * 70 * 4},
      {"free_share",
       "M=8192 N=28672 K=8192 A=bf16 B=bf16 D=bf16 alpha=1 beta=0 mesh=tp=4 "
       "place=A=M@tp,B=N@tp,D=N@tp",
       3 * 128 * kMega},
  };
  return kCases;
}

/// Inputs of each row, column, element, and one for all.
inline void put_epilogue(Problem& problem, std::mt19937& random) {
  static const std::vector<std::string> kEpilogues{
      "acc + bias[n]", "relu(acc*weight[m]) + rest[m,n]", "alpha*(acc + bias[n])*weight[m] + one",
      "part0[m,n] + acc*rank_sum[m]", "max(acc, least[m,n]) + bias[n]*weight[m]"};
  std::string text = kEpilogues[static_cast<std::size_t>(
      drawn(random, 0, static_cast<Index>(kEpilogues.size()) - 1))];
  if (problem.beta == Factor::run_time) text += " + beta*c";
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  if (drawn(random, 0, 1) == 0) {
    for (const EpilogueInput& input : problem.epilogue->expression.inputs) {
      EpilogueOperand operand;
      operand.type = input.extent == EpilogueExtent::columns ? DType::bf16 : DType::f32;
      operand.order = input.extent == EpilogueExtent::rows ? Order::col : Order::row;
      problem.epilogue->inputs.push_back(operand);
    }
  }
}

/// Small, uneven, with any placement; shares half of them.
inline DistributedProblem random_distributed(std::mt19937& random) {
  DistributedProblem it;
  it.mesh = random_mesh(random);
  it.problem.m = drawn(random, 1, 40);
  it.problem.n = drawn(random, 1, 40);
  it.problem.k = drawn(random, 0, 40);
  for (Matrix* matrix : {&it.problem.a, &it.problem.b, &it.problem.c, &it.problem.d})
    matrix->order = drawn(random, 0, 1) == 0 ? Order::row : Order::col;
  const bool with_c = drawn(random, 0, 3) == 0;
  if (!with_c) it.problem.c.order = it.problem.d.order;
  it.problem.beta = with_c ? Factor::run_time : Factor::zero;
  it.placements.a = random_placement(random, it.mesh, {Dimension::m, Dimension::k});
  it.placements.b = random_placement(random, it.mesh, {Dimension::n, Dimension::k});
  it.placements.d = random_placement(random, it.mesh, {Dimension::m, Dimension::n});
  if (drawn(random, 0, 1) == 0) {
    Placement share = random_placement(random, it.mesh, {Dimension::m, Dimension::n, Dimension::k});
    // D is left as summands over an axis that cuts K, now and then.
    for (const Deal& deal : share.deals) {
      const bool is_free = std::ranges::find(it.placements.d.deals, deal.axis, &Deal::axis) ==
                           it.placements.d.deals.end();
      if (deal.dimension == Dimension::k && is_free && !with_c && drawn(random, 0, 2) == 0)
        it.placements.d.sums.push_back(deal.axis);
    }
    it.share = Share{std::move(share.deals)};
  }
  return it;
}

}  // namespace jute::test
