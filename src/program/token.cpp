// Cuts CUDA texts into tokens.
#include "program/token.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace jute::program {
namespace {

constexpr std::array<std::string_view, 22> kLongMarks{
    "<<<", "<<=", "::", "->", "<<", "<=", ">=", "==", "!=", "&&", "||",
    "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool goes_on_word(char c) {
  return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool opens(char c) { return c == '(' || c == '{' || c == '['; }
bool closes(char c) { return c == ')' || c == '}' || c == ']'; }

/// One conditional: what its first branch does to the depth of brackets.
struct Conditional {
  int depth_before = 0;
  std::optional<int> first_change;  ///< once the first branch has ended
  std::size_t branch_begin = 0;     ///< the count of tokens where the branch began
  bool is_dead = false;             ///< the branch that stands behind `#if 0`
};

class Cutter {
 public:
  /// Without directives a `#` is a mark like others.
  explicit Cutter(std::string_view text, bool has_directives = true)
      : text_(text), has_directives_(has_directives) {}

  CutText run() {
    if (comes("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) step();
    return std::move(result_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool comes(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      begins_line_ = true;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
      ++at_;
    } else if (comes("//")) {
      skip_line();
    } else if (comes("/*")) {
      at_ = std::min(text_.size(), text_.find("*/", at_ + 2));
      at_ = std::min(text_.size(), at_ + 2);
    } else if (c == '#' && begins_line_ && has_directives_) {
      directive();
    } else {
      begins_line_ = false;
      token();
    }
  }

  /// To the line feed that no backslash stands before.
  void skip_line() {
    while (at_ < text_.size() && peek() != '\n') {
      if (peek() == '\\' && peek(1) == '\r' && peek(2) == '\n') ++at_;
      at_ +=
          peek() == '\\' || (peek() == '\r' && peek(1) == '\n' && text_[at_ - 1] == '\\') ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
  }

  void directive() {
    const std::size_t begin = at_;
    skip_line();
    const std::string_view line = text_.substr(begin, at_ - begin);
    result_.directives.push_back({line, begin});
    const std::vector<CudaToken> words = tokens_of(line.substr(1));
    if (words.empty()) return;
    const std::string_view name = words[0].text;
    if (name == "if" && words.size() == 2 && (words[1].text == "0" || words[1].text == "false")) {
      conditionals_.push_back({depth_, std::nullopt, result_.tokens.size(), true});
      skip_dead_branch();
    } else if (name == "if" || name == "ifdef" || name == "ifndef") {
      conditionals_.push_back({depth_, std::nullopt, result_.tokens.size()});
    } else if (name == "else" || name == "elif") {
      end_branch();
    } else if (name == "endif" && !conditionals_.empty()) {
      end_branch();
      const Conditional& last = conditionals_.back();
      depth_ = last.depth_before + last.first_change.value_or(0);
      conditionals_.pop_back();
    }
  }

  void end_branch() {
    if (conditionals_.empty()) return;
    Conditional& last = conditionals_.back();
    const int change = depth_ - last.depth_before;
    if (std::exchange(last.is_dead, false)) return;
    if (!last.first_change)
      last.first_change = change;
    else if (change != 0 || *last.first_change != 0)
      result_.tokens.resize(last.branch_begin);
    depth_ = last.depth_before;
    last.branch_begin = result_.tokens.size();
  }

  /// Up to the line that ends the branch of `#if 0`, which is a branch without tokens.
  void skip_dead_branch() {
    int inside = 0;
    while (at_ < text_.size()) {
      const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, line_end - at_);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.starts_with('#')) {
        const std::vector<CudaToken> words = tokens_of(line.substr(1));
        const std::string_view name = words.empty() ? std::string_view() : words[0].text;
        if (inside == 0 && (name == "else" || name == "elif" || name == "endif")) {
          // The first branch that counts begins here.
          begins_line_ = true;
          return;
        }
        if (name.starts_with("if")) ++inside;
        if (name == "endif") --inside;
      }
      at_ = std::min(line_end + 1, text_.size());
    }
  }

  void token() {
    const std::size_t begin = at_;
    CudaTokenKind kind = CudaTokenKind::mark;
    if (is_literal()) {
      kind = CudaTokenKind::text;
    } else if (starts_word(peek())) {
      kind = CudaTokenKind::word;
      while (goes_on_word(peek())) ++at_;
    } else if (std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
               (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0)) {
      kind = CudaTokenKind::number;
      number();
    } else {
      mark();
    }
    const bool is_launch = opens_launch(begin);
    result_.tokens.push_back({kind, is_launch ? "<<<" : text_.substr(begin, at_ - begin), begin});
  }

  /// `<< <`, as some write it; takes the last angle along.
  bool opens_launch(std::size_t begin) {
    if (text_.substr(begin, at_ - begin) != "<<") return false;
    const std::size_t next = text_.find_first_not_of(" \t", at_);
    if (next == std::string_view::npos || text_[next] != '<') return false;
    at_ = next + 1;
    return true;
  }

  void number() {
    while (goes_on_word(peek()) || peek() == '.' || (peek() == '\'' && goes_on_word(peek(1)))) {
      const bool is_exponent = peek() == 'e' || peek() == 'E' || peek() == 'p' || peek() == 'P';
      ++at_;
      const bool is_hex = text_[at_ - 1] == 'e' && text_.substr(0, at_).ends_with("0xe");
      if (is_exponent && !is_hex && (peek() == '+' || peek() == '-')) ++at_;
    }
  }

  void mark() {
    const auto found = std::ranges::find_if(kLongMarks, [&](auto mark) { return comes(mark); });
    if (found == kLongMarks.end()) {
      depth_ += opens(peek()) ? 1 : closes(peek()) ? -1 : 0;
      ++at_;
    } else {
      at_ += found->size();
    }
  }

  /// Takes a string or character with its prefix; else nothing is taken.
  bool is_literal() {
    std::size_t at = at_;
    while (at < text_.size() && at - at_ < 3 && starts_word(text_[at])) ++at;
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return false;
    const std::string_view prefix = text_.substr(at_, at - at_);
    constexpr std::array<std::string_view, 10> kPrefixes{"",   "R",  "L",   "u",  "U",
                                                         "u8", "LR", "u8R", "uR", "UR"};
    if (std::ranges::find(kPrefixes, prefix) == kPrefixes.end()) return false;
    if (prefix.ends_with('R') && text_[at] == '"') {
      const std::size_t open = text_.find('(', at);
      if (open == std::string_view::npos || open - at > 17) return false;
      const std::string close = ")" + std::string(text_.substr(at + 1, open - at - 1)) + "\"";
      const std::size_t end = text_.find(close, open);
      at_ = end == std::string_view::npos ? text_.size() : end + close.size();
      return true;
    }
    const char quote = text_[at];
    for (++at; at < text_.size() && text_[at] != quote && text_[at] != '\n'; ++at)
      if (text_[at] == '\\') ++at;
    at_ = std::min(at + 1, text_.size());
    return true;
  }

  std::string_view text_;
  bool has_directives_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
  int depth_ = 0;
  std::vector<Conditional> conditionals_;
  CutText result_;
};

}  // namespace

CutText cut(std::string_view text) { return Cutter(text).run(); }

std::vector<CudaToken> tokens_of(std::string_view text) { return Cutter(text, false).run().tokens; }

bool is(CudaTokens tokens, std::size_t index, std::string_view text) {
  return index < tokens.size() && tokens[index].kind != CudaTokenKind::text &&
         tokens[index].text == text;
}

bool is_word(CudaTokens tokens, std::size_t index) {
  return index < tokens.size() && tokens[index].kind == CudaTokenKind::word;
}

std::size_t behind_bracket(CudaTokens tokens, std::size_t index) {
  int depth = 0;
  for (; index < tokens.size(); ++index) {
    if (tokens[index].kind != CudaTokenKind::mark) continue;
    const char c = tokens[index].text.front();
    if (opens(c)) ++depth;
    if (closes(c) && --depth <= 0) return index + 1;
  }
  return tokens.size();
}

std::size_t behind_angle(CudaTokens tokens, std::size_t index) {
  int depth = 0;
  for (std::size_t at = index; at < tokens.size();) {
    if (is(tokens, at, "<")) ++depth;
    if (is(tokens, at, ">") && --depth == 0) return at + 1;
    const bool is_bracket =
        tokens[at].kind == CudaTokenKind::mark && opens(tokens[at].text.front());
    if (is(tokens, at, ";") || is(tokens, at, "{") || is(tokens, at, "<<<") ||
        (tokens[at].kind == CudaTokenKind::mark && closes(tokens[at].text.front())))
      return index;
    at = is_bracket ? behind_bracket(tokens, at) : at + 1;
  }
  return index;
}

std::string joined_text(CudaTokens tokens) {
  std::string text;
  const auto is_wordlike = [](const CudaToken& token) { return token.kind != CudaTokenKind::mark; };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && is_wordlike(tokens[i - 1]) && is_wordlike(tokens[i])) text += ' ';
    text += tokens[i].text;
    if (tokens[i].text == ",") text += ' ';
  }
  return text;
}

}  // namespace jute::program
