// Reads the values of an expression.
#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/format.hpp"
#include "epilogue/parser.hpp"
#include "epilogue/words.hpp"

namespace jute::epilogue {
namespace {

using Op = EpilogueOp;
/// Depth that every tree within its limits has at most: a bracket, call or sign for each node.
constexpr int kMostDepth = kMostEpilogueNodes;
constexpr int kUnaryLevel = 6;
constexpr int kComparisonLevel = 3;

struct NamedLeaf {
  std::string_view name, index;
  Op op;
};
constexpr NamedLeaf kLeaves[] = {
    {"acc", "", Op::acc},      {"alpha", "", Op::alpha},  {"beta", "", Op::beta}, {"c", "", Op::c},
    {"a_sum", "m", Op::a_sum}, {"b_sum", "n", Op::b_sum}, {"gate", "", Op::gate}};

/// A word of other languages, and what is meant.
struct Foreign {
  std::string_view spelling, meant;
  bool replaces = true;  ///< may the one stand where the other does?
};
constexpr Foreign kForeign[] = {{"&&", "and"},
                                {"&", "and"},
                                {"||", "or"},
                                {"|", "or"},
                                {"=", "=="},
                                {"<>", "!="},
                                {"?", "select(condition, a, b)", false}};

/// A word between words has spaces.
std::string apart(std::string_view word, char before, char behind) {
  std::string text(word);
  if (is_letter(word[0]) && is_word_char(before)) text.insert(0, " ");
  if (is_letter(word[0]) && is_word_char(behind)) text += ' ';
  return text;
}

}  // namespace

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
  if (++parser.depth_ > kMostDepth)
    parser.refuse(
        parser.at_,
        {ErrorCode::too_deep, base::format("values must nest at most {} deep", kMostDepth), {}});
}

int Parser::push(const EpilogueNode& node, std::size_t column) {
  if (expression_.nodes.size() == static_cast<std::size_t>(kMostEpilogueNodes))
    refuse(column, {ErrorCode::out_of_range,
                    base::format("an epilogue must have at most {} nodes", kMostEpilogueNodes),
                    {}});
  expression_.nodes.push_back(node);
  return static_cast<int>(expression_.nodes.size()) - 1;
}

int Parser::leaf(const EpilogueNode& node, std::size_t column) {
  const auto same = std::ranges::find(expression_.nodes, node);
  if (same != expression_.nodes.end()) return static_cast<int>(same - expression_.nodes.begin());
  const int place = push(node, column);
  (void)kinds_.take(expression_);
  return place;
}

int Parser::apply(const EpilogueNode& node, std::size_t column,
                  const std::array<std::size_t, 3>& columns) {
  const int place = push(node, column);
  int faulty = 0;
  if (std::string fault = kinds_.take(expression_, &faulty); !fault.empty())
    refuse(columns[static_cast<std::size_t>(faulty)],
           {ErrorCode::wrong_type, std::move(fault), {}});
  return place;
}

/// The operator of that level at the cursor, which moves behind it.
const EpilogueOperation* Parser::infix_operator(int level) {
  skip_spaces();
  const EpilogueOperation* found = nullptr;
  for (const EpilogueOperation& row : epilogue_operations()) {
    if (row.form != EpilogueForm::infix || !text_.substr(at_).starts_with(row.spelling)) continue;
    if (is_letter(row.spelling[0]) && is_word_char(peek(row.spelling.size()))) continue;
    if (found == nullptr || row.spelling.size() > found->spelling.size()) found = &row;
  }
  if (found == nullptr || found->level != level) return nullptr;
  at_ += found->spelling.size();
  return found;
}

void Parser::refuse_foreign_operator() const {
  // `name = value` is told where statements are read.
  for (const Foreign& foreign : kForeign) {
    if (!text_.substr(at_).starts_with(foreign.spelling) ||
        (foreign.spelling == "=" && depth_ == 0))
      continue;
    Fault fault{
        ErrorCode::unknown_name,
        base::format("{} is no operator here: {} must be written", foreign.spelling, foreign.meant),
        std::nullopt, std::string(foreign.spelling)};
    if (foreign.replaces)
      fault.nearest =
          apart(foreign.meant, at_ > 0 ? text_[at_ - 1] : ' ', peek(foreign.spelling.size()));
    refuse(at_, std::move(fault));
  }
  if (peek() == '^' || peek() == '%' || peek() == '~')
    refuse(at_, {ErrorCode::unknown_name,
                 base::format("{} is no operator: an operator must be one of + - * / < <= > >= == "
                              "!= and or",
                              peek()),
                 {}});
}

