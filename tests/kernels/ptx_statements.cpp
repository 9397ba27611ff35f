// Splits PTX text into statements.
#include "kernels/ptx_statements.hpp"

#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

namespace jute::test {
namespace {

using Place = std::array<int, 3>;  // file, line, column

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// Reads a body from left to right.
class Reader {
 public:
  Reader(const std::string& ptx, int file) : ptx_(ptx), file_(file) {}

  std::vector<Statement> read() {
    while (at_ < ptx_.size()) step();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool sees(std::string_view text) const {
    return ptx_.compare(at_, text.size(), text) == 0;
  }
  [[nodiscard]] size_t end_of_line() const { return std::min(ptx_.find('\n', at_), ptx_.size()); }

  void step() {
    if (depth_ == 0) return find_body();
    const char c = ptx_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (sees("//")) {
      if (sees("// begin inline asm")) is_word_ = true;
      if (sees("// end inline asm")) is_word_ = false;
      at_ = end_of_line();
    } else if (c == '{' || c == '}') {
      depth_ += c == '{' ? 1 : -1;
      ++at_;
    } else if (sees(".loc")) {
      read_place();
      at_ = end_of_line();
    } else if (const size_t label = label_end(); label != 0) {
      at_ = label;
    } else {
      read_statement();
    }
  }

  /// To behind the brace that opens the next kernel.
  void find_body() {
    const size_t entry = ptx_.find(".entry", at_);
    const size_t brace = entry == std::string::npos ? entry : ptx_.find('{', entry);
    at_ = brace == std::string::npos ? ptx_.size() : brace + 1;
    depth_ = 1;
  }

  [[nodiscard]] size_t label_end() const {
    size_t end = at_;
    while (end < ptx_.size() && is_name(ptx_[end])) ++end;
    return end > at_ && end < ptx_.size() && ptx_[end] == ':' ? end + 1 : 0;
  }

  /// `.loc file line column[, function_name name, inlined_at file line column]`
  void read_place() {
    std::string text = ptx_.substr(at_, end_of_line() - at_);
    for (char& c : text)
      if (c == ',') c = ' ';
    std::istringstream in(text);
    std::string word;
    Place place{}, caller{};
    in >> word >> place[0] >> place[1] >> place[2];
    while (in >> word)
      if (word == "inlined_at") in >> caller[0] >> caller[1] >> caller[2];
    if (caller[0] != 0) callers_[place] = caller;
    for (int i = 0; place[0] != file_ && i < 8; ++i) {
      const auto outer = callers_.find(place);
      if (outer == callers_.end()) break;
      place = outer->second;
    }
    line_ = place[0] == file_ ? place[1] : 0;
  }

  void read_statement() {
    Statement statement;
    statement.begin = at_;
    statement.end = at_ = std::min(ptx_.find(';', at_), ptx_.size());
    statement.line = line_;
    statement.is_word = is_word_;
    std::string text = ptx_.substr(statement.begin, statement.end - statement.begin);
    for (char& c : text)
      if (std::isspace(static_cast<unsigned char>(c)) != 0) c = ' ';
    size_t at = 0;
    const auto take_word = [&] {
      const size_t from = text.find_first_not_of(' ', at);
      if (from == std::string::npos) return std::string();
      at = std::min(text.find(' ', from), text.size());
      return text.substr(from, at - from);
    };
    statement.opcode = take_word();
    if (statement.opcode.starts_with("@")) {
      statement.guard = statement.opcode;
      statement.opcode = take_word();
    }
    split_operands(text.substr(at), statement.operands);
    ++at_;
    if (!statement.opcode.starts_with(".")) found_.push_back(std::move(statement));
  }

  static void split_operands(const std::string& text, std::vector<std::string>& operands) {
    int depth = 0;
    std::string operand;
    const auto finish = [&] {
      const size_t first = operand.find_first_not_of(' '), last = operand.find_last_not_of(' ');
      if (first != std::string::npos) operands.push_back(operand.substr(first, last - first + 1));
      operand.clear();
    };
    for (const char c : text) {
      if (c == '{' || c == '[' || c == '(') ++depth;
      if (c == '}' || c == ']' || c == ')') --depth;
      if (c == ',' && depth == 0)
        finish();
      else
        operand += c;
    }
    finish();
  }

  const std::string& ptx_;
  int file_;
  size_t at_ = 0;
  int depth_ = 0, line_ = 0;
  bool is_word_ = false;
  std::map<Place, Place> callers_;
  std::vector<Statement> found_;
};

/// The number that `.file` gives to a name.
int file_number(const std::string& ptx, const std::string& file) {
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    const size_t name = line.find(file + "\"");
    const size_t directive = line.find(".file");
    if (directive == std::string::npos || name == std::string::npos) continue;
    if (line[name - 1] == '"' || line[name - 1] == '/')
      return std::stoi(line.substr(directive + 5));
  }
  return 0;
}

}  // namespace

std::vector<Statement> statements(const std::string& ptx, const std::string& file) {
  return Reader(ptx, file_number(ptx, file)).read();
}

std::string to_string(const Statement& statement) {
  std::string text = statement.guard.empty() ? "" : statement.guard + " ";
  text += statement.opcode;
  for (size_t i = 0; i < statement.operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + statement.operands[i];
  return text;
}

}  // namespace jute::test
