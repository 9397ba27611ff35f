#pragma once
// The plans whose texts are kept in tests/golden/plans: one for each kind of kernel.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <functional>
#include <vector>

#include "support/problem_of.hpp"

namespace jute::test {

struct NamedPlan {
  const char* name;
  const char* preset;
  Problem problem;
  Config config;
};

inline constexpr Order kRow = Order::row, kCol = Order::col;

inline Problem with(Problem problem, const std::function<void(Problem&)>& change) {
  change(problem);
  return problem;
}

inline std::vector<NamedPlan> named_plans() {
  using enum DType;
  const Problem square = problem_of(4096, 4096, 4096, {bf16, bf16}, {kRow, kCol});
  const Problem odd = problem_of(4001, 4003, 4005, {bf16, bf16}, {kRow, kCol});
  Config none, all, layouts, unpadded;
  none.specialize = Specialize::none;
  all.specialize = Specialize::all;
  layouts.tile = TileShape{64, 64, 32};
  layouts.atom_layout = Layout("(2,2,1):(1,2,4)");
  layouts.main_loop = MainLoop::multistage;
  layouts.smem_a = ComposedLayout("(64,32):(36,1)");
  unpadded.pad = false;
  return {
      {"f32", "h200", problem_of(4096, 4096, 4096), parse_config("main_loop=register_staged")},
      {"f32_h200", "h200", problem_of(4096, 4096, 4096), {}},
      {"f32_straight", "h200", problem_of(33, 47, 20), {}},
      {"f32_small", "t4", problem_of(33, 47, 20), parse_config("main_loop=register_staged")},
      {"f32_two_blocks", "rtx5090", problem_of(512, 512, 512),
       parse_config("main_loop=register_staged")},
      {"f64", "a100", problem_of(2048, 2048, 2048, {f64, f64}), {}},
      {"f64_fma", "t4", problem_of(256, 256, 256, {f64, f64}),
       parse_config("main_loop=register_staged")},
      {"bf16", "a100", square, {}},
      {"bf16_h200", "h200", square, {}},
      {"bf16_mma_sync", "h200", square, parse_config("main_loop=multistage")},
      {"bf16_generic", "h200", problem_of(500, 264, 1000, {bf16, bf16}, {kRow, kCol}),
       parse_config("specialize=generic")},
      {"bf16_generic_straight", "h200", problem_of(40, 33, 90, {bf16, bf16}, {kRow, kCol}),
       parse_config("specialize=generic")},
      {"bf16_256x184", "h200", square,
       parse_config("mma_atom=SM90_64x184x16_F32BF16BF16_SS tile=256x184x64 cluster=1x1 "
                    "first_stages=by_initialiser")},
      {"bf16_tma_mma_sync", "h200", square,
       parse_config("main_loop=warp_specialised "
                    "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN")},
      {"bf16_slices", "h200", problem_of(256, 256, 65536, {bf16, bf16}, {kRow, kCol}), {}},
      {"bf16_slices_last_adds", "h200", problem_of(256, 256, 65536, {bf16, bf16}, {kRow, kCol}),
       parse_config("reduction=last_adds")},
      {"bf16_slices_in_cluster", "h200", problem_of(256, 256, 65536, {bf16, bf16}, {kRow, kCol}),
       parse_config("reduction=distributed split_k=8 tile=64x64x64")},
      {"bf16_swapped", "h200", problem_of(16, 7168, 16384, {bf16, bf16}, {kRow, kCol}), {}},
      {"bf16_no_literals", "h200", square, none},
      {"bf16_all_literals", "h200", square, all},
      {"bf16_odd", "h200", odd, {}},
      {"bf16_odd_unpadded", "h200", odd, unpadded},
      {"bf16_layouts", "h200", problem_of(512, 512, 512, {bf16, bf16}), layouts},
      {"f16_col",
       "h100",
       with(problem_of(300, 512, 512, {f16, f16}),
            [](Problem& p) { p.c.order = p.d.order = kCol; }),
       {}},
      {"bf16_straight", "h200", problem_of(33, 77, 95, {bf16, bf16}), {}},
      {"bf16_dot", "h200", problem_of(1, 6, 2191, {bf16, bf16}, {kRow, kCol}),
       parse_config("main_loop=straight")},
      {"f16_sm75", "t4", problem_of(1024, 1024, 1024, {f16, f16}), {}},
      {"tf32", "h200", problem_of(4096, 4096, 4096, {tf32, f32}), {}},
      {"tf32_transposed", "h200", problem_of(4001, 4003, 4005, {tf32, f32}, {kCol, kRow}), {}},
      {"s8", "h200", problem_of(4096, 4096, 4096, {s8, s32}, {kRow, kCol}), {}},
      {"s8_gathered", "rtx3090", problem_of(512, 512, 512, {s8, s32}, {kCol, kRow}), {}},
      {"e4m3_h200", "h200", problem_of(4096, 4096, 4096, {e4m3, bf16}, {kRow, kCol}), {}},
      {"e4m3", "l40s", problem_of(1024, 1024, 1024, {e4m3, bf16}, {kRow, kCol}), {}},
      {"beta_0",
       "h200",
       with(square, [](Problem& p) { p.alpha = Factor::one, p.beta = Factor::zero; }),
       {}},
      {"epilogue",
       "h200",
       with(square,
            [](Problem& p) {
              p.epilogue = Epilogue{
                  parse_epilogue("y := gelu(alpha*acc + bias[n]) + x[m,n]*s; d = y; g = relu(y); "
                                 "a = amax(y); r = row_sum[m](y)")};
            }),
       {}},
      {"sums",
       "h200",
       with(square,
            [](Problem& p) {
              p.epilogue =
                  Epilogue{parse_epilogue("d = acc - a_sum[m]*z[n]; r = a_sum[m]; q = b_sum[n]")};
            }),
       {}},
      {"f32_tf32x3",
       "h200",
       with(problem_of(4096, 4096, 4096), [](Problem& p) { p.precision = Precision::tf32x3; }),
       {}},
      {"f32_bf16x6",
       "h200",
       with(problem_of(513, 4096, 1000, {}, {kRow, kCol}),
            [](Problem& p) { p.precision = Precision::bf16x6, p.batch = 3, p.b.broadcast = true; }),
       {}},
      {"batch", "h200", with(odd, [](Problem& p) { p.batch = 8, p.b.broadcast = true; }), {}},
  };
}

inline Plan plan_of(const NamedPlan& named) {
  return make_plan(named.problem, device_preset(named.preset), named.config);
}

}  // namespace jute::test
