// Follows the declarations and statements of CUDA as kernels have it.
#include "support/kernel_reader.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "support/kernel_expressions.hpp"

namespace jute::test {
namespace {

class Reader {
 public:
  /// `settled`: variables, by the tokens that declare them, which nothing changes.
  Reader(const std::vector<KernelToken>& tokens, std::set<std::size_t> settled)
      : in_{tokens}, scopes_(tokens), settled_(std::move(settled)) {}

  KernelScopes read() && {
    scopes_.open(0, false);
    while (!in_.is_at_end()) outer();
    scopes_.close(in_.at);
    return std::move(scopes_);
  }

 private:
  using Kind = KernelToken::Kind;

  // -- declarations
  void parameters() {
    std::size_t end = in_.at;
    int depth = 0, angle = 0;
    do {
      const std::string& sign = in_.tokens[end].text;
      if (sign == "(") ++depth;
      if (sign == ")") --depth;
      ++end;
    } while (depth > 0);
    bool is_plain = true;
    std::size_t words = 0, last = 0;
    for (std::size_t i = in_.at + 1; i < end; ++i) {
      const KernelToken& token = in_.tokens[i];
      if (token.text == "<") ++angle;
      if (token.text == ">") --angle;
      if (angle > 0) continue;
      if (token.kind == Kind::name) ++words, last = i;
      if (token.text == "&" || token.text == "[") is_plain = false;
      if (token.text != "," && i + 1 != end) continue;
      if (words > 1 && !is_type_word(in_.tokens[last].text) && !(in_.tokens[i - 1].text == "&"))
        (void)scopes_.declare(last, is_plain, {});
      is_plain = true;
      words = 0;
    }
    in_.at = end;
  }
  [[nodiscard]] bool begins_declaration() const {
    std::size_t i = in_.at;
    bool has_type = false;
    for (; i < in_.tokens.size() &&
           (is_type_word(in_.tokens[i].text) || in_.tokens[i].text == "constexpr" ||
            in_.tokens[i].text == "static" || in_.tokens[i].text == "volatile");
         ++i)
      has_type = true;
    if (has_type) return true;
    if (in_.tokens[i].kind != Kind::name || in_.tokens[i].text == "typename") return false;
    ++i;
    while (in_.tokens[i].text == "::") i += 2;
    if (in_.tokens[i].text == "<") {
      int depth = 0;
      for (; i < in_.tokens.size(); ++i) {
        if (in_.tokens[i].text == "<") ++depth;
        if (in_.tokens[i].text == ">" && --depth == 0) break;
        if (in_.tokens[i].text == ";" || in_.tokens[i].text == "(") return false;
      }
      ++i;
    }
    while (in_.tokens[i].text == "*" || in_.tokens[i].text == "&" || in_.tokens[i].text == "const")
      ++i;
    if (in_.tokens[i].kind != Kind::name) return false;
    const std::string& next = in_.tokens[i + 1].text;
    return next == "=" || next == ";" || next == "," || next == "[" || next == "{" || next == "(";
  }
  void declaration() {
    bool is_constant = false, is_whole = true;
    const std::size_t known = scopes_.faults.size();
    bool is_number = false;
    // The type: all but the last name ahead of what follows a declarator.
    for (;;) {
      if (in_.is("const") || in_.is("constexpr")) is_constant = true;
      if (in_.is("constexpr")) is_number = true;  // how it is computed is no branch
      if (in_.is("float") || in_.is("double")) is_whole = false;
      if (in_.is("<")) {
        const std::size_t first = in_.at;
        in_.skip_template();
        for (std::size_t i = first; i < in_.at; ++i)
          if (in_.tokens[i].kind == Kind::name) (void)scopes_.use(i, false);
        continue;
      }
      if (in_.is("__align__") || in_.is("alignas")) {
        ++in_.at;
        in_.skip_group();
        continue;
      }
      const bool is_declarator =
          in_.is_name() && (in_.is("=", 1) || in_.is(";", 1) || in_.is(",", 1) || in_.is("[", 1) ||
                            in_.is("{", 1) || in_.is("(", 1) || in_.is(":", 1));
      if (in_.is("*") || in_.is("&") || is_declarator) break;
      ++in_.at;
    }
    do {
      bool is_plain = true, is_pointer = false, is_const = is_constant;
      for (; in_.is("*") || in_.is("&") || in_.is("const"); ++in_.at) {
        if (in_.is("&")) is_plain = false;
        if (in_.is("*")) is_pointer = true, is_const = false;
        if (in_.is("const")) is_const = true;
      }
      const std::size_t place = in_.at++;
      while (in_.is("[")) {
        is_plain = false;
        values_.list("[", "]");
      }
      Value value;
      if (in_.take("="))
        value = values_.assignment();
      else if (in_.is("("))
        values_.arguments();
      else if (in_.is("{"))
        values_.list("{", "}");
      const bool is_known =
          is_whole && is_plain && !is_pointer && (is_const || settled_.contains(place));
      scopes_.declare(place, is_plain, is_known ? value : Value()).is_literal =
          in_.at == place + 3 && in_.tokens[place + 2].kind == Kind::number;
    } while (in_.take(","));
    (void)in_.take(";");
    if (is_number)
      scopes_.faults.erase(
          std::remove_if(
              scopes_.faults.begin() + static_cast<std::ptrdiff_t>(known), scopes_.faults.end(),
              [](const std::string& one) { return one.find(" branch: ") != std::string::npos; }),
          scopes_.faults.end());
  }

