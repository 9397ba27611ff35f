// Held problems whose operands are Views: drawn ones, contractions, convolutions and gradients.
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <array>

#include "support/aligned_notation.hpp"
#include "support/gemm_families.hpp"
#include "support/held_problems.hpp"
#include "support/plain_convolution.hpp"
#include "support/random_contraction.hpp"
#include "support/random_view.hpp"

namespace jute::test {
namespace {

void set_types(Problem& problem, const CaseTypes& types) {
  problem.a.type = types.a;
  problem.b.type = types.b;
  problem.c.type = types.c;
  problem.d.type = types.d;
  problem.accumulate = types.accumulate;
}

/// Types, factors and epilogue of a product of images or arrays.
Problem drawn_like(StableDraws& draws) {
  constexpr std::array kNames{"bf16", "bf16",        "f16",  "f32", "tf32",
                              "s8",   "bf16 to f32", "e4m3", "f64"};
  Problem like;
  set_types(like, family_of(draws.from(kNames)).types);
  if (draws.one_in(2)) like.alpha = Factor::one;
  if (!draws.one_in(3)) like.beta = Factor::zero;
  return like;
}

void add_bias(StableDraws& draws, Problem& problem) {
  if (problem.accumulate != DType::f32 || !draws.one_in(4)) return;
  problem.epilogue = Epilogue{.expression = parse_epilogue("relu(alpha*acc + bias[n]) + beta*c")};
}

View drawn_view(StableDraws& draws, ViewDraw& of, const Matrix& matrix, Index rows, Index columns,
                Index batch) {
  const Index run = draws.one_in(3) ? 1 : 16 / width_bytes(matrix.type);
  return of.view(rows, columns, batch, draws.one_in(3) ? Oddity::any : Oddity::places_of_their_own,
                 run);
}

Convolution drawn_images(StableDraws& draws) {
  constexpr std::array<Index, 7> kExtents{7, 8, 14, 28, 32, 56, 112},
      kChannels{3, 16, 32, 64, 128, 256, 512};
  constexpr std::array<Index, 6> kFilters{1, 1, 3, 3, 5, 7}, kImages{1, 1, 4, 8, 16, 32};
  constexpr std::array<Index, 6> kGroups{1, 1, 1, 1, 4, 32};
  if (draws.one_in(6)) return random_convolution(draws.word());
  if (draws.one_in(4)) return aligned_convolution(draws.word());
  Convolution made;
  made.images = draws.from(kImages);
  made.channel_groups = draws.from(kGroups);
  made.channels = draws.from(kChannels);
  made.features = draws.from(kChannels);
  if (draws.one_in(8)) made.channel_groups = made.features = made.channels;
  if (made.channels % made.channel_groups != 0 || made.features % made.channel_groups != 0)
    made.channel_groups = 1;
  if (draws.one_in(5)) made.order = ImageOrder::channels_first;
  const Index filter = draws.from(kFilters), stride = 1 + draws.below(2);
  const Index axes = draws.one_in(6) ? 1 + 2 * draws.below(2) : 2;
  for (Index i = 0; i < axes; ++i)
    made.axes.push_back({.input = axes == 3 ? 14 : draws.from(kExtents),
                         .filter = filter,
                         .stride = stride,
                         .padding = filter / 2});
  return made;
}

}  // namespace

HeldProblem held_view(StableDraws& draws, int index) {
  HeldProblem held{held_chip(draws), {Problem{}}};
  Problem& problem = held.parts.front();
  set_types(problem,
            kTypeFamilies.at(static_cast<std::size_t>(index) % kTypeFamilies.size()).types);
  const Index run = 16 / width_bytes(problem.a.type);
  const auto extent = [&] { return draws.one_in(4) ? draws.extent(7) : run * draws.extent(8); };
  problem.m = extent(), problem.n = extent(), problem.k = extent();
  if (draws.one_in(4)) problem.batch = 1 + draws.below(4);
  ViewDraw of(draws.word());
  const auto draw = [&](Matrix& matrix, Index rows, Index columns) {
    return drawn_view(draws, of, matrix, rows, columns, problem.batch);
  };
  if (!draws.one_in(3)) problem.a.view = draw(problem.a, problem.m, problem.k);
  if (!draws.one_in(3)) problem.b.view = draw(problem.b, problem.n, problem.k);
  if (draws.one_in(6)) problem.a.view = of.padded_view(problem.m, problem.k, problem.batch);
  if (draws.one_in(4)) problem.c.view = draw(problem.c, problem.m, problem.n);
  if (draws.one_in(3))
    problem.d.view = of.view(problem.m, problem.n, problem.batch, Oddity::places_of_their_own, run);
  if (!problem.b.view) problem.b.order = draws.order();
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    if (draws.one_in(6)) matrix->alignment_bytes = width_bytes(matrix->type);
  if (draws.one_in(8))
    for (Matrix* matrix : {&problem.a, &problem.b})
      if (matrix->view && matrix->view->box.empty()) matrix->view->numbers = ViewNumbers::run_time;
  if (draws.one_in(8)) held.config.pad = draws.one_in(2);
  if (draws.one_in(2)) problem.beta = Factor::zero;
  add_bias(draws, problem);
  return held;
}

HeldProblem held_contraction(StableDraws& draws, int /*index*/) {
  constexpr std::array kTexts{"mk,kn->mn",       "bmk,bkn->bmn",  "bhqd,bhkd->bhqk",
                              "bhqk,bkhd->bqhd", "abk,kcd->acdb", "aibj,bjck->aick",
                              "mhd,nhd->hmn",    "ijk,jl->ikl",   "bsd,dhe->bhse",
                              "xay,yzb->abxz",   "mk,nk->nm",     "mik,nik->mn"};
  Problem like = drawn_like(draws);
  RandomContraction made;
  if (draws.one_in(4)) {
    made = random_contraction(draws.word());
  } else if (draws.one_in(3)) {
    made = aligned_contraction(draws.word());
  } else {
    made.text = draws.from(kTexts);
    std::array<Index, 128> extents{};
    const bool is_aligned = draws.one_in(2);
    for (Index& extent : extents)
      extent = is_aligned        ? 16 * draws.extent(4)
               : draws.one_in(3) ? draws.extent(6)
                                 : 8 * draws.extent(5);
    made.operands.resize(1);
    for (const char letter : made.text.substr(0, made.text.find("->")))
      if (letter == ',')
        made.operands.emplace_back();
      else
        made.operands.back().extents.push_back(extents.at(static_cast<std::size_t>(letter)));
  }
  add_bias(draws, like);
  HeldProblem held{held_chip(draws), {}};
  held.parts = {contraction(parse_subscripts(made.text), made.operands, like).problem};
  return held;
}

HeldProblem held_convolution(StableDraws& draws, int /*index*/) {
  Problem like = drawn_like(draws);
  add_bias(draws, like);
  const Convolution images = drawn_images(draws);
  return {held_chip(draws), {convolution(images, like)}};
}

HeldProblem held_data_gradient(StableDraws& draws, int /*index*/) {
  const Problem like = drawn_like(draws);
  const Convolution images = drawn_images(draws);
  return {held_chip(draws), convolution_data_gradient(images, like)};
}

HeldProblem held_filter_gradient(StableDraws& draws, int /*index*/) {
  const Problem like = drawn_like(draws);
  const Convolution images = drawn_images(draws);
  return {held_chip(draws), {convolution_filter_gradient(images, like)}};
}

}  // namespace jute::test
