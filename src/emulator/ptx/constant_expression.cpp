// Constant expressions of PTX: numbers, and what operators make of them.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "emulator/ptx/token_stream.hpp"

namespace jute::emulator {
namespace {

constexpr int kDeepestExpression = 256;

using ConstantBits = std::uint64_t;

/// An operator between two operands, by how strongly it binds.
struct BinaryOperator {
  enum class Result : std::uint8_t { usual, left, is_signed, is_unsigned };
  std::string_view mark;
  int strength = 0;
  /// Computes with integers; the flag says whether they are signed.
  ConstantBits (*integers)(ConstantBits, ConstantBits, bool is_signed) = nullptr;
  double (*numbers)(double, double) = nullptr;  ///< null: it needs integers
  Result result = Result::usual;
};

template <class F>
ConstantBits by_sign(ConstantBits a, ConstantBits b, bool is_signed) {
  if (!is_signed) return static_cast<ConstantBits>(F()(a, b));
  return static_cast<ConstantBits>(F()(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
}
template <class F>
ConstantBits as_bits(ConstantBits a, ConstantBits b, bool) {
  return static_cast<ConstantBits>(F()(a, b));
}
template <class F>
double as_numbers(double a, double b) {
  return static_cast<double>(F()(a, b));
}
struct ShiftRight {
  template <class T>
  T operator()(T a, T b) const {
    return a >> (b & 63);
  }
};
struct ShiftLeft {
  ConstantBits operator()(ConstantBits a, ConstantBits b) const { return a << (b & 63); }
};
/// A result that leaves 64 bits wraps: -2^63 / -1.
ConstantBits quotient(ConstantBits a, ConstantBits b, bool is_signed) {
  return is_signed && b == ~ConstantBits{0} ? 0 - a : by_sign<std::divides<>>(a, b, is_signed);
}

// Source: PTX ISA, "Constant Expression Evaluation Rules"; that shifts count their lowest six bits
// is what ptxas does. Longer marks stand before those that they begin with.
using enum BinaryOperator::Result;
// clang-format off
constexpr std::array kBinary{
    BinaryOperator{"||", 1, as_bits<std::logical_or<>>, nullptr, is_signed},
    BinaryOperator{"&&", 2, as_bits<std::logical_and<>>, nullptr, is_signed},
    BinaryOperator{"|", 3, as_bits<std::bit_or<>>, nullptr, is_unsigned},
    BinaryOperator{"^", 4, as_bits<std::bit_xor<>>, nullptr, is_unsigned},
    BinaryOperator{"&", 5, as_bits<std::bit_and<>>, nullptr, is_unsigned},
    BinaryOperator{"==", 6, as_bits<std::equal_to<>>, as_numbers<std::equal_to<>>, is_signed},
    BinaryOperator{"!=", 6, as_bits<std::not_equal_to<>>, as_numbers<std::not_equal_to<>>, is_signed},
    BinaryOperator{"<<", 8, as_bits<ShiftLeft>, nullptr, left},
    BinaryOperator{">>", 8, by_sign<ShiftRight>, nullptr, left},
    BinaryOperator{"<=", 7, by_sign<std::less_equal<>>, as_numbers<std::less_equal<>>, is_signed},
    BinaryOperator{">=", 7, by_sign<std::greater_equal<>>, as_numbers<std::greater_equal<>>, is_signed},
    BinaryOperator{"<", 7, by_sign<std::less<>>, as_numbers<std::less<>>, is_signed},
    BinaryOperator{">", 7, by_sign<std::greater<>>, as_numbers<std::greater<>>, is_signed},
    BinaryOperator{"+", 9, as_bits<std::plus<>>, as_numbers<std::plus<>>},
    BinaryOperator{"-", 9, as_bits<std::minus<>>, as_numbers<std::minus<>>},
    BinaryOperator{"*", 10, as_bits<std::multiplies<>>, as_numbers<std::multiplies<>>},
    BinaryOperator{"/", 10, quotient, as_numbers<std::divides<>>},
    BinaryOperator{"%", 10, as_bits<std::modulus<>>, nullptr, is_signed}};
// clang-format on

class ConstantExpression {
 public:
  explicit ConstantExpression(TokenStream& tokens) : tokens_(tokens) {}

  Literal choice() {
    const Nesting nesting(*this);
    const Literal condition = binary(1);
    if (!tokens_.accept('?')) return condition;
    require_integer(condition);
    const Literal yes = choice();
    tokens_.expect(':');
    const Literal no = choice();
    if (yes.kind != no.kind) refuse_mixture();
    return condition.bits != 0 ? yes : no;
  }

 private:
  /// Counts how deep an expression nests, and refuses what would take all of the stack.
  struct Nesting {
    explicit Nesting(ConstantExpression& whole) : depth(whole.depth_) {
      if (++depth > kDeepestExpression) whole.tokens_.refuse("an expression must nest less deep");
    }
    ~Nesting() { --depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    int& depth;
  };

  [[noreturn]] void refuse_mixture() const {
    tokens_.refuse("an expression must have integers only, or numbers with a point only");
  }
  void require_integer(const Literal& value) const {
    if (value.kind != OperandKind::integer) tokens_.refuse("an integer must stand before this");
  }

  /// The operator that stands here: its characters follow each other.
  [[nodiscard]] const BinaryOperator* next() const {
    const auto stands = [&](const BinaryOperator& row) {
      for (std::size_t i = 0; i < row.mark.size(); ++i) {
        const Token &first = tokens_.peek(), &token = tokens_.peek(i);
        const bool follows = token.position.line == first.position.line &&
                             token.position.column == first.position.column + static_cast<int>(i);
        if (!token.is(row.mark[i]) || !follows) return false;
      }
      return true;
    };
    const auto* const found = std::ranges::find_if(kBinary, stands);
    return found == kBinary.end() ? nullptr : found;
  }

  Literal binary(int least) {
    const Nesting nesting(*this);
    Literal result = unary();
    for (const BinaryOperator* row = next(); row != nullptr && row->strength >= least;
         row = next()) {
      for (std::size_t i = 0; i < row->mark.size(); ++i) tokens_.take();
      result = value(*row, result, binary(row->strength + 1));
    }
    return result;
  }

  [[nodiscard]] Literal value(const BinaryOperator& row, const Literal& a, const Literal& b) const {
    if (a.kind != b.kind || a.kind == OperandKind::float32) refuse_mixture();
    const bool is_integer = a.kind == OperandKind::integer;
    const bool divides = row.mark == "/" || row.mark == "%";
    if (divides && (is_integer ? b.bits : b.bits << 1U) == 0)
      tokens_.refuse("a divisor must not be 0");
    if (!is_integer) {
      if (row.numbers == nullptr) tokens_.refuse("this operator needs integers");
      const double made = row.numbers(std::bit_cast<double>(a.bits), std::bit_cast<double>(b.bits));
      if (row.result == is_signed) return {OperandKind::integer, static_cast<ConstantBits>(made)};
      return {OperandKind::float64, std::bit_cast<ConstantBits>(made)};
    }
    const bool as_signed = !a.is_unsigned && (row.result == left || !b.is_unsigned);
    const bool made_unsigned = row.result == is_unsigned || (row.result != is_signed && !as_signed);
    return {OperandKind::integer, row.integers(a.bits, b.bits, as_signed), made_unsigned};
  }

  Literal unary() {
    const Nesting nesting(*this);
    if (tokens_.accept('+')) return signed_part();
    if (tokens_.accept('-')) return negative(signed_part());
    if (tokens_.accept('~')) {
      const Literal value = integer_part();
      return {OperandKind::integer, ~value.bits, true};
    }
    if (tokens_.accept('!')) return {OperandKind::integer, integer_part().bits == 0 ? 1U : 0U};
    const bool is_cast = tokens_.peek().is('(') && tokens_.peek(2).is(')') &&
                         (tokens_.peek(1).is_dotted(".s64") || tokens_.peek(1).is_dotted(".u64"));
    if (!is_cast) return primary();
    tokens_.take();
    const bool is_unsigned = tokens_.take().text == ".u64";
    tokens_.take();
    return {OperandKind::integer, integer_part().bits, is_unsigned};
  }
  // `0f3F800000` is bits, not a number that a sign stands before.
  Literal signed_part() {
    const Literal value = unary();
    if (value.kind == OperandKind::float32) tokens_.refuse("0f… must stand without a sign");
    return value;
  }
  Literal integer_part() {
    const Literal value = unary();
    require_integer(value);
    return value;
  }
  static Literal negative(const Literal& value) {
    if (value.kind == OperandKind::integer) return {value.kind, 0 - value.bits, value.is_unsigned};
    return {value.kind, value.bits ^ (std::uint64_t{1} << 63)};
  }

  Literal primary() {
    if (!tokens_.accept('(')) return tokens_.number();
    const Literal inside = choice();
    tokens_.expect(')');
    return inside;
  }

  TokenStream& tokens_;
  int depth_ = 0;
};

}  // namespace

Literal TokenStream::constant() { return ConstantExpression(*this).choice(); }

Index TokenStream::constant_integer(std::string_view what) {
  const Literal value = constant();
  if (value.kind != OperandKind::integer) refuse(std::string(what) + " must be an integer");
  return static_cast<Index>(value.bits);
}

}  // namespace jute::emulator
