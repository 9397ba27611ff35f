// Goes through an expression by how strongly its signs bind.
#include "support/kernel_expressions.hpp"

#include <set>

namespace jute::test {

using Kind = KernelToken::Kind;

bool is_type_word(std::string_view word) {
  static const std::set<std::string_view> kWords{"const",  "unsigned", "signed", "int",
                                                 "long",   "short",    "char",   "float",
                                                 "double", "bool",     "void",   "auto"};
  return kWords.contains(word);
}
Value KernelExpressions::expression() {
  Value value = assignment();
  while (in_.take(",")) value = assignment();
  return value;
}

Value KernelExpressions::assignment() {
  if (in_.is_name() && assigns(in_.text(1))) {
    const std::size_t place = in_.at;
    in_.at += 2;
    (void)assignment();
    (void)scopes_.use(place, true);
    return {};
  }
  const std::size_t start = in_.at;
  Value condition = binary(1);
  if (in_.take("?")) {
    if (condition) scopes_.find("branch", in_.told(start), in_.line());
    const Value first = assignment();
    (void)in_.take(":");
    const Value second = assignment();
    if (condition) return *condition != 0 ? first : second;
    return first && second && *first == *second ? first : Value();
  }
  if (assigns(in_.text())) {
    ++in_.at;
    (void)assignment();
    return {};
  }
  return condition;
}

Value KernelExpressions::binary(int least) {
  const std::size_t start = in_.at;
  Value left = unary();
  for (;;) {
    std::string sign(in_.text());
    if (sign == ">" && in_.is(">", 1)) sign = ">>";
    const int found = strength(sign);
    if (found < least || found == 0) return left;
    in_.at += sign == ">>" ? 2 : 1;
    const Value right = binary(found + 1);
    if (sign == "*" && ((left && *left == 0) || (right && *right == 0)))
      scopes_.find("zero", in_.told(start), in_.line());
    left = combined(sign, left, right);
  }
}

Value KernelExpressions::unary() {
  if (in_.is("++") || in_.is("--")) {
    ++in_.at;
    const bool is_alone = in_.is_name() && (in_.is(";", 1) || in_.is(")", 1)) && is_statement;
    if (in_.is_name() && strength(in_.text(1)) + int(in_.is(";", 1) || in_.is(")", 1)) > 0) {
      const std::size_t place = in_.at++;
      (void)scopes_.use(place, true);
      if (!is_alone) (void)scopes_.use(place, false);
      return {};
    }
    return unary();
  }
  for (const std::string_view sign : {"!", "~", "-", "+", "*", "&"})
    if (in_.take(sign)) {
      if (sign == "&" && in_.is_name()) scopes_.may_change(in_.text());
      const Value value = unary();
      if (!value || sign == "*" || sign == "&") return {};
      return sign == "!" ? *value == 0 : sign == "~" ? ~*value : sign == "-" ? -*value : *value;
    }
  if (in_.is("(") && is_type_word(in_.text(1))) {  // a cast
    in_.skip_group();
    return unary();
  }
  return behind(first());
}

std::size_t KernelExpressions::end_of_template() const {
  int depth = 0;
  for (std::size_t i = in_.at; i < in_.tokens.size(); ++i) {
    const std::string& sign = in_.tokens[i].text;
    if (sign == "<") ++depth;
    if (sign == ">") {
      if (--depth > 0) continue;
      const KernelToken& next = in_.tokens[i + 1];
      const bool goes_on = next.text == "(" || next.text == "{" || next.text == "::";
      return goes_on || next.kind == Kind::name || next.text == "*" || next.text == "&" ? i + 1 : 0;
    }
    const bool may_stand = in_.tokens[i].kind == Kind::name || in_.tokens[i].kind == Kind::number ||
                           sign == "<" || sign == "," || sign == "*" || sign == "::" ||
                           sign == "+" || sign == "/" || sign == "&";
    if (!may_stand) return 0;
  }
  return 0;
}

Value KernelExpressions::first() {
  if (in_.is_at_end()) return {};
  const KernelToken& token = in_.tokens[in_.at];
  if (token.kind == Kind::text) {
    while (!in_.is_at_end() && in_.tokens[in_.at].kind == Kind::text) ++in_.at;
    return {};
  }
  if (token.kind == Kind::number) {
    ++in_.at;
    if (token.text.find('.') != std::string::npos) return {};
    return static_cast<long long>(std::stoull(token.text, nullptr, 0));
  }
  if (in_.take("(")) {
    const Value value = expression();
    (void)in_.take(")");
    return value;
  }
  if (in_.is("[")) return lambda(), Value();
  if (in_.is("{")) return list("{", "}"), Value();
  if (token.kind != Kind::name) return ++in_.at, Value();
  const std::size_t place = in_.at++;
  while (in_.take("::")) ++in_.at;
  if (in_.is("<"))
    if (const std::size_t end = end_of_template(); end > 0) {
      while (in_.at < end) {
        if (in_.is_name()) (void)scopes_.use(in_.at, false);
        ++in_.at;
      }
      while (in_.is("*")) ++in_.at;
      return {};
    }
  if (token.text == "true" || token.text == "false") return token.text == "true";
  if (token.text == "sizeof") return in_.skip_group(), Value();
  return scopes_.use(place, false);
}

Value KernelExpressions::behind(Value value) {
  for (;;) {
    if (in_.is("(")) {
      arguments();
    } else if (in_.is("[")) {
      list("[", "]");
    } else if (in_.is(".") || in_.is("->")) {
      in_.at += 2;
    } else if (in_.is("++") || in_.is("--")) {
      const std::size_t name = in_.at - 1;
      ++in_.at;
      if (in_.tokens[name].kind == Kind::name) (void)scopes_.use(name, true);
    } else if (in_.is("{") && in_.tokens[in_.at - 1].kind == Kind::name) {
      list("{", "}");
    } else {
      return value;
    }
    value = {};
  }
}

void KernelExpressions::list(std::string_view from, std::string_view to) {
  (void)in_.take(from);
  while (!in_.is_at_end() && !in_.is(to)) {
    (void)assignment();
    if (!in_.take(",") && !in_.is(to)) ++in_.at;
  }
  (void)in_.take(to);
}

void KernelExpressions::arguments() {
  (void)in_.take("(");
  while (!in_.is_at_end() && !in_.is(")")) {
    if (in_.is_name() && (in_.is(",", 1) || in_.is(")", 1))) scopes_.may_change(in_.text());
    (void)assignment();
    if (!in_.take(",") && !in_.is(")")) ++in_.at;
  }
  (void)in_.take(")");
}

void KernelExpressions::lambda() {
  in_.skip_group();  // what it captures
  const bool was_statement = is_statement;
  body_();
  is_statement = was_statement;
}

}  // namespace jute::test
