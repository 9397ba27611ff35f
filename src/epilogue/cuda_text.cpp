// Writes expressions as CUDA.
#include <jute/epilogue/cuda_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <jute/epilogue/types.hpp>
#include "base/format.hpp"
#include "epilogue/kinds.hpp"
#include "epilogue/leaf.hpp"

namespace jute {
namespace {

using Op = EpilogueOp;

/// A constant that the compiler reads back as the same value.
std::string constant(double number, DType compute) {
  if (compute == DType::s32) return base::format("{}", static_cast<std::int64_t>(number));
  const bool is_wide = compute == DType::f64;
  if (std::isnan(number))
    return is_wide ? "__longlong_as_double(0x7ff8000000000000LL)" : "__int_as_float(0x7fffffff)";
  if (std::isinf(number))
    return is_wide ? "__longlong_as_double(0x7ff0000000000000LL)" : "__int_as_float(0x7f800000)";
  std::array<char, 32> digits{};
  char* first = digits.data();
  char* const last = first + digits.size();
  char* end = is_wide ? std::to_chars(first, last, number).ptr
                      : std::to_chars(first, last, static_cast<float>(number)).ptr;
  std::string text(first, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + (is_wide ? "" : "f");
}

struct Writer {
  /// `loose` text needs brackets to be an operand.
  struct Value {
    std::string text{};
    bool loose = false;
  };

  const EpilogueArithmetic& arithmetic;
  DType compute;
  const EpilogueSpelling& spelling;
  EpilogueAccuracy accuracy;
  std::vector<EpilogueKind> kinds;
  /// Integers wrap in their registers; where nothing looks at a result, the plain signs say so, as
  /// plain kernels have them. Elsewhere a compiler may take an overflow for impossible.
  bool plain_integers;
  EpilogueCudaText result{};
  int sums = 0, parts = 0;

  static std::string operand(const Value& value) {
    return value.loose ? "(" + value.text + ")" : value.text;
  }

  static std::string numbered(const char* name, int& count) {
    return ++count == 1 ? name : base::format("{}_{}", name, count);
  }

  void call(std::string_view function) {
    if (function.empty()) return;
    const std::string path = base::format("epilogue/functions.cu ({})", function);
    if (std::ranges::find(result.functions, path) == result.functions.end())
      result.functions.push_back(path);
  }

  [[nodiscard]] Value leaf(const EpilogueNode& node) const {
    if (node.op == Op::number) return {constant(rounded_number(node.number, compute), compute)};
    return {epilogue::leaf_of(spelling, node)};
  }

  /// `text` with operands in its holes. What it says twice becomes a variable first.
  std::string filled(std::string_view text, std::array<std::string, 3> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::string hole = base::format("{{{}}}", i);
      const std::size_t first = text.find(hole);
      if (first == std::string_view::npos || text.find(hole, first + 1) == std::string_view::npos)
        continue;
      const bool is_name = std::ranges::all_of(
          operands[i], [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
      if (is_name) continue;
      const std::string name = numbered("part", parts);
      result.lines += base::format("const Compute {} = {};\n", name, operands[i]);
      operands[i] = name;
    }
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '{') {
        out += text[at];
        continue;
      }
      out += operands[static_cast<std::size_t>(text[at + 1] - '0')];
      at += 2;
    }
    return out;
  }

  Value cast(DType type, const std::string& x) {
    const bool is_wide = compute == DType::f64;
    if (type == compute || type == DType::f64) return {x};
    if (type == DType::f32) return {"double(__double2float_rn(" + x + "))"};
    if (is_integer(type)) {
      std::string integer = is_wide ? "__double2int_rn({0})" : "__float2int_rn({0})";
      if (type == DType::s8) integer = "max(-128, min(127, " + integer + "))";
      if (type == DType::u8) integer = "max(0, min(255, " + integer + "))";
      // A NaN becomes 0; the conversion from f64 makes it the least integer.
      const std::string text =
          is_wide ? "({0} == {0} ? double(" + integer + ") : 0.0)" : "float(" + integer + ")";
      return {filled(text, {x})};
    }
    call(is_wide ? "round_to_f64" : "round_to");
    const double step = decode(type, type == DType::tf32 ? 1u << 13 : 1u);
    const int bits = precision_bits(type), own_bits = precision_bits(compute);
    const double infinity = std::numeric_limits<double>::infinity();
    const double beyond = decode(type, encode(type, infinity));
    const double scale = std::ldexp(step, bits - 1);
    const double largest = type == DType::e4m3
                               ? 448
                               : std::ldexp(2 - std::ldexp(1.0, 1 - bits), largest_exponent(type));
    return {base::format("{}({}, {}, {}, {}, {}, {})", is_wide ? "round_to_f64" : "round_to", x,
                         own_bits - bits, constant(scale, compute),
                         constant(1.5 * std::ldexp(step, own_bits - 1), compute),
                         constant(largest, compute), constant(beyond, compute))};
  }

  Value stochastic(DType type, const std::string& x, const std::string& word) {
    const bool is_whole = is_integer(type);
    if (type == DType::bf16) call("stochastic_bf16");
    if (type != DType::bf16) call("stochastic");
    const std::string drawn =
        type == DType::bf16 ? base::format("stochastic_bf16({}, {})", x, word)
                            : base::format("stochastic({}, {}, {}, {})", x, word,
                                           is_whole ? 0 : precision_bits(type) - 1,
                                           is_whole ? 127 : 127 + std::ilogb(decode(type, 1u)));
    return cast(type, drawn);
  }

  static int largest_exponent(DType type) {
    return type == DType::f16 || type == DType::e5m2 ? 15 : 127;
  }

  Value apply(const EpilogueNode& node, const Value& x, const Value& y, const Value& z) {
    if (node.op == Op::cast) return cast(node.type, operand(x));
    if (node.op == Op::block_amax) return {spelling.block_amax};
    if (node.op == Op::stochastic) return stochastic(node.type, operand(x), operand(y));
    const EpilogueOperation& row = operation(node.op);
    if (compute == DType::s32) {
      if (plain_integers && row.form == EpilogueForm::infix)
        return {base::format("{} {} {}", operand(x), row.spelling, operand(y)), true};
      return {filled(row.s32, {operand(x), operand(y), operand(z)})};
    }
    const EpilogueCuda& cuda = cuda_of(row, compute, accuracy);
    for (const std::string_view function : cuda.functions) call(function);
    return {filled(cuda.text, {operand(x), operand(y), operand(z)})};
  }

  Value fused(EpilogueSigns signs, const Value& x, const Value& y, const Value& z) const {
    const char* const minus = signs.minus_product ? "-" : "";
    const char* const minus_z = signs.minus_addend ? "-" : "";
    if (compute == DType::s32) {
      const std::string sign = signs.minus_addend ? " - " : " + ";
      if (plain_integers && !signs.minus_product)
        return {operand(x) + " * " + operand(y) + sign + operand(z), true};
      if (plain_integers) return {operand(z) + " - " + operand(x) + " * " + operand(y), true};
      return {base::format("int({}unsigned({}) * unsigned({}){}unsigned({}))",
                           signs.minus_product ? "0u - " : "", operand(x), operand(y), sign,
                           operand(z))};
    }
    return {base::format("{}({}{}, {}, {}{})", compute == DType::f64 ? "__fma_rn" : "__fmaf_rn",
                         minus, operand(x), operand(y), minus_z, operand(z))};
  }

  Value beta_c() {
    const Value product = apply({.op = Op::multiply}, {spelling.beta}, {spelling.c}, {});
    return {base::format("({} != 0 ? {} : {})", spelling.beta, product.text, constant(0, compute))};
  }

  Value with_beta_c(EpilogueSigns signs, const Value& z) {
    const std::string name = numbered("sum", sums);
    const Value start = signs.minus_addend ? apply({.op = Op::negate}, z, {}, {}) : z;
    const Value sum =
        fused({.minus_product = signs.minus_product}, {spelling.beta}, {spelling.c}, {name});
    result.lines += base::format("Compute {0} = {1};\nif ({3} != 0) {0} = {2};\n", name, start.text,
                                 sum.text, spelling.beta);
    return {name};
  }

  Value kept(int node, Value value) {
    const EpilogueExpression& expression = arithmetic.expression;
    const auto local = std::ranges::find(expression.locals, node, &EpilogueLocal::node);
    const Op op = expression.nodes[static_cast<std::size_t>(node)].op;
    if (local == expression.locals.end() || operation(op).arity == 0) return value;
    const bool is_number = kinds[static_cast<std::size_t>(node)] == EpilogueKind::number;
    result.lines += base::format("const {} {}_ = {};\n", is_number ? "Compute" : "bool",
                                 local->name, value.text);
    return {local->name + "_"};
  }
};

bool looks_at_results(const EpilogueNode& node) {
  switch (node.op) {
    case Op::multiply:
    case Op::add:
    case Op::subtract:
      return false;
    default:
      return operation(node.op).arity > 0;
  }
}

}  // namespace

EpilogueCudaText cuda_text(const EpilogueArithmetic& arithmetic, DType compute,
                           const EpilogueSpelling& spelling, EpilogueAccuracy accuracy) {
  const EpilogueExpression& expression = arithmetic.expression;
  Writer writer{arithmetic,
                compute,
                spelling,
                accuracy,
                node_kinds(expression),
                std::ranges::none_of(expression.nodes, looks_at_results)};
  for (const Writer::Value& value : evaluate(arithmetic, writer))
    writer.result.values.push_back(value.text);
  return std::move(writer.result);
}

}  // namespace jute
