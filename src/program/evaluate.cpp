// Evaluates expressions of host code.
#include "program/evaluate.hpp"

#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "program/host_arithmetic.hpp"

namespace jute::program {
namespace {

constexpr int kDeepestExpression = 48;
constexpr int kDeepestAlias = 8;

/// Precedence of marks between two operands; 0: none.
int precedence(std::string_view mark) {
  constexpr std::array<std::pair<std::string_view, int>, 18> kMarks{{{"||", 1},
                                                                     {"&&", 2},
                                                                     {"|", 3},
                                                                     {"^", 4},
                                                                     {"&", 5},
                                                                     {"==", 6},
                                                                     {"!=", 6},
                                                                     {"<", 7},
                                                                     {">", 7},
                                                                     {"<=", 7},
                                                                     {">=", 7},
                                                                     {"<<", 8},
                                                                     {">>", 8},
                                                                     {"+", 9},
                                                                     {"-", 9},
                                                                     {"*", 10},
                                                                     {"/", 10},
                                                                     {"%", 10}}};
  const auto found = std::ranges::find(kMarks, mark, &std::pair<std::string_view, int>::first);
  return found == kMarks.end() ? 0 : found->second;
}

class Evaluation {
 public:
  Evaluation(CudaTokens tokens, const HostScope& scope, const EvaluationContext& context, int depth)
      : tokens_(tokens), scope_(scope), context_(context), depth_(depth) {}

  HostValue run() {
    if (tokens_.empty() || depth_ > kDeepestExpression || --context_.steps < 0) return {};
    const HostValue value = choice();
    return at_ == tokens_.size() ? value : HostValue();
  }

 private:
  [[nodiscard]] bool comes(std::string_view text) const { return is(tokens_, at_, text); }
  bool take(std::string_view text) {
    if (!comes(text)) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] HostValue inner(CudaTokens tokens) const {
    return evaluated(tokens, scope_, context_, depth_ + 1);
  }
  /// The tokens between the bracket here and the one that closes it, behind which it goes on.
  CudaTokens bracket() {
    const std::size_t end = behind_bracket(tokens_, at_);
    const std::size_t begin = std::min(at_ + 1, end);
    at_ = end;
    return tokens_.subspan(begin, std::max(end, begin + 1) - begin - 1);
  }

  HostValue choice() {
    const HostValue value = binary(1);
    if (!take("?")) return value;
    if (++nesting_ > kDeepestExpression) return {};
    const HostValue first = choice();
    if (!take(":")) return {};
    const HostValue second = choice();
    const auto condition = as_double(value);
    if (!condition) return {};
    return *condition != 0 ? first : second;
  }

  std::string_view mark() const {
    if (at_ >= tokens_.size() || tokens_[at_].kind != CudaTokenKind::mark) return {};
    const bool is_shift =
        comes(">") && is(tokens_, at_ + 1, ">") && tokens_[at_ + 1].at == tokens_[at_].end();
    return is_shift ? std::string_view(">>") : tokens_[at_].text;
  }

  HostValue binary(int least) {
    if (++nesting_ > 400) return {};
    HostValue left = unary();
    for (;;) {
      const std::string_view operation = mark();
      const int strength = precedence(operation);
      if (strength < least || strength == 0) return left;
      at_ += operation == ">>" ? 2 : 1;
      const HostValue right = binary(strength + 1);
      left = combined(operation, left, right);
    }
  }

  /// An address and a number are an address further on.
  [[nodiscard]] static HostValue combined(std::string_view operation, const HostValue& left,
                                          const HostValue& right) {
    if (std::holds_alternative<MemoryName>(left) && (operation == "+" || operation == "-"))
      return displaced(std::get<MemoryName>(left), operation, right);
    if (std::holds_alternative<MemoryName>(right) && operation == "+")
      return displaced(std::get<MemoryName>(right), operation, left);
    return operated(operation, left, right);
  }
  static HostValue displaced(MemoryName memory, std::string_view operation,
                             const HostValue& elements) {
    const HostValue bytes = operated("*", elements, memory.each);
    const HostValue sum = memory.offset_bytes && memory.each > 0
                              ? operated(operation, *memory.offset_bytes, bytes)
                              : HostValue();
    const auto* known = std::get_if<std::int64_t>(&sum);
    memory.offset_bytes = known == nullptr ? std::nullopt : std::optional(*known);
    return memory;
  }

  HostValue unary() {
    if (++nesting_ > 400) return {};
    if (take("+")) return unary();
    if (take("-")) return operated("-", std::int64_t{0}, unary());
    if (take("!")) {
      const auto value = as_double(unary());
      return value ? HostValue(std::int64_t{*value == 0}) : HostValue();
    }
    if (comes("&") || comes("*")) {
      const bool outer = std::exchange(takes_address_, comes("&"));
      ++at_;
      const HostValue value = unary();
      takes_address_ = outer;
      return std::holds_alternative<MemoryName>(value) ? value : HostValue();
    }
    return postfix(primary());
  }