  void lambda() {
    const int outer = scopes_.enter_function();
    scopes_.open(in_.at, true);
    if (in_.is("(")) parameters();
    if (in_.take("->")) ++in_.at;
    block();
    scopes_.close(in_.at);
    scopes_.leave_function(outer);
  }

  // -- statements
  void block() {
    (void)in_.take("{");
    while (!in_.is_at_end() && !in_.is("}")) statement();
    (void)in_.take("}");
  }
  void inner(bool repeats) {
    scopes_.open(in_.at, repeats);
    in_.is("{") ? block() : statement();
    scopes_.close(in_.at);
  }
  void condition(std::string_view word) {
    (void)in_.take("(");
    const std::size_t start = in_.at;
    values_.is_statement = false;
    if (const Value value = values_.expression())
      scopes_.find("branch", std::string(word) + " " + in_.told(start), in_.line());
    (void)in_.take(")");
  }
  /// How often a loop comes round, as far as that is known.
  void loop() {
    (void)in_.take("(");
    scopes_.open(in_.at, false);
    const std::size_t first = in_.at;
    if (!in_.take(";")) {
      if (begins_declaration())
        declaration();
      else
        (void)values_.expression(), (void)in_.take(";");
    }
    for (auto& [name, variable] : scopes_.innermost()) variable.is_counter = true;
    const Value from = value_of_first(first);
    const std::size_t start = in_.at;
    values_.is_statement = false;
    Value more = in_.is(";") ? Value() : values_.expression();
    const std::size_t end_of_condition = in_.at;
    (void)in_.take(";");
    if (more && *more == 0) scopes_.find("branch", "for " + in_.told(start), in_.line());
    // One round: from + step is past the end.
    bool is_once = false;
    const KernelVariable* const bound =
        end_of_condition == start + 3 ? scopes_.look_up(in_.tokens[start + 2].text) : nullptr;
    const bool is_named = bound != nullptr && bound->is_literal && bound->function != 0;
    if (from && is_named && in_.tokens[start + 1].text == "<")
      if (const Value end = value_between(start + 2, end_of_condition)) {
        const Value step = step_of_loop();
        is_once = step && *from < *end && *from + *step >= *end;
        if (*from >= *end) scopes_.find("branch", "for " + in_.told(start), in_.line());
      }
    scopes_.repeat_innermost(!is_once);
    values_.is_statement = false;
    if (!in_.is(")")) (void)values_.expression();
    (void)in_.take(")");
    inner(false);
    scopes_.close(in_.at);
  }
  Value value_between(std::size_t from, std::size_t to) {
    const std::size_t before = in_.at;
    const std::size_t kept = scopes_.faults.size();
    in_.at = from;
    const Value value = values_.binary(1);
    const bool is_all = in_.at == to;
    scopes_.faults.resize(kept);
    in_.at = before;
    return is_all ? value : Value();
  }
  /// `int i = 0;` at `first`: 0.
  Value value_of_first(std::size_t from) {
    for (std::size_t i = from; i < in_.at; ++i)
      if (in_.tokens[i].text == "=") return value_between(i + 1, in_.at - 1);
    return {};
  }
  /// `++i` or `i += 2` ahead.
  Value step_of_loop() {
    if (in_.is("++")) return 1;
    if (in_.is_name() && in_.is("+=", 1)) {
      std::size_t end = in_.at + 2;
      while (in_.tokens[end].text != ")") ++end;
      return value_between(in_.at + 2, end);
    }
    return {};
  }
  void assembly() {
    (void)in_.take("volatile");
    (void)in_.take("(");
    while (!in_.is_at_end() && !in_.is(")")) {
      if (in_.is("(")) {
        ++in_.at;
        if (in_.is_name()) scopes_.may_change(in_.text());
        (void)values_.expression();
        (void)in_.take(")");
      } else {
        ++in_.at;
      }
    }
    (void)in_.take(")");
    (void)in_.take(";");
  }
  void statement() {
    values_.is_statement = true;
    if (in_.is("{")) return inner(false);
    if (in_.take(";")) return;
    if (in_.take("if")) {
      (void)in_.take("constexpr");
      condition("if");
      inner(false);
      if (in_.take("else")) inner(false);
      return;
    }
    if (in_.take("for")) return loop();
    if (in_.take("while")) {
      scopes_.open(in_.at, true);
      condition("while");
      inner(false);
      return scopes_.close(in_.at);
    }
    if (in_.take("do")) {
      scopes_.open(in_.at, true);
      inner(false);
      (void)in_.take("while");
      condition("while");
      scopes_.close(in_.at);
      return void(in_.take(";"));
    }
    if (in_.take("switch")) {
      (void)in_.take("(");
      (void)values_.expression();
      (void)in_.take(")");
      return inner(false);
    }
    if (in_.take("case")) return (void)values_.expression(), void(in_.take(":"));
    if (in_.is("default") || in_.is("break") || in_.is("continue")) return void(in_.at += 2);
    if (in_.take("return")) {
      values_.is_statement = false;
      if (!in_.is(";")) (void)values_.expression();
      return void(in_.take(";"));
    }
    if (in_.is("typedef") || in_.is("struct") || in_.is("union"))
      return in_.skip_to(";"), void(in_.take(";"));
    if (in_.take("asm")) return assembly();
    if (in_.is("extern")) ++in_.at;
    if (in_.is("__shared__") || begins_declaration()) return declaration();
    (void)values_.expression();
    (void)in_.take(";");
  }
  /// A declaration of the outer level.
  void outer() {
    if (in_.take("template")) {
      return in_.skip_template();
    }
    if (in_.is("typedef")) return in_.skip_to(";"), void(in_.take(";"));
    if (in_.is("struct") || in_.is("union")) return in_.skip_to(";"), void(in_.take(";"));
    if (in_.is("constexpr")) return declaration();
    // A function: its parameters are the last brackets ahead of its body.
    std::size_t brackets = 0;
    while (!in_.is_at_end() && !in_.is("{") && !in_.is(";")) {
      if (in_.is("(")) brackets = in_.at;
      in_.is("(") ? in_.skip_group() : void(++in_.at);
    }
    if (in_.take(";") || brackets == 0 || in_.is_at_end()) return;
    const std::size_t body = in_.at;
    const int outer = scopes_.enter_function();
    scopes_.open(in_.at, false);
    in_.at = brackets;
    parameters();
    in_.at = body;
    block();
    scopes_.close(in_.at);
    scopes_.leave_function(outer);
  }

  KernelCursor in_;
  KernelScopes scopes_;
  KernelExpressions values_{in_, scopes_, [this] { lambda(); }};
  std::set<std::size_t> settled_;
};

}  // namespace

std::vector<std::string> text_faults(const std::string& kernel) {
  const std::vector<KernelToken> tokens = kernel_tokens(kernel);
  const KernelScopes once = Reader(tokens, {}).read();
  std::set<std::size_t> settled;
  std::ranges::set_difference(once.declared, once.changed, std::inserter(settled, settled.end()));
  return Reader(tokens, settled).read().faults;
}

}  // namespace jute::test
