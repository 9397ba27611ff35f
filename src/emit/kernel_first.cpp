// Takes a text apart at its outer level, and puts together what its kernel reaches.
#include <jute/emit/kernel_first.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emit/names.hpp"

namespace jute {
namespace {

enum class Kind : std::uint8_t { type, number, function, kernel };

/// A declaration of the outer level, with what is said of it.
struct OuterPart {
  Kind kind = Kind::type;
  std::string_view name, code;
  std::string_view section;      ///< of a function: `// ---- A: where it is copied from ----`
  std::string_view heading;      ///< of the piece, or of the group of numbers, that it belongs to
  std::string_view comment;      ///< its own
  bool is_apart = false;         ///< an empty line stands before it, …
  bool is_headed_apart = false;  ///< … before its heading
  bool is_reached = false;
  bool is_early = false;  ///< a type or a number, or a function that one of them calls
};

constexpr std::string_view kSection = "// ---- ";

/// `// prelude/tma.cu (load): a box for this block.`
bool opens_piece(std::string_view line) {
  if (!line.starts_with("// ")) return false;
  line.remove_prefix(3);
  return line.substr(0, line.find_first_of(": \n")).ends_with(".cu");
}

/// The code behind the line of an `#if`.
std::string_view without_condition(std::string_view code) {
  return code.starts_with("#if") ? code.substr(code.find('\n') + 1) : code;
}

/// The declaration behind `template <class Elem, int kElems>`.
std::string_view without_template(std::string_view code) {
  if (!code.starts_with("template")) return code;
  int depth = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '<') ++depth;
    if (code[at] != '>' || --depth != 0) continue;
    const size_t next = code.find_first_not_of(" \n", at + 1);
    return next == std::string_view::npos ? std::string_view() : code.substr(next);
  }
  return {};
}

/// The name that a text ends with.
std::string_view last_name(std::string_view text) {
  while (!text.empty() && !emit::is_of_name(text.back())) text.remove_suffix(1);
  size_t start = text.size();
  while (start > 0 && emit::is_of_name(text[start - 1])) --start;
  return text.substr(start);
}

void name_part(OuterPart& part) {
  const std::string_view code = without_template(without_condition(part.code));
  const auto named = [&](Kind kind, std::string_view name) {
    part.kind = kind;
    part.name = name;
  };
  if (part.code.find("__global__") != std::string_view::npos) return named(Kind::kernel, {});
  if (code.starts_with("constexpr "))
    return named(Kind::number, last_name(code.substr(0, code.find(" = "))));
  if (code.starts_with("typedef ")) return named(Kind::type, last_name(code));
  if (!code.starts_with("struct ") && !code.starts_with("union "))
    return named(Kind::function, last_name(code.substr(0, code.find('('))));
  std::string_view name = code.substr(code.find(' ') + 1);
  if (name.starts_with("alignas(")) name.remove_prefix(name.find(") ") + 2);
  named(Kind::type,
        name.substr(0, static_cast<size_t>(std::ranges::find_if_not(name, emit::is_of_name) -
                                           name.begin())));
}

/// How many brackets a line of code opens more than it closes.
int opened_by(std::string_view line) {
  int depth = 0;
  for (const char c : emit::without_comment(line)) {
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
  }
  return depth;
}

bool ends_declaration(std::string_view line) {
  const std::string_view code = emit::without_comment(line);
  const size_t last = code.find_last_not_of(" \n");
  return last != std::string_view::npos && (code[last] == ';' || code[last] == '}');
}

/// Reads a text's parts line by line.
class OuterParts {
 public:
  explicit OuterParts(std::string_view text) {
    emit::for_each_line(text, [&](std::string_view line) { take(line); });
  }
  /// Do declarations end where the text does? The banner goes ahead of them.
  [[nodiscard]] bool is_whole() const { return depth_ == 0 && conditions_ == 0 && code_.empty(); }
  [[nodiscard]] std::string_view banner() const { return banner_; }
  [[nodiscard]] std::vector<OuterPart>& all() { return parts_; }

 private:
  void take(std::string_view line) {
    const bool is_empty = line == "\n";
    if (!code_.empty() || !(is_empty || line.starts_with("//"))) return take_code(line);
    if (is_empty) {
      // The first comment of a text says what the whole of it is.
      if (parts_.empty() && banner_.empty()) banner_ = said_;
      said_ = {};
      is_apart_ = true;
    } else {
      said_ = together(said_, line);
    }
  }
  void take_code(std::string_view line) {
    code_ = together(code_, line);
    depth_ += opened_by(line);
    if (line.starts_with("#if")) ++conditions_;
    const bool ends_condition = line.starts_with("#endif") && --conditions_ == 0;
    if (depth_ != 0 || conditions_ != 0 || !(ends_condition || ends_declaration(line))) return;
    OuterPart part;
    part.code = code_;
    part.is_apart = is_apart_;
    name_part(part);
    say(part);
    parts_.push_back(part);
    code_ = said_ = {};
    is_apart_ = false;
  }
  /// Two texts that follow each other.
  static std::string_view together(std::string_view first, std::string_view next) {
    return first.empty() ? next : std::string_view(first.data(), first.size() + next.size());
  }
  /// Gives the part its comment, and the headings that it stands under.
  void say(OuterPart& part) {
    if (said_.starts_with(kSection)) {
      section_ = said_.substr(0, said_.find('\n') + 1);
      heading_ = {};
      said_.remove_prefix(section_.size());
    }
    if (opens_piece(said_)) {
      heading_ = first_sentence(said_);
      said_.remove_prefix(heading_.size());
      is_headed_apart_ = is_apart_;
    } else if (part.kind == Kind::number && !said_.empty()) {
      heading_ = said_;
      said_ = {};
      is_headed_apart_ = is_apart_;
    }
    if (part.kind == Kind::function) part.section = section_;
    part.heading = heading_;
    part.is_headed_apart = is_headed_apart_;
    part.comment = said_;
  }
  /// The lines up to the first that ends a sentence, or that is a path alone.
  static std::string_view first_sentence(std::string_view comment) {
    size_t length = 0;
    bool ends = false;
    emit::for_each_line(comment, [&](std::string_view line) {
      if (ends) return;
      length += line.size();
      ends = line.ends_with(".\n") || line.ends_with(".cu\n") || line.ends_with(")\n");
    });
    return comment.substr(0, length);
  }

