// The table of kinds, and those that are plain matrices.
#include "support/held_problems.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/choose/parts.hpp>

#include <algorithm>
#include <array>

#include "support/epilogue_cases.hpp"
#include "support/gemm_families.hpp"
#include "support/kept_problems.hpp"

namespace jute::test {
namespace {

HeldProblem held_plain(StableDraws& draws, int index) {
  const DType type = kKeptTypes.at(static_cast<std::size_t>(index) % kKeptTypes.size());
  return {held_chip(draws), {kept_problem(static_cast<int>(draws.below(1 << 30)), type)}};
}

/// What TMA brings and warpgroups multiply, where the chip has them: whole tiles of packed rows.
HeldProblem held_aligned(StableDraws& draws, int index) {
  constexpr std::array kNames{"bf16", "f16",  "bf16 to f32", "e4m3", "tf32",        "s8",
                              "f32",  "bf16", "f16 in f16",  "f64",  "e5m2 by e4m3"};
  constexpr std::array<Index, 3> kUnits{16, 64, 256};
  const CaseTypes& types =
      family_of(kNames.at(static_cast<std::size_t>(index) % kNames.size())).types;
  HeldProblem held{held_chip(draws), {Problem{}}};
  Problem& problem = held.parts.front();
  problem.accumulate = types.accumulate;
  problem.m = draws.one_in(4) ? draws.extent(7) : draws.from(kUnits) * draws.extent(6);
  problem.n = draws.from(kUnits) * draws.extent(6);
  problem.k = draws.from(kUnits) * draws.extent(6);
  if (draws.one_in(6)) problem.batch = draws.extent(5);
  const bool is_usual = !draws.one_in(3);  // rows of A and columns of B along K
  problem.a = {.type = types.a, .order = is_usual ? Order::row : draws.order()};
  problem.b = {.type = types.b, .order = is_usual ? Order::col : draws.order()};
  problem.d = {.type = types.d, .order = draws.one_in(6) ? Order::col : Order::row};
  problem.c = problem.d;
  problem.c.type = types.c;
  problem.alpha = draws.one_in(3) ? Factor::run_time : Factor::one;
  problem.beta = draws.one_in(3) ? Factor::run_time : Factor::zero;
  return held;
}

/// Extents of a few hundred at most, any leading dimensions, alignments and batches.
HeldProblem held_small(StableDraws& draws, int index) {
  const TypeFamily& family =
      kTypeFamilies.at(static_cast<std::size_t>(index) % kTypeFamilies.size());
  const GemmCase one = random_case(family.types, static_cast<int>(draws.below(1 << 20)));
  return {held_chip(draws), {one.problem}, one.config};
}

HeldProblem held_epilogue(StableDraws& draws, int index) {
  struct Types {
    DType ab, d;
  };
  constexpr std::array kTypes{Types{DType::bf16, DType::bf16}, Types{DType::f16, DType::f16},
                              Types{DType::f32, DType::f32},   Types{DType::bf16, DType::f32},
                              Types{DType::e4m3, DType::e4m3}, Types{DType::tf32, DType::f32},
                              Types{DType::f64, DType::f64},   Types{DType::s8, DType::s8}};
  const Types& types = draws.from(kTypes);
  const Order a = draws.order(), b = draws.order(), c = draws.order();
  const Index m = draws.extent(13), n = draws.extent(13), k = draws.extent(12);
  const Index batch = draws.one_in(5) ? draws.extent(4) : 1;
  const EpilogueKernel kernel{"", "", types.ab, types.d, a, b, c, m, n, k, batch};
  const EpilogueRow& row = kEpilogues.at(static_cast<std::size_t>(index) % kEpilogues.size());
  return {held_chip(draws), {case_of(kernel, row, 0).problem}};
}

HeldProblem held_sums(StableDraws& draws, int index) {
  constexpr std::array kTexts{"acc - a_sum[m]*z[n]", "acc + b_sum[n]",
                              "d = acc - a_sum[m]*z[n]; r = a_sum[m]; q = b_sum[n]",
                              "d = acc; r = a_sum[m]", "alpha*(acc - w[m]*b_sum[n]) + beta*c"};
  HeldProblem held = draws.one_in(2) ? held_plain(draws, index) : held_aligned(draws, index);
  Problem& problem = held.parts.front();
  problem.alpha = problem.beta = Factor::run_time;
  problem.epilogue = Epilogue{.expression = parse_epilogue(draws.from(kTexts))};
  return held;
}

/// Of f32 operands in terms, which TMA must bring.
HeldProblem held_terms(StableDraws& draws, int /*index*/) {
  constexpr std::array<std::string_view, 4> kOthers{"h100", "b200", "rtx5090", "a100"};
  HeldProblem held{"h200", {kept_problem(static_cast<int>(draws.below(1 << 30)), DType::f32)}};
  held.parts.front().precision = draws.one_in(2) ? Precision::tf32x3 : Precision::bf16x6;
  if (!draws.one_in(4)) return held;
  held.chip = draws.from(kOthers);
  held.config.main_loop = MainLoop::warp_specialised;
  return held;
}

/// Whose kernels hold fewer of the problem's numbers than usual, or all.
HeldProblem held_generic(StableDraws& draws, int index) {
  HeldProblem held = draws.one_in(2) ? held_plain(draws, index) : held_aligned(draws, index);
  held.config.specialize = draws.one_in(6)   ? Specialize::none
                           : draws.one_in(6) ? Specialize::all
                                             : Specialize::generic;
  return held;
}

void let_rows_range(StableDraws& draws, Problem& problem) {
  problem.m_range = MRange{draws.one_in(3) ? problem.m / 3 + 1 : 1, problem.m};
  problem.a.ld_elems = problem.b.ld_elems = problem.c.ld_elems = problem.d.ld_elems = 0;
}

HeldProblem held_range(StableDraws& draws, int index) {
  HeldProblem held = draws.one_in(4)   ? held_scaled(draws, index)
                     : draws.one_in(2) ? held_plain(draws, index)
                                       : held_aligned(draws, index);
  let_rows_range(draws, held.parts.front());
  return held;
}

/// With the choices by which sums are the same whatever M is.
HeldProblem held_invariant(StableDraws& draws, int index) {
  HeldProblem held = draws.one_in(2) ? held_plain(draws, index) : held_aligned(draws, index);
  try {
    held.config = batch_invariant(held.parts.front(), device_preset(held.chip), held.config).config;
  } catch (const Exception&) {  // what has no such choices is planned without
  }
  return held;
}

/// What a caller may wish for, alone and together.
HeldProblem held_wishes(StableDraws& draws, int index) {
  constexpr std::array kWishes{"main_loop=straight",
                               "main_loop=register_staged",
                               "main_loop=multistage",
                               "main_loop=warp_specialised",
                               "main_loop=warp_specialised ping_pong=2",
                               "main_loop=warp_specialised producer_warps=1",
                               "main_loop=warp_specialised cluster=2x1",
                               "main_loop=multistage tile=128x64x32",
                               "tile=128x128x64",
                               "tile=64x64x32 stages=3",
                               "split_k=4",
                               "split_k=3 reduction=distributed",
                               "swapped=on",
                               "pad=on",
                               "pad=off",
                               "transpose=on",
                               "transpose=off",
                               "raster_width=4",
                               "blocks=16",
                               "launches=alone",
                               "release=never first_stages=after_barrier",
                               "mma_atom=SM80_16x8x16_F32BF16BF16F32_TN",
                               "main_loop=straight matrices_per_block=4",
                               "read_once=b"};
  HeldProblem held = draws.one_in(4)   ? held_small(draws, index)
                     : draws.one_in(2) ? held_plain(draws, index)
                                       : held_aligned(draws, index);
  if (draws.one_in(2)) held.chip = "h200";
  held.config = parse_config(kWishes.at(static_cast<std::size_t>(index) % kWishes.size()));
  return held;
}

HeldProblem held_ranks(StableDraws& draws, int index) {
  constexpr std::array kPlaces{"A=M@tp,B=N@tp,D=N@tp",
                               "A=M@tp,B=N@tp,D=N@tp share=N@tp",
                               "A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=none",
                               "A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=chunks",
                               "A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=arrival",
                               "A=K@tp,B=K@tp,D=M@tp share=K@tp",
                               "A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=store",
                               "A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=chunks",
                               "A=K@tp,B=K@tp,D=M@tp share=K@tp overlap=one-shot",
                               "A=K@tp,B=K@tp",
                               "A=K@tp,D=M@tp share=M@tp",
                               "A=M@tp/64,D=M@tp share=M@tp",
                               "B=N@tp,D=N@tp",
                               "A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16",
                               "A=M@tp,D=M@tp"};
  constexpr std::array kSizes{"2", "4", "8"};
  HeldProblem held = held_aligned(draws, index);
  Problem& problem = held.parts.front();
  problem.m = 512 * draws.extent(4);
  problem.batch = 1;
  problem.beta = Factor::zero;
  problem.a.order = problem.d.order = problem.c.order = Order::row;
  problem.b.order = Order::col;
  held.ranks = std::string("mesh=tp=") + draws.from(kSizes) + " place=";
  held.ranks += kPlaces.at(static_cast<std::size_t>(index) % kPlaces.size());
  return held;
}

constexpr std::array kHeldKinds{
    HeldKind{"plain", 900, &held_plain},
    HeldKind{"aligned", 1080, &held_aligned},
    HeldKind{"small", 420, &held_small},
    HeldKind{"wishes", 420, &held_wishes},
    HeldKind{"view", 480, &held_view},
    HeldKind{"contraction", 360, &held_contraction},
    HeldKind{"convolution", 420, &held_convolution},
    HeldKind{"data gradient", 240, &held_data_gradient},
    HeldKind{"filter gradient", 240, &held_filter_gradient},
    HeldKind{"rows", 420, &held_rows},
    HeldKind{"cols", 240, &held_cols},
    HeldKind{"masked rows", 240, &held_masked_rows},
    HeldKind{"groups of k", 300, &held_groups_of_k},
    HeldKind{"each", 300, &held_each},
    HeldKind{"row tables", 300, &held_row_tables},
    HeldKind{"gate", 300, &held_gate},
    HeldKind{"scaled", 600, &held_scaled},
    HeldKind{"scaled products", 240, &held_scaled_products},
    HeldKind{"fragments", 180, &held_fragments},
    HeldKind{"scaled groups", 360, &held_scaled_groups},
    HeldKind{"epilogue", 360, &held_epilogue},
    HeldKind{"sums", 180, &held_sums},
    HeldKind{"terms", 120, &held_terms},
    HeldKind{"generic", 420, &held_generic},
    HeldKind{"range", 60, &held_range},
    HeldKind{"invariant", 60, &held_invariant},
    HeldKind{"ranks", 90, &held_ranks},
};

/// What a chip refuses for its operands' types is planned for one that has those.
void keep_types(HeldProblem& held) {
  constexpr int kFirstOfSmallFloats = 89;
  const auto is_small_float = [](DType type) { return type == DType::e4m3 || type == DType::e5m2; };
  const Problem& problem = held.parts.front();
  if (is_small_float(problem.a.type) && is_small_float(problem.b.type) &&
      device_preset(held.chip).arch.number < kFirstOfSmallFloats)
    held.chip = "l40s";
}

}  // namespace

std::span<const HeldKind> held_kinds() { return kHeldKinds; }

HeldProblem held_problem(const HeldKind& kind, int index) {
  std::uint64_t seed = 0;
  for (const char c : kind.name) seed = seed * 31 + static_cast<unsigned char>(c);
  StableDraws draws((seed << 20) + static_cast<std::uint64_t>(index));
  HeldProblem held = kind.draw(draws, index);
  keep_types(held);
  return held;
}

std::string to_string(const HeldProblem& held) {
  std::string text = "on " + std::string(held.chip) + ": " + parts_text(held.parts);
  if (!held.ranks.empty()) text += " " + held.ranks;
  const std::string config = to_string(held.config);
  return config.empty() ? text : text + " | " + config;
}

std::string_view held_chip(StableDraws& draws) {
  constexpr std::array<std::string_view, 11> kOthers{
      "a100", "l40s", "b200", "rtx4090", "t4", "v100", "h100", "rtx5090", "rtx3090", "orin", "l4"};
  return draws.one_in(2) ? std::string_view("h200") : draws.from(kOthers);
}

void grow(StableDraws& draws, Problem& problem) {
  constexpr std::array<Index, 12> kTimes{1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48, 64};
  constexpr Index kWhole = 64;
  if (draws.one_in(5)) return;
  const bool is_aligned = draws.one_in(2);
  for (Index* extent : {&problem.m, &problem.n, &problem.k})
    *extent = is_aligned ? kWhole * draws.extent(6) : *extent * draws.from(kTimes);
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
    matrix->ld_elems = matrix->batch_stride_elems = 0;
    if (is_aligned) matrix->alignment_bytes = 16;
  }
}

}  // namespace jute::test
