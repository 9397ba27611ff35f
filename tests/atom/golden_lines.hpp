#pragma once
// Reads tests/golden/*.jsonl: one flat JSON object a line; a nested object's keys get a prefix.
#include <cctype>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

/// Key -> text: strings without quotes and escapes, other values as written ("null", "true", "12").
using GoldenLine = std::map<std::string, std::string>;

class GoldenReader {
 public:
  explicit GoldenReader(std::string_view text) : text_(text) {}
  GoldenLine read() {
    object("");
    return std::move(line_);
  }

 private:
  void object(const std::string& prefix) {
    expect('{');
    while (!take('}')) {
      const std::string key = prefix + string();
      expect(':');
      if (peek() == '{') {
        object(key + ".");
      } else {
        line_[key] = peek() == '"' ? string() : bare();
      }
      take(',');
    }
  }
  std::string string() {
    expect('"');
    std::string value;
    while (text_.at(at_) != '"') {
      if (text_[at_] == '\\') ++at_;
      value += text_.at(at_++);
    }
    ++at_;
    return value;
  }
  std::string bare() {
    std::string value;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (depth == 0 && (text_[at_] == ',' || text_[at_] == '}')) break;
      if (text_[at_] == ']') --depth;
      value += text_[at_];
    }
    return value;
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) throw std::runtime_error("bad golden line: " + std::string(text_));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  GoldenLine line_;
};

inline std::vector<GoldenLine> golden_lines(const std::string& file) {
  std::ifstream in(std::string(JUTE_SOURCE_DIR) + "/tests/golden/" + file);
  if (!in) throw std::runtime_error("no golden file " + file);
  std::vector<GoldenLine> lines;
  for (std::string text; std::getline(in, text);) lines.push_back(GoldenReader(text).read());
  return lines;
}

}  // namespace jute::test
