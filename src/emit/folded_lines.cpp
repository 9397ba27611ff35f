// Finds where a long line may be cut, and cuts it where least is open.
#include <jute/emit/folded_lines.hpp>

#include <array>
#include <string_view>

#include "emit/names.hpp"

namespace jute {
namespace {

constexpr size_t kMost = 160;
constexpr std::array<std::string_view, 7> kOperators{" + ",  " ? ", " : ", " && ",
                                                     " || ", " | ", " << "};

/// A place at which a line ends: what is written there, and what the next line begins with.
struct Cut {
  size_t at = 0;
  int open = 0;  ///< brackets around it; a string counts as many of them
  bool in_string = false;
};

/// Follows brackets and strings along a line.
class Reader {
 public:
  void step(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '"') {
      in_string_ = !in_string_;
    } else if (in_string_) {
      is_escaped_ = c == '\\';
    } else {
      if (c == '(' || c == '{' || c == '[') ++open_;
      if (c == ')' || c == '}' || c == ']') --open_;
    }
  }
  /// May the line be cut ahead of this place?
  [[nodiscard]] bool may_cut(std::string_view line, size_t at) const {
    if (in_string_) return !is_escaped_ && line[at - 1] == ' ';
    if (line[at] != ' ') return false;
    if (line[at - 1] == ',' || line[at - 1] == ';') return true;
    if (line[at - 1] == ')' && open_ == 0) return true;
    for (const std::string_view sign : kOperators)
      if (line.substr(at).starts_with(sign)) return true;
    return false;
  }
  [[nodiscard]] Cut cut(size_t at) const {
    constexpr int kString = 8;
    return {at, open_ + (in_string_ ? kString : 0), in_string_};
  }

 private:
  int open_ = 0;
  bool in_string_ = false, is_escaped_ = false;
};

/// The last of the places around which least is open, in the line's second half; at 0: there is
/// none.
Cut best_cut(std::string_view line) {
  Cut best;
  Reader reader;
  for (size_t at = 0; at + 1 < line.size() && at < kMost; ++at) {
    if (at > kMost / 2 && reader.may_cut(line, at)) {
      const Cut cut = reader.cut(at);
      if (best.at == 0 || cut.open <= best.open) best = cut;
    }
    reader.step(line[at]);
  }
  return best;
}

std::string folded_code(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  const std::string next(indent + 4, ' ');
  std::string text, left(line);
  while (left.size() > kMost) {
    const Cut cut = best_cut(left);
    if (cut.at == 0) break;
    text += left.substr(0, cut.at) + (cut.in_string ? "\"\n" : "\n");
    const size_t rest = cut.in_string ? cut.at : left.find_first_not_of(' ', cut.at);
    left = next + (cut.in_string ? "\"" : "") + left.substr(rest);
  }
  return text + left;
}

std::string folded_comment(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  const std::string next = std::string(indent, ' ') + "//   ";
  std::string text, left(line);
  while (left.size() > kMost) {
    const size_t blank = left.rfind(' ', kMost);
    if (blank == std::string::npos || blank < next.size()) break;
    text += left.substr(0, blank) + "\n";
    left = next + left.substr(blank + 1);
  }
  return text + left;
}

std::string folded(std::string_view line) {
  const std::string_view code = emit::without_comment(line);
  if (code.find_first_not_of(' ') == std::string_view::npos) return folded_comment(line);
  if (code.size() == line.size()) return folded_code(line);
  const std::string indent(line.find_first_not_of(' '), ' ');
  const size_t end = code.find_last_not_of(' ') + 1;
  return folded_comment(indent + std::string(line.substr(code.size()))) + "\n" +
         folded_code(line.substr(0, end));
}

}  // namespace

std::string folded_lines(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  emit::for_each_line(text, [&](std::string_view line) {
    const bool is_ended = line.ends_with('\n');
    const std::string_view words = line.substr(0, line.size() - (is_ended ? 1 : 0));
    result += words.size() <= kMost ? std::string(words) : folded(words);
    if (is_ended) result += '\n';
  });
  return result;
}

}  // namespace jute
