// Reads a Count: sums of products of numbers, names and calls.
#include <jute/base/nearest_name.hpp>
#include <jute/layout/detail/notation.hpp>

#include <optional>

#include "plan/values/count_rows.hpp"

namespace jute {
namespace {

constexpr int kMostNesting = 64;

class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_{text} {}

  Count read() {
    Count count = sum();
    cursor_.skip_spaces();
    if (!cursor_.done()) refuse(ErrorCode::syntax, "an operation or the end must follow");
    return count;
  }

 private:
  Count sum() {
    if (++nesting_ > kMostNesting) refuse(ErrorCode::too_deep, "levels must nest at most 64 deep");
    Count left = product();
    for (;;) {
      if (cursor_.take('+'))
        left = left + product();
      else if (cursor_.take('-'))
        left = left - product();
      else
        break;
    }
    --nesting_;
    return left;
  }

  Count product() {
    Count left = operand();
    while (cursor_.take('*')) left = left * operand();
    return left;
  }

  Count operand() {
    if (cursor_.take('(')) {
      Count inner = sum();
      expect(')');
      return inner;
    }
    const char next = cursor_.peek();
    if (layout::is_digit(next) || next == '-') return number();
    return named();
  }

  Count number() {
    Index value = 0;
    if (const layout::Fault fault = layout::read_integer(cursor_, value); fault.rule != nullptr)
      refuse(fault.code, fault.rule);
    return value;
  }

  Count named() {
    const size_t start = cursor_.at;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    if (is_letter(cursor_.peek()))
      while (is_part(cursor_.peek())) ++cursor_.at;
    const std::string_view word = cursor_.text.substr(start, cursor_.at - start);
    if (word.empty())
      refuse(ErrorCode::syntax, "a number, a value of the run or a call must follow");
    for (const plan::CountRow& row : plan::kCountRows)
      if (row.is_function() && row.word == word) return call(row.op);
    return parse_run_value(word);
  }

  Count call(Count::Op op) {
    expect('(');
    const Count left = sum();
    expect(',');
    const Count right = sum();
    expect(')');
    return {op, left, right};
  }

  void expect(char wanted) {
    if (!cursor_.take(wanted))
      refuse(ErrorCode::syntax, std::string("`") + wanted + "` must follow");
  }

  [[noreturn]] void refuse(ErrorCode code, std::string rule) const {
    throw Exception({.code = code,
                     .operand = "count",
                     .value = std::string(cursor_.text),
                     .violated_rules = {std::move(rule)},
                     .position = SourcePosition{1, static_cast<int>(cursor_.at) + 1}});
  }

  layout::Cursor cursor_;
  int nesting_ = 0;
};

}  // namespace

Count::Count(std::string_view text) : Count(Reader(text).read()) {}

}  // namespace jute
