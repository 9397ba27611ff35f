// How strongly signs bind, and what two values make.
#include "support/kernel_values.hpp"

#include <map>
#include <string>

namespace jute::test {

int strength(std::string_view sign) {
  static const std::map<std::string_view, int> kStrengths{
      {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = kStrengths.find(sign);
  return found == kStrengths.end() ? 0 : found->second;
}
bool assigns(std::string_view sign) {
  return sign == "=" || (sign.size() > 1 && sign.back() == '=' && strength(sign) == 0);
}
Value combined(std::string_view sign, Value left, Value right) {
  if (sign == "&&") {
    if ((left && *left == 0) || (right && *right == 0)) return 0;
    return left && right ? Value(1) : Value();
  }
  if (sign == "||") {
    if ((left && *left != 0) || (right && *right != 0)) return 1;
    return left && right ? Value(0) : Value();
  }
  if (!left || !right) return {};
  const long long a = *left, b = *right;
  if (sign == "*") return a * b;
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "/" || sign == "%") {
    if (b == 0) return {};
    return sign == "/" ? a / b : a % b;
  }
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  if (sign == "<=") return a <= b;
  if (sign == ">=") return a >= b;
  if (sign == "&") return a & b;
  if (sign == "|") return a | b;
  if (sign == "^") return a ^ b;
  if (b < 0 || b > 62) return {};
  return sign == "<<" ? static_cast<long long>(static_cast<unsigned long long>(a) << b) : a >> b;
}

}  // namespace jute::test
