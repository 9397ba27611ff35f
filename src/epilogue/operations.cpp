// The table of operations.
//
// Errors are those of the CUDA C++ Programming Guide 13.0, "Mathematical Functions" (units in the
// last place against the correctly rounded result), and of the PTX ISA 8.8: ex2.approx.ftz.f32 2
// units, rcp.approx.ftz.f32 1 unit, tanh.approx.f32 a relative error of 2^-11. Where a formula is
// our own, its row adds what the formula adds: an argument t of ex2 that is wrong by a relative e
// makes a result that is wrong by a relative |t| * e * ln 2, and |t| is at most 126 before the
// result is flushed to zero, which `absolute` allows for.
#include <jute/epilogue/operations.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute {
namespace {

using Op = EpilogueOp;
using Form = EpilogueForm;
using Value = double (*)(double, double, double);
using Integer = std::int64_t (*)(std::int64_t, std::int64_t, std::int64_t);

constexpr auto number = EpilogueKind::number;
constexpr auto truth = EpilogueKind::truth;
constexpr auto bit = EpilogueKind::bit;
constexpr auto seed = EpilogueKind::seed;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoToMinus11 = 0x1p-11, kTwoToMinus12 = 0x1p-12;

/// The PTX ISA's min and max: what is no number gives way, and -0 is less than +0.
double smaller(double x, double y) {
  if (x == y) return std::signbit(x) ? x : y;
  return std::isnan(x) || y < x ? y : x;
}
double larger(double x, double y) {
  if (x == y) return std::signbit(x) ? y : x;
  return std::isnan(x) || y > x ? y : x;
}

/// Extended precision: the argument of erfc is squared, and its error with it.
double gelu(double x) {
  if (x == -std::numeric_limits<double>::infinity()) return -0.0;
  return static_cast<double>(static_cast<long double>(x) * 0.5L *
                             std::erfc(static_cast<long double>(x) * -0.70710678118654752440L));
}

double gelu_tanh(double x) {
  const long double wide = x;
  const long double twice = 1.59576912160573071175978L * (wide + 0.044715L * wide * wide * wide);
  return static_cast<double>(wide / (1 + std::exp(-twice)));
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// From 3 on it is x, however large.
double hardswish(double x) { return x >= 3 ? x : x * larger(x + 3, 0) / 6; }

// clang-format off
constexpr EpilogueOperation leaf(Op op, std::string_view spelling) {
  return {op, spelling, Form::leaf, 7, 0, {}, number, nullptr, nullptr, {}, {}, {}, {}, kNowhere};
}
constexpr EpilogueOperation kOperations[] = {
    leaf(Op::acc, "acc"), leaf(Op::alpha, "alpha"), leaf(Op::beta, "beta"), leaf(Op::c, "c"),
    leaf(Op::number, ""), leaf(Op::input, ""), leaf(Op::a_sum, "a_sum"), leaf(Op::b_sum, "b_sum"),
    leaf(Op::gate, "gate"),

    {Op::negate, "-", Form::prefix, 6, 1, {number}, number,
     [](double x, double, double) { return -x; },
     [](std::int64_t x, std::int64_t, std::int64_t) { return -x; },
     {"(-{0})"}, {"(-{0})"}, "int(0u - unsigned({0}))", {}, kNowhere},
    {Op::logical_not, "not", Form::prefix, 6, 1, {truth}, truth,
     [](double x, double, double) { return x == 0 ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t, std::int64_t) { return std::int64_t{x == 0}; },
     {"(!{0})"}, {"(!{0})"}, "(!{0})", {}, kNowhere},

    {Op::multiply, "*", Form::infix, 5, 2, {number, number}, number,
     [](double x, double y, double) { return x * y; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return x * y; },
     {"__fmul_rn({0}, {1})"}, {"__dmul_rn({0}, {1})"}, "int(unsigned({0}) * unsigned({1}))", {}, kNowhere},
    {Op::divide, "/", Form::infix, 5, 2, {number, number}, number,
     [](double x, double y, double) { return x / y; }, nullptr,
     {"__fdiv_rn({0}, {1})"}, {"__ddiv_rn({0}, {1})"}, "", {}, kNowhere},
    {Op::add, "+", Form::infix, 4, 2, {number, number}, number,
     [](double x, double y, double) { return x + y; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return x + y; },
     {"__fadd_rn({0}, {1})"}, {"__dadd_rn({0}, {1})"}, "int(unsigned({0}) + unsigned({1}))", {}, kNowhere},
    {Op::subtract, "-", Form::infix, 4, 2, {number, number}, number,
     [](double x, double y, double) { return x - y; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return x - y; },
     {"__fsub_rn({0}, {1})"}, {"__dsub_rn({0}, {1})"}, "int(unsigned({0}) - unsigned({1}))", {}, kNowhere},

    {Op::less, "<", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x < y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x < y}; },
     {"({0} < {1})"}, {"({0} < {1})"}, "({0} < {1})", {}, kNowhere},
    {Op::less_equal, "<=", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x <= y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x <= y}; },
     {"({0} <= {1})"}, {"({0} <= {1})"}, "({0} <= {1})", {}, kNowhere},
    {Op::greater, ">", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x > y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x > y}; },
     {"({0} > {1})"}, {"({0} > {1})"}, "({0} > {1})", {}, kNowhere},
    {Op::greater_equal, ">=", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x >= y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x >= y}; },
     {"({0} >= {1})"}, {"({0} >= {1})"}, "({0} >= {1})", {}, kNowhere},
    {Op::equal, "==", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x == y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x == y}; },
     {"({0} == {1})"}, {"({0} == {1})"}, "({0} == {1})", {}, kNowhere},
    {Op::not_equal, "!=", Form::infix, 3, 2, {number, number}, truth,
     [](double x, double y, double) { return x != y ? 1.0 : 0.0; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::int64_t{x != y}; },
     {"({0} != {1})"}, {"({0} != {1})"}, "({0} != {1})", {}, kNowhere},
    {Op::logical_and, "and", Form::infix, 2, 2, {truth, truth}, truth,
     [](double x, double y, double) { return x * y; },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return x * y; },
     {"({0} && {1})"}, {"({0} && {1})"}, "({0} && {1})", {}, kNowhere},
    {Op::logical_or, "or", Form::infix, 1, 2, {truth, truth}, truth,
     [](double x, double y, double) { return std::max(x, y); },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::max(x, y); },
     {"({0} || {1})"}, {"({0} || {1})"}, "({0} || {1})", {}, kNowhere},

    {Op::min, "min", Form::call, 7, 2, {number, number}, number,
     [](double x, double y, double) { return smaller(x, y); },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::min(x, y); },
     {"fminf({0}, {1})"}, {"fmin({0}, {1})"}, "min({0}, {1})", {}, kNowhere},
    {Op::max, "max", Form::call, 7, 2, {number, number}, number,
     [](double x, double y, double) { return larger(x, y); },
     [](std::int64_t x, std::int64_t y, std::int64_t) { return std::max(x, y); },
     {"fmaxf({0}, {1})"}, {"fmax({0}, {1})"}, "max({0}, {1})", {}, kNowhere},
    {Op::abs, "abs", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::abs(x); },
     [](std::int64_t x, std::int64_t, std::int64_t) { return x < 0 ? -x : x; },
     {"fabsf({0})"}, {"fabs({0})"}, "int({0} < 0 ? 0u - unsigned({0}) : unsigned({0}))", {}, 0},
    {Op::exp, "exp", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::exp(x); }, nullptr,
     {"expf({0})", {1}}, {"exp({0})", {2}}, "", {}, kNowhere},
    {Op::log, "log", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::log(x); }, nullptr,
     {"logf({0})", {1}}, {"log({0})", {2}}, "", {}, kNowhere},
    {Op::tanh, "tanh", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::tanh(x); }, nullptr,
     {"tanhf({0})", {2}}, {"tanh({0})", {3}}, "",
     {"approx_tanh({0})", {8193}, {"approx_tanh"}}, kNowhere},
    {Op::sigmoid, "sigmoid", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return sigmoid(x); }, nullptr,
     {"sigmoid({0})", {144, 0x1p-125}, {"approx_exp2", "approx_reciprocal", "sigmoid"}},
     {"(1.0 / (1.0 + exp(-{0})))", {8, 0x1p-1021}}, "",
     {"__fmaf_rn(0.5f, approx_tanh(__fmul_rn(0.5f, {0})), 0.5f)", {1, kTwoToMinus12}, {"approx_tanh"}}, kNowhere},
    {Op::erf, "erf", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::erf(x); }, nullptr,
     {"erff({0})", {2}}, {"erf({0})", {3}}, "", {}, kNowhere},
    {Op::relu, "relu", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return x < 0 ? 0.0 : x; }, nullptr,
     {"({0} < 0.0f ? 0.0f : {0})"}, {"({0} < 0.0 ? 0.0 : {0})"}, "", {}, kNowhere},
    {Op::gelu, "gelu", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return gelu(x); }, nullptr,
     {"gelu({0})", {400, 0x1p-120}, {"approx_exp2", "approx_reciprocal", "gelu"}},
     {"gelu_f64({0})", {16, 0x1p-1010}, {"gelu_f64"}}, "",
     {"gelu_half({0})", {2, 0, kTwoToMinus12 + 0x1.5p-16}, {"approx_tanh", "gelu_half"}}, -0.7517915246935644},
    {Op::gelu_tanh, "gelu_tanh", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return gelu_tanh(x); }, nullptr,
     {"gelu_tanh({0})", {360, 0x1p-119}, {"approx_exp2", "approx_reciprocal", "gelu_tanh"}},
     {"gelu_tanh_f64({0})", {4800, 0x1p-1010}, {"gelu_tanh_f64"}}, "",
     {"gelu_tanh_half({0})", {2, 0, kTwoToMinus12 + 0x1p-22}, {"approx_tanh", "gelu_tanh_half"}}, -0.7524614220710163},
    {Op::silu, "silu", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return x / (1 + std::exp(-x)); }, nullptr,
     {"silu({0})", {146, 0x1p-118}, {"approx_exp2", "approx_reciprocal", "silu"}},
     {"({0} / (1.0 + exp(-{0})))", {8, 0x1p-1010}}, "",
     {"silu_half({0})", {2, 0, kTwoToMinus12}, {"approx_tanh", "silu_half"}}, -1.2784645427610738},
    {Op::hardswish, "hardswish", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return hardswish(x); }, nullptr,
     {"__fmul_rn({0}, __fmul_rn(fminf(fmaxf(__fadd_rn({0}, 3.0f), 0.0f), 6.0f), 0.166666672f))", {4, 0x1p-149}},
     {"({0} * (fmin(fmax({0} + 3.0, 0.0), 6.0) * (1.0 / 6.0)))", {4, 0x1p-1074}}, "", {}, -1.5},
    {Op::leaky_relu, "leaky_relu", Form::call, 7, 2, {number, number}, number,
     [](double x, double y, double) { return x < 0 ? x * y : x; }, nullptr,
     {"({0} < 0.0f ? __fmul_rn({0}, {1}) : {0})"}, {"({0} < 0.0 ? __dmul_rn({0}, {1}) : {0})"}, "", {}, 0},
    {Op::clamp, "clamp", Form::call, 7, 3, {number, number, number}, number,
     [](double x, double y, double z) { return smaller(larger(x, y), z); },
     [](std::int64_t x, std::int64_t y, std::int64_t z) { return std::min(std::max(x, y), z); },
     {"fminf(fmaxf({0}, {1}), {2})"}, {"fmin(fmax({0}, {1}), {2})"}, "min(max({0}, {1}), {2})", {}, kNowhere},
    {Op::sqrt, "sqrt", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return std::sqrt(x); }, nullptr,
     {"__fsqrt_rn({0})"}, {"__dsqrt_rn({0})"}, "", {}, kNowhere},
    {Op::rsqrt, "rsqrt", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return 1 / std::sqrt(x); }, nullptr,
     {"rsqrtf({0})", {2}}, {"rsqrt({0})", {3}}, "", {}, kNowhere},
    {Op::square, "square", Form::call, 7, 1, {number}, number,
     [](double x, double, double) { return x * x; },
     [](std::int64_t x, std::int64_t, std::int64_t) { return x * x; },
     {"__fmul_rn({0}, {0})"}, {"__dmul_rn({0}, {0})"}, "int(unsigned({0}) * unsigned({0}))", {}, 0},
    {Op::pow, "pow", Form::call, 7, 2, {number, number}, number,
     [](double x, double y, double) { return std::pow(x, y); }, nullptr,
     {"powf({0}, {1})", {4}}, {"pow({0}, {1})", {2}}, "", {}, kNowhere},
    {Op::select, "select", Form::call, 7, 3, {truth, number, number}, number,
     [](double x, double y, double z) { return x != 0 ? y : z; },
     [](std::int64_t x, std::int64_t y, std::int64_t z) { return x != 0 ? y : z; },
     {"({0} ? {1} : {2})"}, {"({0} ? {1} : {2})"}, "({0} ? {1} : {2})", {}, kNowhere},
    {Op::bit, "bit", Form::call, 7, 1, {truth}, bit,
     [](double x, double, double) { return x; },
     [](std::int64_t x, std::int64_t, std::int64_t) { return x; },
     {"{0}"}, {"{0}"}, "{0}", {}, kNowhere},
    {Op::cast, "", Form::call, 7, 1, {number}, number, nullptr, nullptr, {}, {}, "", {}, kNowhere},
    {Op::stochastic, "", Form::call, 7, 2, {number, seed}, number, nullptr, nullptr, {}, {}, "", {}, kNowhere},
    {Op::block_amax, "amax", Form::call, 7, 1, {number}, number, nullptr, nullptr, {}, {}, "", {}, kNowhere},
};
// clang-format on