int Parser::infix(int level) {
  if (level == kUnaryLevel) return unary();
  skip_spaces();
  const std::size_t start = at_;
  int left = infix(level + 1);
  bool is_compared = false;
  while (const EpilogueOperation* row = infix_operator(level)) {
    if (is_compared)
      refuse(at_ - row->spelling.size(),
             "comparisons are not chained: a < b and b < c must be written");
    is_compared = level == kComparisonLevel;
    skip_spaces();
    const std::size_t second = at_;
    const int right = infix(level + 1);
    left = apply({.op = row->op, .operands = {left, right}}, start, {start, second});
  }
  if (level == 1) {
    skip_spaces();
    refuse_foreign_operator();
  }
  return left;
}

int Parser::unary() {
  skip_spaces();
  const std::size_t start = at_;
  const bool is_not = text_.substr(at_).starts_with("not") && !is_word_char(peek(3));
  if (peek() != '-' && !is_not) {
    if (peek() == '!') {
      if (peek(1) != '=')
        refuse(at_, {ErrorCode::unknown_name, "! is no operator: not must be written", {}});
    }
    return primary();
  }
  at_ += is_not ? 3 : 1;
  const Deeper deeper(*this);
  skip_spaces();
  const std::size_t column = at_;
  const int operand = unary();
  return apply({.op = is_not ? Op::logical_not : Op::negate, .operands = {operand}}, start,
               {column});
}

int Parser::primary() {
  skip_spaces();
  const char next = peek();
  if (next == '(') return bracket();
  if (is_digit(next) || (next == '.' && is_digit(peek(1)))) return number_literal();
  if (is_letter(next) || next == '_') return word_value();
  if (next == '+') refuse(at_, "a value must follow, but '+' does: a number has no sign but '-'");
  refuse(at_, base::format("a value must follow, but {}", next_text()));
}

int Parser::bracket() {
  const std::size_t open = at_++;
  const Deeper deeper(*this);
  const int inside = value();
  if (!take(')'))
    refuse(at_ == text_.size() ? open : at_,
           at_ == text_.size()
               ? "this bracket must be closed"
               : base::format("an operator or ')' must follow, but {}", next_text()));
  return inside;
}

int Parser::number_literal() {
  const std::size_t start = at_;
  const char* const first = text_.data() + start;
  double number = 0;
  const auto read = std::from_chars(first, text_.data() + text_.size(), number);
  at_ += static_cast<std::size_t>(read.ptr - first);
  if (read.ec == std::errc::result_out_of_range)
    refuse(start, {ErrorCode::out_of_range,
                   "a number must lie within 64-bit floating point; inf has a word",
                   {}});
  if (read.ec != std::errc()) refuse(start, "a number must follow");
  if (is_word_char(peek()) || peek() == '.')
    refuse(at_, "an operator must follow a number, which has no suffix");
  return leaf({.op = Op::number, .number = number}, start);
}

int Parser::word_value() {
  const std::size_t start = at_;
  const std::string name(word());
  const std::size_t end = at_;
  skip_spaces();
  const bool is_call = peek() == '(';
  if (is_call) return call(name, start);
  if (name == "amax" && peek() == '[') return block_amax(start);
  at_ = end;
  return named(name, start);
}

/// A cast with a second operand, its seed, rounds stochastically.
void Parser::settle_arity(EpilogueNode& node, std::string_view name, int count,
                          std::size_t column) const {
  const int arity = operation(node.op).arity;
  if (node.op == Op::cast && count == operation(Op::stochastic).arity) {
    node.op = Op::stochastic;
    if (!may_be_stochastic(node.type))
      refuse(column,
             {ErrorCode::wrong_type,
              base::format("a type with a seed must be bf16, f16, e4m3, e5m2 or s8, not {}", name),
              {}});
  } else if (count != arity) {
    refuse(column, {ErrorCode::wrong_arity,
                    base::format("{} must have {} operand{}, not {}", name, arity,
                                 arity == 1 ? "" : "s", count),
                    {}});
  }
}

