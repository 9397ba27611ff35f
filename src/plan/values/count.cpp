// Counts as postfix lists: built from operands, evaluated on a small stack, printed by precedence.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/values/count.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>

#include "plan/values/count_rows.hpp"

namespace jute {
namespace {

constexpr int kMostDepth = 16;

Index ceiling(Index left, Index right) {
  if (right < 1)
    refuse(ErrorCode::out_of_range, "count", std::to_string(right),
           "a count must be divided by 1 or more", "1");
  return left > 0 ? ceil_div(left, right) : left / right;
}

Index difference(Index left, Index right) {
  Index result = 0;
  if (__builtin_sub_overflow(left, right, &result)) throw_overflow("count", left, "-", right);
  return result;
}

Index apply(Count::Op op, Index left, Index right) {
  using enum Count::Op;
  switch (op) {
    case add:
      return checked_add(left, right, "count");
    case subtract:
      return difference(left, right);
    case multiply:
      return checked_mul(left, right, "count");
    case ceil_div:
      return ceiling(left, right);
    case round_up:
      return checked_mul(ceiling(left, right), right, "count");
    case min:
      return std::min(left, right);
    case max:
      break;
  }
  return std::max(left, right);
}

/// The operand that is the whole result, if one is.
const Count* surviving(Count::Op op, const Count& left, const Count& right) {
  using enum Count::Op;
  const Count one(1), zero(0);
  if (op == multiply && left == one) return &right;
  if (op == add && left == zero) return &right;
  const bool keeps = (op == multiply || op == ceil_div || op == round_up) ? right == one
                     : (op == add || op == subtract)                      ? right == zero
                                                                          : false;
  return keeps ? &left : nullptr;
}

}  // namespace

Count::Count(Index number) : nodes_{{.kind = Node::Kind::number, .number = number}} {}
Count::Count(RunValue value) : nodes_{{.kind = Node::Kind::run_value, .run_value = value}} {}

Count::Count(Op op, const Count& left, const Count& right) {
  if (left.is_number() && right.is_number()) {
    *this = Count(apply(op, left.nodes_[0].number, right.nodes_[0].number));
    return;
  }
  if (const Count* const same = surviving(op, left, right)) {
    *this = Count(*same);
    return;
  }
  depth_ = std::max(left.depth_, right.depth_ + 1);
  if (depth_ > kMostDepth)
    refuse(ErrorCode::too_deep, "count", "", "a count must hold at most 16 intermediate results");
  nodes_ = left.nodes_;
  nodes_.insert(nodes_.end(), right.nodes_.begin(), right.nodes_.end());
  nodes_.push_back({.kind = Node::Kind::operation, .op = op});
}

bool Count::is_number() const { return nodes_.size() == 1 && nodes_[0].kind == Node::Kind::number; }

Index Count::evaluate(const RunValues& run) const {
  const auto value = [&](const Node& node) {
    return node.kind == Node::Kind::number ? node.number : value_of(run, node.run_value);
  };
  if (nodes_.size() == 1) return value(nodes_[0]);
  std::array<Index, kMostDepth> results{};
  size_t count = 0;
  for (const Node& node : nodes_) {
    if (node.kind == Node::Kind::operation) {
      --count;
      results[count - 1] = apply(node.op, results[count - 1], results[count]);
    } else {
      results[count++] = value(node);
    }
  }
  return results[0];
}

Count operator+(const Count& left, const Count& right) { return {Count::Op::add, left, right}; }
Count operator-(const Count& left, const Count& right) {
  return {Count::Op::subtract, left, right};
}
Count operator*(const Count& left, const Count& right) {
  return {Count::Op::multiply, left, right};
}
Count ceil_div(const Count& left, const Count& right) { return {Count::Op::ceil_div, left, right}; }
Count round_up(const Count& left, const Count& right) { return {Count::Op::round_up, left, right}; }
Count min(const Count& left, const Count& right) { return {Count::Op::min, left, right}; }
Count max(const Count& left, const Count& right) { return {Count::Op::max, left, right}; }

std::string to_string(const Count& count) {
  using plan::kMostBinding;
  struct Part {
    std::string text;
    int binding;
  };
  std::vector<Part> parts;
  const auto enclosed = [](const Part& part, int least) {
    return part.binding < least ? "(" + part.text + ")" : part.text;
  };
  for (const Count::Node& node : count.nodes_) {
    if (node.kind == Count::Node::Kind::number) {
      parts.push_back({std::to_string(node.number), node.number < 0 ? 0 : kMostBinding});
    } else if (node.kind == Count::Node::Kind::run_value) {
      parts.push_back({std::string(name(node.run_value)), kMostBinding});
    } else {
      const Part right = std::move(parts.back());
      parts.pop_back();
      const Part left = std::move(parts.back());
      const plan::CountRow& row = plan::row_of(node.op);
      parts.back() =
          row.is_function()
              ? Part{std::string(row.word) + "(" + left.text + "," + right.text + ")", kMostBinding}
              : Part{enclosed(left, row.binding) + std::string(row.word) +
                         enclosed(right, row.binding + 1),
                     row.binding};
    }
  }
  return parts.back().text;
}

std::ostream& operator<<(std::ostream& out, const Count& count) { return out << to_string(count); }

}  // namespace jute
