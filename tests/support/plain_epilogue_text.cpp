// Writes plain epilogues as texts.
#include "support/plain_epilogue.hpp"

#include <algorithm>
#include <map>

namespace jute::test {
namespace {

const std::map<std::string, int>& levels() {
  static const std::map<std::string, int> kLevels{{"or", 1}, {"and", 2}, {"<", 3},  {"<=", 3},
                                                  {">", 3},  {">=", 3},  {"==", 3}, {"!=", 3},
                                                  {"+", 4},  {"-", 4},   {"*", 5},  {"/", 5}};
  return kLevels;
}
constexpr int kUnary = 6, kLeaf = 7;

struct Writer {
  const PlainEpilogue& epilogue;

  [[nodiscard]] int level(int place) const {
    const PlainNode& node = epilogue.nodes[static_cast<std::size_t>(place)];
    if (is_local(place)) return kLeaf;
    if (node.kids.size() == 1 && (node.op == "neg" || node.op == "not")) return kUnary;
    const auto found = levels().find(node.op);
    return found == levels().end() ? kLeaf : found->second;
  }
  [[nodiscard]] bool is_local(int place) const {
    return std::ranges::any_of(epilogue.locals,
                               [&](const PlainLocal& local) { return local.node == place; });
  }
  [[nodiscard]] std::string operand(int place, int least) const {
    return level(place) < least ? "(" + text(place) + ")" : text(place);
  }
  [[nodiscard]] std::string text(int place) const {
    for (const PlainLocal& local : epilogue.locals)
      if (local.node == place) return local.name;
    return whole(place);
  }
  [[nodiscard]] std::string whole(int place) const {
    const PlainNode& node = epilogue.nodes[static_cast<std::size_t>(place)];
    if (node.op == "1") return number(node.number);
    if (node.op == "x") {
      const PlainInput& input = epilogue.inputs[static_cast<std::size_t>(node.input)];
      return input.index.empty() ? input.name : input.name + "[" + input.index + "]";
    }
    if (node.op == "a_sum") return "a_sum[m]";
    if (node.op == "b_sum") return "b_sum[n]";
    if (node.kids.empty()) return node.op;
    const int first = node.kids[0];
    if (node.op == "neg") return "-" + operand(first, kUnary);
    if (node.op == "not") return "not " + operand(first, kUnary);
    if (const auto found = levels().find(node.op); found != levels().end()) {
      // Comparisons are not chained.
      const int left = found->second == 3 ? 4 : found->second;
      return operand(first, left) + " " + node.op + " " + operand(node.kids[1], found->second + 1);
    }
    std::string call = node.op == "cast()" ? std::string(name(node.type)) + "("
                                           : node.op.substr(0, node.op.size() - 1);
    for (std::size_t i = 0; i < node.kids.size(); ++i)
      call += (i == 0 ? "" : ", ") + text(node.kids[i]);
    return call + ")";
  }
  static std::string number(double value) {
    std::string digits = std::to_string(value);
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    return digits;
  }
};

}  // namespace

std::string PlainEpilogue::text() const {
  const Writer writer{*this};
  std::string all;
  for (const PlainLocal& local : locals)
    all += local.name + " := " + writer.whole(local.node) + "; ";
  const bool is_bare = locals.empty() && outputs.size() == 1;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const PlainOutput& output = outputs[i];
    const std::string value = writer.text(output.node);
    if (i > 0) all += "; ";
    if (!is_bare) all += output.name + " = ";
    if (output.gather.empty()) {
      all += value;
      continue;
    }
    all += output.gather;
    if (output.gather == "row_sum") all += "[m]";
    if (output.gather == "col_sum") all += "[n]";
    all += "(" + value + ")";
  }
  return all;
}

std::vector<PlainNode> PlainEpilogue::used() const {
  std::vector<bool> is_used(nodes.size());
  std::vector<int> open;
  for (const PlainOutput& output : outputs) open.push_back(output.node);
  std::vector<PlainNode> list;
  while (!open.empty()) {
    const auto place = static_cast<std::size_t>(open.back());
    open.pop_back();
    if (is_used[place]) continue;
    is_used[place] = true;
    list.push_back(nodes[place]);
    open.insert(open.end(), nodes[place].kids.begin(), nodes[place].kids.end());
  }
  return list;
}

bool PlainEpilogue::names(const std::string& op) const {
  return std::ranges::any_of(used(), [&](const PlainNode& node) { return node.op == op; });
}

}  // namespace jute::test
