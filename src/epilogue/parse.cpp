// Reads the statements of an expression.
#include <jute/base/detail/excerpt.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <utility>

#include "base/format.hpp"
#include "epilogue/parser.hpp"
#include "epilogue/words.hpp"

namespace jute::epilogue {
namespace {

constexpr EpilogueGather kGathers[] = {EpilogueGather::amax,     EpilogueGather::sum,
                                       EpilogueGather::row_sum,  EpilogueGather::col_sum,
                                       EpilogueGather::row_amax, EpilogueGather::col_amax};

/// `row_sum` of `row_sum[m]`.
std::string_view word_of(EpilogueGather gather) {
  const std::string_view text = gather_text(gather);
  return text.substr(0, text.find('['));
}

bool is_epilogue(const std::string& text) {
  try {
    (void)Parser(text, Parser::Offers::left_out).whole();
    return true;
  } catch (const Exception&) {
    return false;
  }
}

}  // namespace

void Parser::settle_offer(std::size_t column, Fault& fault) const {
  constexpr std::size_t kLongestWhole = 256;
  if (!fault.nearest || fault.value.empty()) return;
  const std::size_t at =
      offers_ == Offers::left_out ? std::string::npos : text_.rfind(fault.value, column);
  const std::string offer = *std::exchange(fault.nearest, std::nullopt);
  if (at == std::string::npos) return;
  std::string better(text_);
  better.replace(at, fault.value.size(), offer);
  if (is_epilogue(better)) {
    fault.nearest = offer;
  } else if (text_.size() <= kLongestWhole && is_epilogue("acc; " + better)) {
    fault.nearest = "acc; " + better;
    fault.value = text_;
  }
}

void Parser::refuse(std::size_t column, Fault fault) const {
  settle_offer(column, fault);
  const Excerpt shown = excerpt(text_, column);
  Error error{.code = fault.code,
              .operand = "epilogue",
              .value = !fault.value.empty() ? std::move(fault.value)
                       : shown.text.empty() ? "''"
                                            : shown.text,
              .violated_rules = {std::move(fault.rule)},
              .nearest_legal = std::move(fault.nearest),
              .position = SourcePosition{1, static_cast<int>(column) + 1},
              .detail = caret_lines(shown)};
  throw Exception(std::move(error));
}

Parser::Fault Parser::beside_d(std::size_t column, ErrorCode code, std::string rule) const {
  constexpr std::size_t kMost = 64;
  const std::string rest(text_.substr(column));
  // Within another value its meaning would change.
  const std::size_t before = text_.substr(0, column).find_last_not_of(" \t\n\r");
  const bool is_whole =
      before == std::string_view::npos || text_[before] == ';' || text_[before] == '=';
  if (offers_ == Offers::left_out || !is_whole || rest.size() > kMost ||
      rest.find(';') != std::string::npos)
    return {code, std::move(rule), {}};
  for (const char* lead : {"acc; a = ", "a = "})
    if (is_epilogue(std::string(text_.substr(0, column)) + lead + rest))
      return {code, std::move(rule), lead + rest, rest};
  return {code, std::move(rule), {}};
}

void Parser::skip_spaces() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
}

bool Parser::take(char wanted) {
  skip_spaces();
  if (peek() != wanted || at_ == text_.size()) return false;
  ++at_;
  return true;
}

std::string_view Parser::word() {
  const std::size_t start = at_;
  while (is_word_char(peek())) ++at_;
  return text_.substr(start, at_ - start);
}

std::string Parser::next_text() const {
  if (at_ == text_.size()) return "the text ends";
  const char c = peek();
  return c < 0x20 || c > 0x7E ? "a character follows that has no meaning"
                              : base::format("'{}' follows", c);
}

EpilogueExpression Parser::whole() {
  EpilogueExpression read = statements();
  if (std::string fault = sum_fault(read); !fault.empty())
    refuse_without_sum(read, std::move(fault));
  return read;
}

EpilogueExpression Parser::statements() {
  while (!at_end()) {
    statement();
    if (at_end()) break;
    if (!take(';'))
      refuse(at_, base::format("an operator or ';' must follow a value, but {}", next_text()));
  }
  if (expression_.outputs.empty())
    refuse(text_.size(), "an epilogue must have an output: a value, which is d, or name = value");
  if (std::ranges::none_of(expression_.outputs, [](const auto& one) { return is_d(one.name); }))
    refuse(text_.size(), "one output must be d: d = value");
  return in_order(expression_);
}

/// A word that was meant to be acc is an input as it stands.
void Parser::refuse_without_sum(const EpilogueExpression& read, std::string rule) const {
  std::vector<std::string> scalars;
  for (const EpilogueInput& input : read.inputs)
    if (input.extent == EpilogueExtent::scalar) scalars.push_back(input.name);
  Fault fault{ErrorCode::unknown_name, std::move(rule)};
  if (scalars.empty()) refuse(0, std::move(fault));
  fault.value = nearest_name("acc", scalars).value_or(scalars.front());
  fault.nearest = "acc";
  const std::size_t column = column_of(fault.value);
  refuse(column, std::move(fault));
}

std::size_t Parser::column_of(std::string_view name) const {
  std::size_t at = text_.find(name);
  const auto is_inside = [&] {
    return (at > 0 && is_word_char(text_[at - 1])) ||
           (at + name.size() < text_.size() && is_word_char(text_[at + name.size()]));
  };
  while (at != std::string_view::npos && is_inside()) at = text_.find(name, at + 1);
  return at == std::string_view::npos ? 0 : at;
}