constexpr bool stand_in_order() {
  int place = 0;
  for (const EpilogueOperation& row : kOperations)
    if (static_cast<int>(row.op) != place++) return false;
  return place == static_cast<int>(Op::block_amax) + 1;
}
static_assert(stand_in_order());

std::int32_t wrapped(std::int64_t value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value)));
}

}  // namespace

std::span<const EpilogueOperation> epilogue_operations() { return kOperations; }

const EpilogueOperation& operation(EpilogueOp op) {
  return kOperations[static_cast<std::size_t>(op)];
}

const EpilogueCuda& cuda_of(const EpilogueOperation& row, DType compute,
                            EpilogueAccuracy accuracy) {
  if (compute == DType::f64) return row.f64;
  return accuracy == EpilogueAccuracy::half && !row.half.text.empty() ? row.half : row.f32;
}

bool may_be_stochastic(DType type) {
  constexpr DType kTypes[] = {DType::bf16, DType::f16, DType::e4m3, DType::e5m2, DType::s8};
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

double stochastic_value(DType type, double x, double word) {
  const double to_nearest = decode(type, encode(type, x));
  if (!std::isfinite(x) || to_nearest == x) return to_nearest;
  const double size = std::abs(x);
  // Neighbours lie apart as far as the type's bits say, but no closer than its least two.
  const int apart = std::ilogb(size) - (precision_bits(type) - 1);
  const double step = is_integer(type) ? 1 : std::max(std::ldexp(1.0, apart), decode(type, 1u));
  const double kept = std::floor(size / step), rest = size / step - kept;
  constexpr double kUpperBits = 0x1p24, kLowerBits = 0x1p8;
  const double share = std::floor(word / kLowerBits) / kUpperBits;
  const double rounded = (share < rest ? kept + 1 : kept) * step;
  return decode(type, encode(type, std::copysign(rounded, x)));
}

double rounded_number(double value, DType compute) {
  return decode(compute, encode(compute, value));
}

double epilogue_value(const EpilogueNode& node, DType compute, double x, double y, double z) {
  if (node.op == Op::stochastic) return stochastic_value(node.type, x, y);
  if (node.op == Op::cast) {
    const double cast = decode(node.type, encode(node.type, x));
    return rounded_number(cast, compute);
  }
  const EpilogueOperation& row = operation(node.op);
  if (compute == DType::s32 && row.integer != nullptr)
    return wrapped(row.integer(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y),
                               static_cast<std::int64_t>(z)));
  return compute == DType::f32 ? static_cast<double>(static_cast<float>(row.value(x, y, z)))
                               : row.value(x, y, z);
}

double fused_value(EpilogueSigns signs, DType compute, double x, double y, double z) {
  if (signs.minus_product) x = -x;
  if (signs.minus_addend) z = -z;
  if (compute == DType::s32)
    return wrapped(static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y) +
                   static_cast<std::int64_t>(z));
  if (compute == DType::f64) return std::fma(x, y, z);
  return static_cast<double>(
      std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}

}  // namespace jute
