// Follows a text from its first line to its last: who gives what, who needs it.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emit/interface.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/format.hpp"
#include "emit/declaration.hpp"
#include "emit/names.hpp"

namespace jute {
namespace {

using emit::Aliases;
using emit::for_each_line;
using emit::trimmed;

constexpr std::string_view kNeeds = "//   needs: ", kGives = "//   gives: ";

bool is_interface(std::string_view line) {
  return line.starts_with(kNeeds) || line.starts_with(kGives);
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

/// The name that opens a piece: `// kernel/raster.cu: …`, `// copy/load.cu (k_major): …`; otherwise
/// nothing.
std::string_view opened_piece(std::string_view line) {
  if (!line.starts_with("// ")) return {};
  line.remove_prefix(3);
  const size_t end = std::min(line.find_first_of(": "), line.size());
  if (!line.substr(0, end).ends_with(".cu")) return {};
  const bool is_one_of_several = line.substr(end).starts_with(" (");
  return line.substr(0, is_one_of_several ? line.find("):") + 1 : end);
}

/// The names that are declared and not yet out of scope.
class Scope {
 public:
  struct Given {
    Declaration declaration;
    std::string giver;
    int depth = 0;
  };

  void give(Declaration declaration, std::string_view giver) {
    std::vector<Given>& list = given_[declaration.name];
    order_.push_back(declaration.name);
    list.push_back({std::move(declaration), std::string(giver), depth_});
  }
  /// All of the name that can be seen, the last one last.
  [[nodiscard]] const std::vector<Given>& find(const std::string& name) const {
    static const std::vector<Given> kNone;
    const auto found = given_.find(name);
    return found == given_.end() ? kNone : found->second;
  }
  void follow_braces(std::string_view code) {
    for (const char letter : code) {
      if (letter == '{') ++depth_;
      if (letter == '}') leave();
    }
  }

 private:
  void leave() {
    --depth_;
    while (!order_.empty()) {
      std::vector<Given>& list = given_[order_.back()];
      if (list.back().depth <= depth_) return;
      list.pop_back();
      order_.pop_back();
    }
  }

  int depth_ = 0;
  std::vector<std::string> order_;
  std::unordered_map<std::string, std::vector<Given>> given_;
};

/// A variable may be a constant of the kernel.
bool meets(const Declaration& given, const Declaration& need) {
  const bool is_kind = given.kind == need.kind || (given.kind == DeclarationKind::constant &&
                                                   need.kind == DeclarationKind::variable);
  return is_kind && given.type == need.type;
}

std::string described(const Declaration& declaration) {
  if (declaration.kind == DeclarationKind::type) return "type " + declaration.name;
  if (declaration.kind != DeclarationKind::function)
    return base::format("{} {}", declaration.type, declaration.name);
  const size_t open = declaration.type.find('(');
  return base::format("{} {}{}", declaration.type.substr(0, open), declaration.name,
                      declaration.type.substr(open));
}

[[noreturn]] void refuse(std::string_view piece, const Declaration& need,
                         const std::vector<Scope::Given>& others) {
  std::string rule = "a piece before it, or the text, must give what it needs";
  if (!others.empty())
    rule += base::format("; {} gives {}",
                         others.back().giver.empty() ? "the text" : others.back().giver,
                         described(others.back().declaration));
  jute::refuse(ErrorCode::illegal_template, std::string(piece), described(need), std::move(rule));
}

/// Reads a text line by line.
class Composition {
 public:
  void take(std::string_view line) {
    line = without_line_end(line);
    const std::string_view words = trimmed(line);
    if (words.starts_with("//")) return take_comment(words);
    if (in_parameters_) {
      in_parameters_ = !words.starts_with(')');
      if (in_parameters_) give_all(emit::parameter_of(words, aliases_), "");
    }
    const std::string_view code = line.substr(0, line.find("//"));
    give_all(emit::declarations_of(code, aliases_), "");
    emit::learn_alias(code, aliases_);
    scope_.follow_braces(code);
    // The line behind the launch bounds is the kernel's name.
    if (is_bounded_) in_parameters_ = true;
    is_bounded_ = line.starts_with("extern \"C\" __global__");
  }

 private:
  void take_comment(std::string_view words) {
    if (const std::string_view path = opened_piece(words); !path.empty()) piece_ = path;
    if (words.starts_with(kGives))
      give_all(emit::parse_declarations(words.substr(kGives.size()), aliases_, piece_), piece_);
    if (!words.starts_with(kNeeds)) return;
    for (const Declaration& need :
         emit::parse_declarations(words.substr(kNeeds.size()), aliases_, piece_)) {
      const std::vector<Scope::Given>& given = scope_.find(need.name);
      const bool is_met = std::ranges::any_of(
          given, [&](const Scope::Given& each) { return meets(each.declaration, need); });
      if (!is_met) refuse(piece_, need, given);
    }
  }
  void give_all(std::vector<Declaration> declarations, std::string_view giver) {
    for (Declaration& declaration : declarations) scope_.give(std::move(declaration), giver);
  }

  Scope scope_;
  Aliases aliases_;
  std::string_view piece_;
  bool is_bounded_ = false, in_parameters_ = false;
};

}  // namespace

PieceInterface interface_of(std::string_view text) {
  PieceInterface result;
  std::string_view piece;
  const auto add = [&](std::vector<Declaration>& list, std::string_view words) {
    for (Declaration& declaration : emit::parse_declarations(words, {}, piece))
      list.push_back(std::move(declaration));
  };
  for_each_line(text, [&](std::string_view line) {
    const std::string_view words = trimmed(without_line_end(line));
    if (const std::string_view path = opened_piece(words); !path.empty()) piece = path;
    if (words.starts_with(kNeeds)) add(result.needs, words.substr(kNeeds.size()));
    if (words.starts_with(kGives)) add(result.gives, words.substr(kGives.size()));
  });
  return result;
}

std::string without_interfaces(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    if (!is_interface(trimmed(without_line_end(line)))) result += line;
  });
  return result;
}

std::string needed_by(std::string_view text, const std::vector<std::string>& pieces) {
  std::unordered_set<std::string_view> named;
  const auto read = [&](std::string_view words) {
    for_each_line(words, [&](std::string_view line) {
      const bool says_needs = trimmed(line).starts_with(kNeeds);
      emit::for_each_name(says_needs ? line : emit::without_comment(line),
                          [&](std::string_view name) { named.insert(name); });
    });
  };
  read(text);
  std::string result;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const std::vector<Declaration> gives = interface_of(*piece).gives;
    if (std::ranges::none_of(gives, [&](const auto& each) { return named.contains(each.name); }))
      continue;
    read(*piece);
    result = "\n" + *piece + result;
  }
  return result;
}

std::string composed(std::string_view text) {
  Composition composition;
  for_each_line(text, [&](std::string_view line) { composition.take(line); });
  return without_interfaces(text);
}

}  // namespace jute