/// name := value | name = value | math = fast | value
void Parser::statement() {
  skip_spaces();
  const std::size_t start = at_;
  if (peek() == ';') refuse(at_, "a statement must stand before ';'");
  const std::string name(word());
  skip_spaces();
  if (!name.empty() && peek() == ':' && peek(1) == '=') {
    at_ += 2;
    return local(name, start);
  }
  if (!name.empty() && peek() == '=' && peek(1) != '=') {
    ++at_;
    if (name == "math") return math();
    return output(name, start);
  }
  at_ = start;
  bare_output(start);
}

void Parser::check_new_name(const std::string& name, std::size_t column) {
  const auto is_taken = [&](const auto& all) {
    return std::ranges::any_of(all, [&](const auto& one) { return one.name == name; });
  };
  if (std::string fault = name_fault(name); !fault.empty() && !is_d(name))
    refuse(column, std::move(fault));
  if (is_taken(expression_.locals))
    refuse(column, name + " is a local already; a name must be new");
  if (is_taken(expression_.outputs))
    refuse(column, name + " is an output already; a name must be new");
  if (is_taken(expression_.inputs))
    refuse(column, name + " was read as an input before; a name must be of one thing");
}

void Parser::local(const std::string& name, std::size_t column) {
  if (is_d(name)) refuse(column, "d must be an output: d = value");
  check_new_name(name, column);
  if (expression_.locals.size() == static_cast<std::size_t>(kMostEpilogueLocals))
    refuse(column, {ErrorCode::out_of_range,
                    base::format("an epilogue must have at most {} locals", kMostEpilogueLocals),
                    {}});
  skip_spaces();
  const std::size_t start = at_;
  const int node = value();
  if (std::string fault = kinds_.as_local(node); !fault.empty())
    refuse(start, {ErrorCode::wrong_type, std::move(fault), {}});
  // The value may have read an input of that name.
  check_new_name(name, column);
  expression_.locals.push_back({name, node});
}

/// amax, sum, row_sum[m], col_amax[n] and the like at the cursor; `elements`, and the cursor where
/// it was, where another word stands.
EpilogueGather Parser::gather() {
  const std::size_t start = at_;
  const std::string_view name = word();
  for (const EpilogueGather gather : kGathers) {
    if (name != word_of(gather)) continue;
    if (gather == EpilogueGather::amax) {
      skip_spaces();
      if (peek() == '[') break;  // of blocks: a value
    }
    if (is_of_rows(gather)) expect_index_of(name, "m");
    if (is_of_columns(gather)) expect_index_of(name, "n");
    if (!take('(')) refuse(at_, base::format("'(' must follow {}", gather_text(gather)));
    return gather;
  }
  at_ = start;
  return EpilogueGather::elements;
}

void Parser::expect_index_of(std::string_view name, std::string_view index) {
  const std::size_t begin = at_ - name.size();
  skip_spaces();
  const std::size_t start = at_;
  const auto wrong = [&] {
    // Another index is part of what is to be replaced.
    const std::size_t close =
        (start < text_.size() && text_[start] == '[') ? text_.find(']', start) : std::string::npos;
    const std::size_t end = close == std::string::npos ? start : close + 1;
    const std::string written(text_.substr(begin, std::min<std::size_t>(end - begin, 64)));
    refuse(start, {ErrorCode::syntax, base::format("{0} must be written {0}[{1}]", name, index),
                   base::format("{}[{}]", name, index), written});
  };
  if (!take('[')) wrong();
  skip_spaces();
  if (word() != index || !take(']')) wrong();
}

/// fast | exact
void Parser::math() {
  skip_spaces();
  const std::size_t start = at_;
  const std::string said(word());
  if (said != "fast" && said != "exact")
    refuse(start, {ErrorCode::unknown_name, "math must be exact or fast",
                   nearest_name(said, std::vector<std::string>{"exact", "fast"}), said});
  expression_.math = said == "fast" ? EpilogueMath::fast : EpilogueMath::exact;
}

void Parser::output(const std::string& name, std::size_t column) {
  check_new_name(name, column);
  skip_spaces();
  const std::size_t start = at_;
  EpilogueOutput output{name, gather(), 0};
  skip_spaces();
  const std::size_t inside = at_;
  output.node = value();
  if (output.gather != EpilogueGather::elements) {
    if (!take(')')) refuse(at_, base::format("')' must follow, but {}", next_text()));
    skip_spaces();
    if (at_ < text_.size() && peek() != ';')
      refuse(at_, base::format("{} must be the whole of an output: ';' or the end must follow it",
                               gather_text(output.gather)));
  }
  add_output(std::move(output), column, is_d(name) ? start : inside);
}

void Parser::bare_output(std::size_t column) {
  const int node = value();
  skip_spaces();
  if (peek() == '=' || (peek() == ':' && peek(1) == '='))
    refuse(column, "what stands before '=' must be a name alone: name = value, name := value");
  check_new_name("d", column);
  add_output({"d", EpilogueGather::elements, node}, column, column);
}

void Parser::add_output(EpilogueOutput output, std::size_t name_column, std::size_t value_column) {
  if (expression_.outputs.size() == static_cast<std::size_t>(kMostEpilogueOutputs))
    refuse(name_column,
           {ErrorCode::out_of_range,
            base::format("an epilogue must have at most {} outputs", kMostEpilogueOutputs),
            {}});
  if (std::string fault = kinds_.as_output(expression_, output); !fault.empty())
    refuse(value_column, beside_d(value_column, ErrorCode::wrong_type, std::move(fault)));
  check_new_name(output.name, name_column);
  expression_.outputs.push_back(std::move(output));
}

}  // namespace jute::epilogue

namespace jute {

EpilogueExpression parse_epilogue(std::string_view text) { return epilogue::Parser(text).whole(); }

}  // namespace jute