  HostValue postfix(HostValue value) {
    while (comes(".") || comes("->") || comes("[")) {
      if (comes("[")) {
        const CudaTokens index = bracket();
        if (const auto* extents = std::get_if<Dim3>(&value))
          value = extent_of(*extents, inner(index));
        else if (!std::holds_alternative<MemoryName>(value))
          value = {};
        else if (takes_address_)
          value = displaced(std::get<MemoryName>(value), "+", inner(index));
        continue;
      }
      ++at_;
      if (!is_word(tokens_, at_)) return {};
      const std::string_view member = tokens_[at_++].text;
      const bool is_call = comes("(");
      if (is_call) (void)bracket();
      value = member_of(value, member);
    }
    return value;
  }

  /// `maxGridSize[0]`
  static HostValue extent_of(const Dim3& extents, const HostValue& index) {
    const auto* known = std::get_if<std::int64_t>(&index);
    if (known == nullptr || *known < 0 || *known > 2) return {};
    return std::array{extents.x, extents.y, extents.z}[static_cast<std::size_t>(*known)];
  }

  [[nodiscard]] HostValue member_of(const HostValue& value, std::string_view member) const {
    if (const auto* extents = std::get_if<Dim3>(&value)) {
      if (member == "x") return extents->x;
      if (member == "y") return extents->y;
      if (member == "z") return extents->z;
    }
    if (const auto* memory = std::get_if<MemoryName>(&value)) {
      if (member == "size" && context_.size) return context_.size(*memory, true);
      if (member == "data" || member == "begin" || member == "get") return value;
    }
    return {};
  }

  HostValue primary() {
    if (at_ >= tokens_.size()) return {};
    const CudaToken& token = tokens_[at_];
    if (token.kind == CudaTokenKind::number) {
      ++at_;
      return number_of(token.text);
    }
    if (comes("(")) return parenthesis();
    if (comes("::") && is_word(tokens_, at_ + 1)) ++at_;
    if (comes("{")) return extents(bracket());
    if (!is_word(tokens_, at_)) {
      ++at_;
      return {};
    }
    return named();
  }

  HostValue parenthesis() {
    const CudaTokens inside = bracket();
    if (const auto type = type_in(inside)) {
      const bool is_cast = at_ < tokens_.size() && (tokens_[at_].kind != CudaTokenKind::mark ||
                                                    comes("(") || comes("-") || comes("&"));
      if (is_cast) return cast(unary(), inside, *type);
    }
    return inner(inside);
  }

  /// An address counts by what it is cast to.
  [[nodiscard]] HostValue cast(HostValue value, CudaTokens spelling, const NumberType& type) const {
    if (auto* memory = std::get_if<MemoryName>(&value); memory != nullptr)
      if (const auto element = number_type(joined_text(spelling), scope_, context_.macros))
        memory->each = bytes_of(*element);
    return converted(value, type);
  }

  /// A type of numbers or a pointer to some.
  [[nodiscard]] std::optional<NumberType> type_in(CudaTokens tokens) const {
    if (tokens.empty() || !is_word(tokens, 0)) return std::nullopt;
    const auto type = number_type(joined_text(tokens), scope_, context_.macros);
    if (!type) return std::nullopt;
    const bool is_pointer =
        std::ranges::any_of(tokens, [](const CudaToken& token) { return token.text == "*"; });
    return is_pointer ? NumberType{"", "u64", 1, 8} : *type;
  }

  HostValue extents(CudaTokens list) {
    std::array<std::int64_t, 3> values{1, 1, 1};
    const std::vector<CudaTokens> parts = listed(list);
    if (parts.size() > 3) return {};
    if (parts.size() == 1)
      if (const HostValue only = inner(parts[0]); std::holds_alternative<Dim3>(only)) return only;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const HostValue value = converted(inner(parts[i]), *find_number_type("int"));
      if (!std::holds_alternative<std::int64_t>(value)) return {};
      values[i] = std::get<std::int64_t>(value);
    }
    return Dim3{values[0], values[1], values[2]};
  }

