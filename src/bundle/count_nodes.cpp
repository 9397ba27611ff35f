// A Count's canonical text in postfix form. The text is what the manifest holds, so that launcher
// and manifest are of one source.
#include "bundle/count_nodes.hpp"

#include <jute/base/error.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <array>
#include <cctype>
#include <string_view>

namespace jute::bundle {
namespace {

struct Word {
  std::string_view word, node;
};
constexpr std::array<Word, 4> kFunctions{
    {{"ceil_div", "N_CEIL_DIV"}, {"round_up", "N_ROUND_UP"}, {"min", "N_MIN"}, {"max", "N_MAX"}}};

/// A View's extents, magics, strides and its origin lie one behind the other.
std::string of_view(RunValue value, int list) {
  return "V_VIEWS + " + std::to_string(static_cast<int>(value.tensor)) + " * kViewValues + " +
         std::to_string(list) + " * kModes + " + std::to_string(value.mode);
}

/// A place of the launcher's array of values.
std::string place_of(RunValue value) {
  using enum RunValue::Quantity;
  switch (value.quantity) {
    case m:
      return "V_M";
    case n:
      return "V_N";
    case k:
      return "V_K";
    case batch:
      return "V_BATCH";
    case width:
      return "V_WIDTH";
    case stages:
      return "V_STAGES";
    case split_k:
      return "V_SPLIT_K";
    case view_extent:
      return of_view(value, 0);
    case view_magic:
      return of_view(value, 1);
    case view_stride:
      return of_view(value, 2);
    case view_origin:
      return of_view(value, 3);
    default:
      break;
  }
  const int behind = value.quantity == batch_stride ? 1 : 0;
  return "V_STRIDES + " + std::to_string(2 * static_cast<int>(value.tensor) + behind);
}

/// Reads what to_string(Count) writes: sums of products of numbers, names, functions and brackets.
class PostfixReader {
 public:
  explicit PostfixReader(std::string_view text) : rest_(text) {}

  std::vector<CountNode> read() && {
    sum();
    return std::move(nodes_);
  }

 private:
  void sum() {
    product();
    while (starts('+') || starts('-')) {
      const char* const operation = starts('+') ? "N_ADD" : "N_SUBTRACT";
      take();
      product();
      nodes_.push_back({operation, "0"});
    }
  }
  void product() {
    operand();
    while (starts('*')) {
      take();
      operand();
      nodes_.push_back({"N_MULTIPLY", "0"});
    }
  }
  void operand() {
    if (starts('(')) {
      take();
      sum();
      take();
    } else if (starts('-') || (!rest_.empty() && std::isdigit(rest_.front()) != 0)) {
      nodes_.push_back({"N_NUMBER", "INT64_C(" + std::string(word()) + ")"});
    } else {
      named(word());
    }
  }
  void named(std::string_view name) {
    for (const Word& function : kFunctions) {
      if (function.word != name) continue;
      take();  // (
      sum();
      take();  // ,
      sum();
      take();  // )
      nodes_.push_back({std::string(function.node), "0"});
      return;
    }
    const RunValue value = parse_run_value(name);
    if (value.quantity == RunValue::Quantity::copied)
      nodes_.push_back({"N_NUMBER", "1"});
    else
      nodes_.push_back({"N_VALUE", place_of(value)});
  }

  [[nodiscard]] bool starts(char mark) const { return rest_.starts_with(mark); }
  void take() { rest_.remove_prefix(1); }
  std::string_view word() {
    const size_t end = std::min(rest_.find_first_of("+-*(),", 1), rest_.size());
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }

  std::string_view rest_;
  std::vector<CountNode> nodes_;
};

}  // namespace

std::vector<CountNode> nodes_of(const Count& count) {
  const std::string text = to_string(count);
  return PostfixReader(text).read();
}

}  // namespace jute::bundle
