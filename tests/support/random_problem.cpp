// Problems drawn at random, in classes that share what a kernel depends on.
#include "support/random_problem.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <string_view>

#include "base/format.hpp"

namespace jute::test {
namespace {

constexpr Index kLargestExtent = 300;
constexpr std::array<Index, 22> kAwkwardExtents{0,  1,  2,  3,  5,  7,   8,   15,  16,  17,  31,
                                                32, 33, 61, 64, 65, 127, 128, 129, 191, 257, 300};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 1) {}

  /// 0 … count-1
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class Value>
  Value from(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  Index extent() {
    if (one_in(2)) return kAwkwardExtents[static_cast<size_t>(below(kAwkwardExtents.size()))];
    return below(kLargestExtent + 1);
  }

 private:
  std::mt19937_64 engine_;
};

/// What the cases of one class have in common for one operand.
struct MatrixClass {
  DType type;
  Order order;
  int alignment_bytes;
  int ld_multiple;  // strides are multiples of this many elements
  bool broadcast;
};

MatrixClass draw_class(Draw& draw, DType type) {
  const int width = width_bytes(type);
  MatrixClass result{type, draw.from({Order::row, Order::col}), 16, 16 / width, draw.one_in(5)};
  if (draw.one_in(3)) result.alignment_bytes = width << draw.below(3);
  if (draw.one_in(2)) result.ld_multiple = 1 << draw.below(2);
  result.alignment_bytes = std::min(result.alignment_bytes, 16);
  return result;
}

struct ProblemClass {
  MatrixClass a, b, c, d;
  Factor alpha, beta;
  Specialize specialize;
};

ProblemClass draw_class(Draw& draw, const CaseTypes& types) {
  ProblemClass result{draw_class(draw, types.a), draw_class(draw, types.b),
                      draw_class(draw, types.c), draw_class(draw, types.d),
                      Factor::run_time,          Factor::run_time,
                      Specialize::none};
  result.d.broadcast = false;
  if (draw.one_in(4)) result.alpha = Factor::one;
  if (draw.one_in(3)) result.beta = draw.from({Factor::zero, Factor::one});
  // A class whose kernels hold the shape as literals compiles once for each of its cases.
  if (draw.one_in(8))
    result.specialize = draw.from({Specialize::usual, Specialize::all, Specialize::generic});
  return result;
}

/// Rounded up to the class' multiple, plus some padding more often than not.
Index stride_at_least(Draw& draw, Index least, int multiple) {
  const Index padding = draw.one_in(2) ? 0 : draw.below(9);
  const Index units = (std::max<Index>(least, 1) + multiple - 1) / multiple + padding;
  // An odd number of units, so that no cases but those meant have a more aligned stride.
  return (units | 1) * multiple;
}

Matrix draw_matrix(Draw& draw, const MatrixClass& common, Index rows, Index cols) {
  Matrix matrix;
  matrix.type = common.type;
  matrix.order = common.order;
  matrix.alignment_bytes = common.alignment_bytes;
  const bool row = common.order == Order::row;
  matrix.ld_elems = stride_at_least(draw, row ? cols : rows, common.ld_multiple);
  matrix.broadcast = common.broadcast;
  if (!matrix.broadcast)
    matrix.batch_stride_elems = stride_at_least(
        draw, matrix.ld_elems * std::max<Index>(row ? rows : cols, 1), common.ld_multiple);
  return matrix;
}

double draw_scale(Draw& draw, Factor scale, Fill fill, bool integer) {
  if (scale == Factor::zero) return 0.0;
  if (scale == Factor::one) return 1.0;
  if (fill == Fill::integers || integer) return draw.from({1.0, 0.0, -1.0, 2.0, -3.0});
  return draw.from({1.0, 0.0, -1.0, 0.375, -2.7182817});
}

std::string_view name(Fill fill) {
  constexpr std::array<std::string_view, 3> kNames{"integers", "normal", "special"};
  return kNames[static_cast<size_t>(fill)];
}

void draw_extents(Draw& draw, Problem& problem) {
  problem.m = draw.extent();
  problem.n = draw.extent();
  problem.k = draw.extent();
  if (draw.one_in(3)) problem.batch = draw.from<Index>({0, 2, 3, 5});
  if (draw.one_in(12)) {  // a long sum for a short row
    problem.m = 1;
    problem.k = 1000 + draw.below(1500);
  }
  // Batches of small matrices: the emulator has to run them all.
  if (problem.batch > 1) {
    problem.m = std::min<Index>(problem.m, 100);
    problem.n = std::min<Index>(problem.n, 100);
  }
}

}  // namespace

GemmCase random_case(const CaseTypes& types, int index) {
  Draw of_class(static_cast<std::uint64_t>(index / kCasesPerClass));
  const ProblemClass common = draw_class(of_class, types);
  GemmCase result;
  result.seed = 1'000'000 + static_cast<std::uint64_t>(index);
  Draw draw(result.seed);
  const bool integer = is_integer(types.a);
  result.fill = integer ? Fill::integers : draw.from({Fill::integers, Fill::normal, Fill::special});
  result.config.specialize = common.specialize;
  // Small problems are planned without shared tiles; a wish that only others have keeps those.
  if (index / kCasesPerClass % 2 == 1) result.config.raster_width = 8;
  result.guard_bytes = draw.one_in(2) ? 256 : 0;
  Problem& problem = result.problem;
  problem.accumulate = types.accumulate;
  problem.alpha = common.alpha;
  problem.beta = common.beta;
  draw_extents(draw, problem);
  problem.a = draw_matrix(draw, common.a, problem.m, problem.k);
  problem.b = draw_matrix(draw, common.b, problem.k, problem.n);
  problem.c = draw_matrix(draw, common.c, problem.m, problem.n);
  problem.d = draw_matrix(draw, common.d, problem.m, problem.n);
  result.alpha = draw_scale(draw, problem.alpha, result.fill, integer);
  result.beta = draw_scale(draw, problem.beta, result.fill, integer);
  return result;
}

std::string to_string(const GemmCase& gemm_case) {
  constexpr std::array<std::string_view, 4> kSpecialize{"usual", "none", "all", "generic"};
  return base::format("{} | specialize {} alpha {} beta {} {} seed {} guard {}",
                      jute::to_string(completed(gemm_case.problem)),
                      kSpecialize[static_cast<size_t>(gemm_case.config.specialize)],
                      gemm_case.alpha, gemm_case.beta, name(gemm_case.fill), gemm_case.seed,
                      gemm_case.guard_bytes);
}

}  // namespace jute::test