  HostValue named() {
    std::string_view name = tokens_[at_++].text;
    while (comes("::") && is_word(tokens_, at_ + 1)) {
      name = tokens_[at_ + 1].text;
      at_ += 2;
    }
    if (name == "sizeof" && comes("(")) return size_of(bracket());
    if (name == "true" || name == "false") return std::int64_t{name == "true"};
    if (name.ends_with("_cast") && comes("<")) {
      const std::size_t end = behind_angle(tokens_, at_);
      const auto type = type_in(tokens_.subspan(at_ + 1, end > at_ + 1 ? end - at_ - 2 : 0));
      at_ = std::max(end, at_ + 1);
      if (!comes("(") || !type) return {};
      return converted(inner(bracket()), *type);
    }
    const Macro* macro = context_.macros.find(name);
    if (macro != nullptr && (macro->parameters.has_value() == comes("("))) return expanded(*macro);
    if (comes("<") && behind_angle(tokens_, at_) > at_ &&
        is(tokens_, behind_angle(tokens_, at_), "("))
      at_ = behind_angle(tokens_, at_);
    if (comes(".") && is_word(tokens_, at_ + 1)) {
      const HostValue member =
          scope_.value(std::string(name) + "." + std::string(tokens_[at_ + 1].text));
      if (is_known(member)) {
        at_ += 2;
        return member;
      }
    }
    if (!comes("(")) return scope_.value(name);
    const CudaTokens list = bracket();
    if (name == "dim3") return extents(list);
    std::vector<HostValue> arguments;
    for (const CudaTokens& argument : listed(list)) arguments.push_back(inner(argument));
    if (arguments.size() == 1)
      if (const auto type = number_type(name, scope_, context_.macros))
        return converted(arguments[0], *type);
    if (name == "raw_pointer_cast" && arguments.size() == 1) return arguments[0];
    const HostValue known = known_function(name, arguments);
    return is_known(known) || !context_.call ? known : context_.call(name, arguments);
  }

  HostValue expanded(const Macro& macro) {
    if (!macro.parameters) return inner(macro.body);
    HostScope inside{.outer = &scope_};
    const std::vector<CudaTokens> arguments = listed(bracket());
    if (arguments.size() != macro.parameters->size()) return {};
    for (std::size_t i = 0; i < arguments.size(); ++i)
      inside.values.emplace((*macro.parameters)[i], inner(arguments[i]));
    return evaluated(macro.body, inside, context_, depth_ + 1);
  }

  [[nodiscard]] HostValue size_of(CudaTokens what) const {
    if (const auto type = type_in(what)) return bytes_of(*type);
    if (what.size() == 1) {
      const HostValue value = scope_.value(what[0].text);
      if (const auto* memory = std::get_if<MemoryName>(&value); memory != nullptr && context_.size)
        return context_.size(*memory, false);
      if (const auto number = number_type(scope_.type(what[0].text), scope_, context_.macros))
        return bytes_of(*number);
    }
    return {};
  }

  CudaTokens tokens_;
  const HostScope& scope_;
  const EvaluationContext& context_;
  int depth_;
  int nesting_ = 0;
  bool takes_address_ = false;  ///< `&` stands before what is read
  std::size_t at_ = 0;
};

}  // namespace

std::optional<NumberType> number_type(std::string_view spelling, const HostScope& scope,
                                      const Macros& macros) {
  std::string name = bare_type(spelling);
  for (int depth = 0; depth < kDeepestAlias && !name.empty(); ++depth) {
    if (const NumberType* known = find_number_type(name)) return *known;
    const HostValue bound = scope.value(name);
    const auto* type = std::get_if<TypeName>(&bound);
    const Macro* macro = macros.find(name);
    if (type != nullptr && type->bytes > 0)
      return NumberType{"", "u8", static_cast<int>(type->bytes / type->alignment),
                        static_cast<int>(type->alignment)};
    if (type != nullptr)
      name = bare_type(type->name);
    else if (macro != nullptr && !macro->parameters)
      name = bare_type(joined_text(macro->body));
    else
      break;
  }
  return std::nullopt;
}

HostValue evaluated(CudaTokens tokens, const HostScope& scope, const EvaluationContext& context,
                    int depth) {
  return Evaluation(tokens, scope, context, depth).run();
}

std::vector<CudaTokens> listed(CudaTokens tokens) {
  std::vector<CudaTokens> parts;
  if (tokens.empty()) return parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size();) {
    if (is(tokens, i, ",")) {
      parts.push_back(tokens.subspan(begin, i - begin));
      begin = ++i;
      continue;
    }
    const bool opens = is(tokens, i, "(") || is(tokens, i, "[") || is(tokens, i, "{");
    const bool is_arguments = is(tokens, i, "<") && i > 0 && is_word(tokens, i - 1);
    i = opens          ? behind_bracket(tokens, i)
        : is_arguments ? std::max(behind_angle(tokens, i), i + 1)
                       : i + 1;
  }
  parts.push_back(tokens.subspan(std::min(begin, tokens.size())));
  return parts;
}

std::size_t expression_end(CudaTokens tokens, std::size_t at) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> marks) {
    return std::ranges::any_of(marks, [&](auto mark) { return is(tokens, at, mark); });
  };
  while (at < tokens.size() && !is_one_of({",", ";", ")", "}", "]"}))
    at = is_one_of({"(", "[", "{"}) ? behind_bracket(tokens, at) : at + 1;
  return std::min(at, tokens.size());
}

}  // namespace jute::program
