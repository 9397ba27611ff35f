// Draws converted operands: each choice by its own share of cases.
#include "support/scaled_problem.hpp"

#include <jute/plan/ask/epilogue.hpp>

#include <initializer_list>
#include <random>

#include "support/grouped_cases.hpp"

namespace jute::test {
namespace {

constexpr int kCasesOfClass = 3;

class ScaledDraw {
 public:
  explicit ScaledDraw(int seed) : random_(static_cast<std::uint64_t>(seed) * 7919 + 3) {}
  template <class T>
  T from(std::initializer_list<T> values) {
    return values.begin()[random_() % values.size()];
  }
  bool once_in(std::uint64_t count) { return random_() % count == 0; }

 private:
  std::mt19937_64 random_;
};

std::optional<BlockValues> numbers_of(ScaledDraw& draw, DType type, bool is_batched) {
  BlockValues numbers;
  numbers.type = type;
  numbers.order = draw.from({Order::row, Order::col});
  numbers.block.mn = draw.from<Index>({1, 1, 0, 16, 128, 7});
  numbers.block.k = draw.from<Index>({32, 0, 16, 64, 128, 1, 5});
  numbers.broadcast = is_batched && draw.once_in(2);
  return numbers;
}

OperandScale scale_of(ScaledDraw& draw, DType operand, bool is_batched) {
  OperandScale scale;
  if (!draw.once_in(6))
    scale.scale = numbers_of(
        draw, draw.from({DType::f32, DType::bf16, DType::f16, DType::ue8m0, DType::e4m3}),
        is_batched);
  if (is_integer(operand) && draw.once_in(3))
    scale.zero = numbers_of(
        draw, draw.from({DType::f32, DType::f16, DType::s8, DType::u8, DType::u4}), is_batched);
  else if (draw.once_in(3))
    scale.offset = operand == DType::u4 ? 8 : 2;
  return scale;
}

DType narrow_type(ScaledDraw& draw) {
  return draw.from(
      {DType::s4, DType::u4, DType::s8, DType::u8, DType::e4m3, DType::e5m2, DType::e2m1});
}

/// Types and scales, which a class has in common.
void draw_types(ScaledDraw& draw, Problem& problem) {
  const bool is_batched = problem.batch > 1;
  problem.a.type = draw.from({DType::bf16, DType::f16, DType::bf16, DType::f32, DType::e4m3});
  problem.b.type = narrow_type(draw);
  problem.scale_b = scale_of(draw, problem.b.type, is_batched);
  if (problem.a.type == DType::e4m3) problem.scale_a = scale_of(draw, problem.a.type, is_batched);
  if (problem.a.type == DType::f32)
    problem.staged = draw.from({DType::bf16, DType::f16, DType::tf32, DType::f32});
  if (draw.once_in(8)) {  // whole numbers
    problem.a = {.type = DType::s8};
    problem.b.type = draw.from({DType::s4, DType::u4});
    problem.scale_a = problem.scale_b = {};
    problem.staged.reset();
  }
  if (draw.once_in(4)) {
    std::swap(problem.a.type, problem.b.type);
    std::swap(problem.scale_a, problem.scale_b);
  }
  const DType multiplied =
      problem.staged.value_or(usual_staged_type(problem).value_or(problem.a.type));
  problem.d.type = multiplied == DType::s8    ? DType::s32
                   : draw.once_in(2)          ? DType::f32
                   : multiplied == DType::f16 ? DType::f16
                                              : DType::bf16;
  problem.c.type = problem.d.type;
}

void draw_factors(ScaledDraw& draw, GemmCase& one) {
  one.problem.alpha = draw.from({Factor::one, Factor::run_time});
  one.problem.beta = draw.from({Factor::zero, Factor::zero, Factor::run_time});
  if (one.problem.alpha == Factor::run_time) one.alpha = 2;
  if (one.problem.beta == Factor::run_time) one.beta = -1;
}

std::optional<BlockValues> scales_of_sums(ScaledDraw& draw, bool is_batched) {
  BlockValues scales;
  scales.type = draw.from({DType::f32, DType::f32, DType::ue8m0, DType::bf16});
  scales.order = draw.from({Order::row, Order::col});
  scales.block.mn = draw.from<Index>({1, 1, 128, 128, 0, 16, 48, 7});
  scales.block.k = draw.from<Index>({128, 128, 128, 0, 64, 32, 256});
  scales.broadcast = is_batched && draw.once_in(2);
  return scales;
}

}  // namespace

GemmCase scaled_product_case(int index) {
  ScaledDraw common(index / kCasesOfClass + 5000);
  ScaledDraw draw(index + 200000);
  GemmCase result;
  Problem& problem = result.problem;
  problem.batch = common.from<Index>({1, 1, 1, 2});
  problem.a.type = common.from({DType::e4m3, DType::e4m3, DType::e5m2});
  problem.b.type = common.from({DType::e4m3, DType::e4m3, DType::e5m2});
  if (!common.once_in(6)) problem.scale_a.scale = scales_of_sums(common, problem.batch > 1);
  if (!problem.scale_a.scale || !common.once_in(6))
    problem.scale_b.scale = scales_of_sums(common, problem.batch > 1);
  problem.a.order = common.from({Order::row, Order::row, Order::row, Order::col});
  problem.b.order = common.from({Order::col, Order::col, Order::col, Order::row});
  problem.d.type = problem.c.type = common.from({DType::f32, DType::bf16});
  problem.d.order = problem.c.order = common.from({Order::row, Order::row, Order::col});
  problem.n = common.from<Index>({48, 128, 136, 257, 320, 96});
  problem.k = common.from<Index>({128, 384, 528, 1024, 640, 77, 0});
  problem.m = draw.from<Index>({40, 64, 100, 131, 257, 129});
  draw_factors(common, result);
  result.fill = draw.from({Fill::integers, Fill::normal, Fill::normal});
  result.seed = static_cast<std::uint64_t>(index);
  return result;
}

GemmCase scaled_case(int index) {
  ScaledDraw common(index / kCasesOfClass);
  ScaledDraw draw(index + 100000);
  GemmCase result;
  Problem& problem = result.problem;
  problem.batch = common.from<Index>({1, 1, 1, 2});
  draw_types(common, problem);
  problem.a.order = common.from({Order::row, Order::row, Order::col});
  problem.b.order = common.from({Order::col, Order::row});
  problem.d.order = problem.c.order = common.from({Order::row, Order::row, Order::col});
  problem.n = common.from<Index>({48, 128, 33, 1, 129, 96});
  problem.k = common.from<Index>({64, 128, 77, 1, 256, 160, 0, 33});
  problem.m = draw.from<Index>({1, 2, 16, 17, 64, 100, 7, 131});
  problem.a.alignment_bytes = problem.b.alignment_bytes = 4;
  draw_factors(common, result);
  result.fill = draw.from({Fill::integers, Fill::normal, Fill::normal, Fill::special});
  if (problem.d.type == DType::s32) result.fill = Fill::integers;
  result.seed = static_cast<std::uint64_t>(index);
  return result;
}

namespace {

std::optional<BlockValues> numbers_of_parts(ScaledDraw& draw, DType type, bool is_batched) {
  BlockValues numbers;
  numbers.type = type;
  numbers.order = draw.from({Order::row, Order::col});
  numbers.block.mn = draw.from<Index>({1, 1, 0, 16, 128, 7});
  numbers.block.k = draw.from<Index>({128, 128, 64, 32, 0, 96, 256});
  numbers.broadcast = is_batched && draw.once_in(2);
  return numbers;
}

}  // namespace

GemmCase fragments_case(int index) {
  ScaledDraw common(index / kCasesOfClass + 9000);
  ScaledDraw draw(index + 300000);
  GemmCase result;
  Problem& problem = result.problem;
  problem.batch = common.from<Index>({1, 1, 1, 2});
  const bool is_batched = problem.batch > 1;
  problem.a.type = common.from({DType::bf16, DType::bf16, DType::f16});
  problem.b.type = narrow_type(common);
  OperandScale& scale = problem.scale_b;
  using enum DType;
  if (!common.once_in(6))
    scale.scale =
        numbers_of_parts(common, common.from({f32, bf16, bf16, f16, ue8m0, e4m3}), is_batched);
  if (is_integer(problem.b.type) && common.once_in(3))
    scale.zero = numbers_of_parts(common, common.from({f32, f16, s8, u8, u4}), is_batched);
  else if (common.once_in(3))
    scale.offset = problem.b.type == u4 ? 8 : 2;
  problem.a.order = common.from({Order::row, Order::row, Order::col});
  problem.b.order = Order::col;
  problem.n = common.from<Index>({64, 72, 136, 200, 264});
  problem.k = common.from<Index>({64, 128, 192, 256, 320, 512});
  problem.m = draw.from<Index>({8, 24, 40, 64, 136, 200, 264});  // whole pieces along M, too
  problem.d.type = problem.c.type = problem.a.type;
  draw_factors(common, result);
  if (common.once_in(4)) {  // weights that are A as they are asked for, of any D
    std::swap(problem.a, problem.b);
    std::swap(problem.scale_a, problem.scale_b);
    std::swap(problem.m, problem.n);
    problem.a.order = Order::row;
    problem.b.order = common.from({Order::col, Order::row});
    problem.d.type = problem.c.type = common.from({f32, problem.b.type});
  }
  result.config.main_loop = MainLoop::warp_specialised;
  if (common.once_in(3)) result.config.split_k = 2;
  if (common.once_in(4)) result.config.cluster = common.from<ClusterShape>({{2, 1}, {1, 2}});
  result.fill = draw.from({Fill::integers, Fill::normal, Fill::normal, Fill::special});
  result.seed = static_cast<std::uint64_t>(index);
  return result;
}

namespace {

/// Blocks that hold whole vectors of a thread.
OperandScale scale_of_vectors(ScaledDraw& draw, DType operand) {
  OperandScale scale = scale_of(draw, operand, true);
  for (auto* const numbers : {&scale.scale, &scale.zero})
    if (*numbers) (*numbers)->block.k = draw.from<Index>({0, 8, 16, 32, 64, 128, 48});
  return scale;
}

}  // namespace

GemmCase converted_group_case(int index) {
  constexpr int kKindsDrawn = 5, kKinds = 4;  // grouped_case's last are groups of k
  ScaledDraw draw(index + 400000);
  const DType staged = draw.from({DType::bf16, DType::bf16, DType::f16});
  const DType of_d = draw.once_in(3) ? DType::f32 : staged;
  GemmCase one = grouped_case({staged, staged, of_d, of_d, DType::f32},
                              index / kKinds * kKindsDrawn + index % kKinds);
  Problem& problem = one.problem;
  constexpr Index kVector = 8;
  problem.k = (problem.k / kVector + 1) * kVector;
  problem.staged = staged;
  problem.a = {.type = staged, .order = Order::row};
  problem.b = {.type = staged, .order = Order::col};
  const bool are_both = draw.once_in(3), is_a = problem.groups->kind == GroupKind::cols;
  if (are_both || is_a) {
    problem.a.type = narrow_type(draw);
    problem.scale_a = scale_of_vectors(draw, problem.a.type);
  }
  if (are_both || !is_a) {
    problem.b.type = narrow_type(draw);
    problem.scale_b = scale_of_vectors(draw, problem.b.type);
  }
  return one;
}

GemmCase copied_group_case(int index) {
  ScaledDraw draw(index + 600000);
  Problem drawn;
  drawn.batch = 2;
  do {
    drawn.staged.reset();
    drawn.scale_a = drawn.scale_b = {};
    draw_types(draw, drawn);
  } while (drawn.d.type == DType::s32);  // whose epilogues are others
  GemmCase one =
      grouped_case({drawn.a.type, drawn.b.type, drawn.d.type, drawn.d.type, DType::f32}, index);
  Problem& problem = one.problem;
  problem.staged = drawn.staged;
  problem.scale_a = drawn.scale_a, problem.scale_b = drawn.scale_b;
  problem.a = {.type = drawn.a.type, .order = draw.from({Order::row, Order::row, Order::col})};
  problem.b = {.type = drawn.b.type, .order = draw.from({Order::col, Order::row})};
  return one;
}

GemmCase converted_epilogue_case(int index) {
  ScaledDraw draw(index + 500000);
  GemmCase one = scaled_case(index + 7000);
  Problem& problem = one.problem;
  if (problem.d.type == DType::s32) return one;
  const char* const text =
      draw.from({"relu(alpha*acc + bias[n]) + beta*c", "w[m]*acc + residual[m,n]",
                 "gelu(acc)*s[batch]", "y := acc + bias[n]; d = silu(y); most = row_amax[m](y)"});
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  problem.alpha = problem.beta = Factor::run_time;
  const bool has_factors = *text == 'r';
  one.alpha = has_factors ? 2 : 1;
  one.beta = has_factors ? -1 : 0;
  return one;
}

}  // namespace jute::test