int Parser::call(std::string_view name, std::size_t column) {
  const auto& known = function_names();
  for (const std::string_view gather :
       {"amax", "sum", "row_sum", "col_sum", "row_amax", "col_amax"})
    if (name == gather)
      refuse(column, beside_d(column, ErrorCode::syntax,
                              base::format("{} must be the whole of an output: name = {}(value)",
                                           name, gather)));
  EpilogueNode node;
  const DType type = find_dtype(name).value_or(DType::ue8m0);
  const auto row = std::ranges::find_if(epilogue_operations(), [&](const EpilogueOperation& one) {
    return one.form == EpilogueForm::call && !one.spelling.empty() && one.spelling == name;
  });
  if (!is_stored_only(type)) {
    node = {.op = Op::cast, .type = type};
  } else if (name == "neg") {
    node = {.op = Op::negate};
  } else if (row != epilogue_operations().end()) {
    node = {.op = row->op};
  } else {
    std::optional<std::string> nearest = nearest_name(name, known);
    if (const auto meant = meant_dtype(name)) nearest = jute::name(*meant);
    refuse(column,
           {ErrorCode::unknown_name,
            base::format("{} is no function: a function must be one of {}", name, joined(known)),
            nearest, std::string(name)});
  }
  ++at_;  // the bracket
  const Deeper deeper(*this);
  const int arity = operation(node.op).arity;
  const int most = node.op == Op::cast ? operation(Op::stochastic).arity : arity;
  int count = 0;
  std::array<std::size_t, 3> columns{};
  if (!take(')')) {
    do {
      skip_spaces();
      const std::size_t start = at_;
      const int operand = value();
      if (count < most) {
        node.operands[static_cast<std::size_t>(count)] = operand;
        columns[static_cast<std::size_t>(count)] = start;
      }
      ++count;
    } while (take(','));
    if (!take(')'))
      refuse(at_, base::format("',' or ')' must follow in {}(…), but {}", name, next_text()));
  }
  settle_arity(node, name, count, column);
  return apply(node, column, columns);
}

/// `[1,128](value)` behind amax.
int Parser::block_amax(std::size_t column) {
  EpilogueNode node{.op = Op::block_amax};
  const char* const rule =
      "amax of blocks must be written amax[rows,columns](value), whose m and n are all of them";
  const auto extent = [&](char open, char whole) {
    if (!take(open)) refuse(at_, rule);
    skip_spaces();
    if (take(whole)) return kWholeExtent;
    int read = 0;
    const auto [end, fault] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), read);
    if (fault != std::errc()) refuse(at_, rule);
    at_ = static_cast<std::size_t>(end - text_.data());
    return read;
  };
  node.block.m = extent('[', 'm');
  node.block.n = extent(',', 'n');
  if (!take(']') || !take('(')) refuse(at_, rule);
  const Deeper deeper(*this);
  skip_spaces();
  const std::size_t inside = at_;
  node.operands[0] = value();
  if (!take(')')) refuse(at_, rule);
  return apply(node, column, {inside});
}

/// A word without a bracket behind it.
int Parser::named(const std::string& name, std::size_t column) {
  for (const NamedLeaf& one : kLeaves) {
    if (name != one.name) continue;
    if (!one.index.empty()) expect_index_of(name, one.index);
    return leaf({.op = one.op}, column);
  }
  if (name == "inf" || name == "nan") {
    const double number = name == "inf" ? std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN();
    return leaf({.op = Op::number, .number = number}, column);
  }
  const auto local = std::ranges::find(expression_.locals, name, &EpilogueLocal::name);
  if (local != expression_.locals.end()) return local->node;
  refuse_misused(name, column);
  return input(name, column);
}

void Parser::refuse_misused(const std::string& name, std::size_t column) const {
  const auto output = std::ranges::find(expression_.outputs, name, &EpilogueOutput::name);
  if (is_d(name) || output != expression_.outputs.end())
    refuse(column, base::format("{0} is an output, and values see locals only: y := …; {0} = y "
                                "must be written",
                                name));
  if (name == "m" || name == "n" || name == "batch")
    refuse(column, base::format("{} must be an index: v[m], v[n], x[m,n], s[batch]", name));
  const auto& known = function_names();
  if (std::ranges::find(known, name) != known.end())
    refuse(column, base::format("'(' must follow the function {}", name));
  if (name == "and" || name == "or" || name == "not")
    refuse(column, base::format("a value must follow, but '{}' does", name));
  if (std::string fault = name_fault(name); !fault.empty()) refuse(column, std::move(fault));
}

/// name, name[m], name[n], name[m,n], each of which may have `batch` first
int Parser::input(const std::string& name, std::size_t column) {
  EpilogueInput input{.name = name};
  skip_spaces();
  if (peek() == '[') read_index(input, column);
  const int place = find_input(expression_, name);
  if (place >= 0 && expression_.inputs[static_cast<std::size_t>(place)] != input)
    refuse(column, base::format("an input must have one index: it was {} before",
                                input_text(expression_.inputs[static_cast<std::size_t>(place)])));
  if (place >= 0) return leaf({.op = Op::input, .input = place}, column);
  if (expression_.inputs.size() == static_cast<std::size_t>(kMostEpilogueInputs))
    refuse(column, {ErrorCode::out_of_range,
                    base::format("an epilogue must have at most {} inputs", kMostEpilogueInputs),
                    {}});
  expression_.inputs.push_back(input);
  return leaf({.op = Op::input, .input = static_cast<int>(expression_.inputs.size()) - 1}, column);
}

}  // namespace jute::epilogue