  std::vector<OuterPart> parts_;
  std::string_view banner_, said_, code_, section_, heading_;
  bool is_apart_ = false, is_headed_apart_ = false;
  int depth_ = 0, conditions_ = 0;
};

/// Marks what is named, from one part to the next, by parts that are marked.
void reach(std::vector<OuterPart>& parts, bool OuterPart::*mark) {
  std::unordered_map<std::string_view, std::vector<OuterPart*>> named;
  std::vector<const OuterPart*> unread;
  for (OuterPart& part : parts) {
    named[part.name].push_back(&part);
    if (part.*mark) unread.push_back(&part);
  }
  while (!unread.empty()) {
    const std::string_view code = unread.back()->code;
    unread.pop_back();
    emit::for_each_line(code, [&](std::string_view line) {
      emit::for_each_name(emit::without_comment(line), [&](std::string_view name) {
        const auto found = named.find(name);
        if (found == named.end()) return;
        for (OuterPart* part : found->second)
          if (!(part->*mark)) unread.push_back(part), part->*mark = true;
      });
    });
  }
}

/// `__device__ __forceinline__ void arrive(unsigned barrier);`, under the function's own condition.
std::string signature_of(const OuterPart& function) {
  const std::string_view code = without_condition(function.code);
  const std::string_view head = code.substr(0, code.find('{'));
  const std::string signature(head.substr(0, head.find_last_not_of(" \n") + 1));
  if (code.size() == function.code.size()) return signature + ";\n";
  const std::string condition(function.code.substr(0, function.code.size() - code.size()));
  return condition + signature + ";\n#endif\n";
}

constexpr std::string_view kCalls = "\n// ---- What the kernel calls ----\n";
constexpr std::string_view kHow = "\n// ---- How it is done ----\n";

/// Puts parts under their headings, each of which is said where it changes.
class PartsText {
 public:
  void add(const OuterPart& part) {
    const bool is_new = part.heading != heading_ && !part.heading.empty();
    if (part.is_apart || (is_new && part.is_headed_apart) || part.section != section_) separate();
    if (part.section != section_) text_ += section_ = part.section;
    if (part.heading != heading_) text_ += heading_ = part.heading;
    text_ += part.comment;
    text_ += part.code;
  }
  void add(std::string_view lines) { text_ += lines; }
  /// The next lines are under no heading yet.
  void begin(std::string_view title) {
    section_ = heading_ = {};
    text_ += title;
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  void separate() {
    if (!text_.empty() && !text_.ends_with("\n\n") && !text_.ends_with(kHow)) text_ += '\n';
  }

  std::string text_;
  std::string_view section_, heading_;
};

/// Is the function named by the kernel itself?
std::vector<bool> called_by(std::string_view kernel, const std::vector<OuterPart>& parts) {
  std::unordered_map<std::string_view, bool> named;
  emit::for_each_line(kernel, [&](std::string_view line) {
    emit::for_each_name(emit::without_comment(line),
                        [&](std::string_view name) { named[name] = true; });
  });
  std::vector<bool> called;
  for (const OuterPart& part : parts)
    called.push_back(part.kind == Kind::function && !part.is_early && named.contains(part.name));
  return called;
}

}  // namespace

std::string kernel_first(const std::string& text) {
  OuterParts read(text);
  std::vector<OuterPart>& parts = read.all();
  const auto is_kernel = [](const OuterPart& part) { return part.kind == Kind::kernel; };
  if (!read.is_whole() || std::ranges::count_if(parts, is_kernel) != 1) return text;
  for (OuterPart& part : parts) part.is_reached = is_kernel(part);
  reach(parts, &OuterPart::is_reached);
  std::erase_if(parts, [](const OuterPart& part) { return !part.is_reached; });
  for (OuterPart& part : parts)
    part.is_early = part.kind == Kind::type || part.kind == Kind::number;
  reach(parts, &OuterPart::is_early);
  const OuterPart& kernel = *std::ranges::find_if(parts, is_kernel);
  const std::vector<bool> is_called = called_by(kernel.code, parts);
  PartsText result;
  if (!read.banner().empty()) result.add(std::string(read.banner()) + "\n");
  for (const OuterPart& part : parts)
    if (part.is_early) result.add(part);
  if (std::ranges::find(is_called, true) != is_called.end()) result.begin(kCalls);
  for (size_t i = 0; i < parts.size(); ++i)
    if (is_called[i]) result.add(signature_of(parts[i]));
  result.begin("\n");
  result.add(kernel);
  result.begin(kHow);
  for (const OuterPart& part : parts)
    if (part.kind == Kind::function && !part.is_early) result.add(part);
  return std::move(result).take();
}

}  // namespace jute
