// Arithmetic as C++ does it, of 64 bits; what leaves them is not known.
#include "program/host_arithmetic.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace jute::program {
namespace {

HostValue integer_result(std::string_view mark, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  if (mark == "+") return __builtin_add_overflow(a, b, &value) ? HostValue() : HostValue(value);
  if (mark == "-") return __builtin_sub_overflow(a, b, &value) ? HostValue() : HostValue(value);
  if (mark == "*") return __builtin_mul_overflow(a, b, &value) ? HostValue() : HostValue(value);
  if (mark == "/" || mark == "%") {
    if (b == 0 || b == -1) return b == 0 || mark == "%" ? HostValue() : integer_result("-", 0, a);
    return mark == "/" ? a / b : a % b;
  }
  if (mark == "<<" || mark == ">>") {
    if (b < 0 || b > 62 || a < 0) return {};
    if (mark == ">>") return a >> b;
    return __builtin_mul_overflow(a, std::int64_t{1} << b, &value) ? HostValue() : HostValue(value);
  }
  if (mark == "&") return a & b;
  if (mark == "|") return a | b;
  if (mark == "^") return a ^ b;
  if (mark == "&&") return std::int64_t{a != 0 && b != 0};
  if (mark == "||") return std::int64_t{a != 0 || b != 0};
  return {};
}

template <class T>
HostValue comparison(std::string_view mark, T a, T b) {
  if (mark == "<") return std::int64_t{a < b};
  if (mark == ">") return std::int64_t{a > b};
  if (mark == "<=") return std::int64_t{a <= b};
  if (mark == ">=") return std::int64_t{a >= b};
  if (mark == "==") return std::int64_t{a == b};
  if (mark == "!=") return std::int64_t{a != b};
  return {};
}

}  // namespace

std::optional<double> as_double(const HostValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

HostValue number_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '\'') digits += c;
  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool is_float = !is_hex && digits.find_first_of(".eE") != std::string::npos;
  const char* end = digits.data() + digits.size();
  if (is_float) {
    double value = 0;
    const auto [rest, status] = std::from_chars(digits.data(), end, value);
    return status == std::errc() ? HostValue(value) : HostValue();
  }
  const bool is_binary = digits.starts_with("0b") || digits.starts_with("0B");
  const bool is_octal = !is_hex && !is_binary && digits.size() > 1 && digits[0] == '0';
  std::int64_t value = 0;
  const int skipped = is_hex || is_binary ? 2 : 0;
  const auto [rest, status] = std::from_chars(digits.data() + skipped, end, value,
                                              is_hex      ? 16
                                              : is_binary ? 2
                                              : is_octal  ? 8
                                                          : 10);
  const std::string_view suffix(rest, static_cast<size_t>(end - rest));
  if (status != std::errc()) return {};
  if (suffix == "f" || suffix == "F") return static_cast<double>(value);
  return suffix.find_first_not_of("uUlLzZ") == std::string_view::npos ? HostValue(value)
                                                                      : HostValue();
}

HostValue operated(std::string_view mark, const HostValue& left, const HostValue& right) {
  const auto* a = std::get_if<std::int64_t>(&left);
  const auto* b = std::get_if<std::int64_t>(&right);
  if (a != nullptr && b != nullptr) {
    const HostValue compared = comparison(mark, *a, *b);
    return is_known(compared) ? compared : integer_result(mark, *a, *b);
  }
  const auto x = as_double(left), y = as_double(right);
  if (!x || !y) return {};
  if (mark == "+") return *x + *y;
  if (mark == "-") return *x - *y;
  if (mark == "*") return *x * *y;
  if (mark == "/") return *y == 0 ? HostValue() : HostValue(*x / *y);
  return comparison(mark, *x, *y);
}

/// A number as an integer or a floating-point type holds it.
HostValue converted(const HostValue& value, const NumberType& type) {
  const auto number = as_double(value);
  if (!number) return std::holds_alternative<MemoryName>(value) ? value : HostValue();
  if (type.element.starts_with('f')) return *number;
  if (std::holds_alternative<std::int64_t>(value)) return value;
  return std::abs(*number) < 9e18 ? HostValue(static_cast<std::int64_t>(*number)) : HostValue();
}

HostValue known_function(std::string_view name, const std::vector<HostValue>& arguments) {
  std::vector<double> x;
  bool is_integer = true;
  for (const HostValue& argument : arguments) {
    const auto number = as_double(argument);
    if (!number) return {};
    x.push_back(*number);
    is_integer &= std::holds_alternative<std::int64_t>(argument);
  }
  if (x.size() == 2) {
    const bool takes_first = (name.find("min") != std::string_view::npos) == (x[0] < x[1]);
    if (name == "min" || name == "max") return arguments[takes_first ? 0 : 1];
    if (name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf")
      return takes_first ? x[0] : x[1];
    if (name == "pow" || name == "powf") return std::pow(x[0], x[1]);
  }
  if (x.size() != 1) return {};
  if (name == "ceil" || name == "ceilf") return std::ceil(x[0]);
  if (name == "floor" || name == "floorf") return std::floor(x[0]);
  if (name == "round" || name == "roundf") return std::round(x[0]);
  if (name == "sqrt" || name == "sqrtf") return std::sqrt(x[0]);
  if (name == "log2" || name == "log2f") return std::log2(x[0]);
  if (name == "abs" || name == "fabs")
    return is_integer ? HostValue(std::abs(std::get<std::int64_t>(arguments[0])))
                      : HostValue(std::abs(x[0]));
  return {};
}

}  // namespace jute::program
