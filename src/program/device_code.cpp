// Leaves of a CUDA program what its kernels need.
#include <jute/program/device_code.hpp>
#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include "program/declaration.hpp"
#include "program/host_marks.hpp"

namespace jute {
namespace {

using namespace program;
using Words = std::set<std::string_view>;

constexpr std::size_t kMostHeaders = 200;
constexpr int kDeepestConstant = 32;

/// One file that is read.
struct ProgramFile {
  std::string name;  ///< as an `#include` spells it; empty: the text itself
  std::string path;
  std::string text;
  bool is_respelled = false;  ///< `text` is not what the file holds
  CutText cut = {};
  std::vector<CudaDeclaration> declarations = {};
};

/// A declaration that is kept or goes as a whole.
struct Unit {
  const ProgramFile* file = nullptr;
  const CudaDeclaration* declaration = nullptr;
  bool is_global = true;  ///< in no namespace
  bool is_kept = false;
};

class ProgramReader {
 public:
  ProgramReader(std::string_view text, const std::string& path, const HeaderReader& read) {
    add({.name = {}, .path = path, .text = std::string(text)}, read);
    for (ProgramFile& file : files_) file.declarations = declarations_of(file.cut.tokens, macros_);
    had_host_code_ = std::ranges::any_of(files_, [](const ProgramFile& file) {
      return has_host_code(file.cut.tokens) || has_host_function(file.declarations);
    });
  }

  DeviceCode left(std::span<const std::string> instances) {
    DeviceCode code{.included = foreign_, .had_host_code = had_host_code_};
    for (const ProgramFile& file : files_) collect(file, file.declarations, true);
    for (const std::string& instance : instances)
      need_words(wanted_.emplace_back(tokens_of(instance)));
    for (const ProgramFile& file : files_) need_launched(file.cut.tokens);
    for (Unit& unit : units_)
      if (stays_unasked(*unit.declaration)) keep(unit);
    settle_statements();
    for (const Unit& unit : units_) {
      code.uses_standard_library |=
          unit.is_kept && unit.declaration->kind != CudaDeclarationKind::using_directive &&
          names_standard_library(tokens_of_unit(unit));
      code.uses_designators |=
          (unit.is_kept || !had_host_code_) && has_designator(tokens_of_unit(unit));
    }
    for (const ProgramFile& file : files_) {
      std::string text = had_host_code_ ? without_host_code(file) : file.text;
      if (file.name.empty())
        code.text = std::move(text);
      else if (file.is_respelled || text != file.text)
        code.headers.push_back({file.name, "#line 1 \"" + file.path + "\"\n" + text});
    }
    return code;
  }

 private:
  void add(ProgramFile file, const HeaderReader& read) {
    std::string spelled = in_newer_spelling(file.text);
    file.is_respelled = spelled != file.text;
    file.text = std::move(spelled);
    const ProgramFile& kept = files_.emplace_back(std::move(file));
    files_.back().cut = cut(kept.text);
    macros_.add(kept.cut.directives);
    for (const DirectiveLine& directive : kept.cut.directives) {
      const auto line = include_of(directive);
      if (!line || !seen_.insert(line->name).second) continue;
      std::optional<FoundHeader> own;
      if (read && line->is_quoted && files_.size() <= kMostHeaders)
        own = read(line->name, kept.path);
      if (own)
        add({.name = line->name, .path = std::move(own->path), .text = std::move(own->text)}, read);
      else
        foreign_.push_back(line->name);
    }
  }

  void collect(const ProgramFile& file, const std::vector<CudaDeclaration>& declarations,
               bool is_global) {
    for (const CudaDeclaration& declaration : declarations) {
      if (declaration.kind == CudaDeclarationKind::block) {
        collect(file, declaration.members, false);
        continue;
      }
      Unit& unit = units_.emplace_back(Unit{&file, &declaration, is_global});
      for (const std::string_view name : declaration.names) {
        named_[name].push_back(&unit);
        if (declaration.side == CudaSide::device &&
            declaration.kind == CudaDeclarationKind::function)
          device_functions_.insert(name);
      }
    }
  }

  [[nodiscard]] bool stays_unasked(const CudaDeclaration& declaration) const {
    if (declaration.side == CudaSide::device)
      return declaration.kind != CudaDeclarationKind::type || !had_host_code_;
    return declaration.kind == CudaDeclarationKind::using_directive;
  }

  static CudaTokens tokens_of_unit(const Unit& unit) {
    return CudaTokens(unit.file->cut.tokens)
        .subspan(unit.declaration->first, unit.declaration->last - unit.declaration->first);
  }

  /// May device code name it?
  [[nodiscard]] bool may_stay(const Unit& unit) const {
    const CudaDeclaration& declaration = *unit.declaration;
    switch (declaration.kind) {
      case CudaDeclarationKind::type:
        return true;
      case CudaDeclarationKind::function:
        return declaration.side == CudaSide::unmarked &&
               (declaration.is_constexpr || (!declaration.has_body && is_of_device(declaration)));
      case CudaDeclarationKind::variable:
        return declaration.is_constant && (!is_computed_number(unit) || is_constant_value(unit, 0));
      default:
        return false;
    }
  }

  /// `const float b = a * a;`: a number with a value that is more than one token.
  [[nodiscard]] bool is_computed_number(const Unit& unit) const {
    const CudaTokens tokens = tokens_of_unit(unit);
    const auto equals = std::ranges::find(tokens, "=", &CudaToken::text);
    if (unit.declaration->side != CudaSide::unmarked || unit.declaration->names.size() != 1 ||
        tokens.end() - equals < 4)
      return false;
    const auto name =
        std::ranges::find(tokens.begin(), equals, unit.declaration->names[0], &CudaToken::text);
    if (name == equals || name + 1 != equals) return false;
    const CudaTokens head(tokens.begin(), name);
    const std::string type = bare_type(joined_text(head));
    const auto aliases = named_.find(type);
    const bool is_alias =
        aliases != named_.end() && std::ranges::all_of(aliases->second, [](const Unit* alias) {
          return alias->declaration->kind == CudaDeclarationKind::type &&
                 alias->declaration->members.empty();
        });
    return (is_alias || find_number_type(type) != nullptr || macros_.find(type) != nullptr) &&
           std::ranges::none_of(head, [](const CudaToken& token) {
             return token.text == "*" || token.text == "&" || token.text == "constexpr";
           });
  }

  /// Those are known when compiling as they stand.
  [[nodiscard]] static bool is_integer(const Unit& unit) {
    const CudaTokens tokens = tokens_of_unit(unit);
    const auto name = std::ranges::find(tokens, unit.declaration->names[0], &CudaToken::text);
    const NumberType* type =
        find_number_type(bare_type(joined_text(CudaTokens(tokens.begin(), name))));
    return type != nullptr && !type->element.starts_with('f');
  }

  /// Does a computed value name only what a compiler knows?
  [[nodiscard]] bool is_constant_value(const Unit& unit, int depth) const {
    const CudaTokens tokens = tokens_of_unit(unit);
    const auto equals = std::ranges::find(tokens, "=", &CudaToken::text);
    for (std::size_t i = static_cast<std::size_t>(equals - tokens.begin()); i < tokens.size();
         ++i) {
      if (!is_word(tokens, i) || is(tokens, i - 1, "::") || is(tokens, i + 1, "::")) continue;
      const std::string_view word = tokens[i].text;
      if (macros_.find(word) != nullptr || find_number_type(word) != nullptr) continue;
      const auto units = named_.find(word);
      const bool is_call = is(tokens, i + 1, "(") && word != "sizeof";
      if (units == named_.end() && is_call) return false;
      if (units != named_.end() && std::ranges::none_of(units->second, [&](const Unit* named) {
            return depth < kDeepestConstant && named != &unit &&
                   (is_computed_number(*named) ? is_constant_value(*named, depth + 1)
                                               : may_stay(*named));
          }))
        return false;
    }
    return true;
  }

  /// Does it declare, or instantiate, what device code defines?
  [[nodiscard]] bool is_of_device(const CudaDeclaration& declaration) const {
    return std::ranges::any_of(
        declaration.names, [&](std::string_view name) { return device_functions_.contains(name); });
  }

  void need(std::string_view first) {
    std::vector<std::string_view> open{first};
    while (!open.empty()) {
      const std::string_view word = open.back();
      open.pop_back();
      if (!needed_.insert(word).second) continue;
      for (const Macro& macro : macros_.all(word))
        for (const CudaToken& token : macro.body)
          if (token.kind == CudaTokenKind::word) open.push_back(token.text);
      const auto units = named_.find(word);
      if (units == named_.end()) continue;
      for (Unit* unit : units->second)
        if (may_stay(*unit)) to_keep_.push_back(unit);
    }
    if (is_keeping_) return;
    is_keeping_ = true;
    while (!to_keep_.empty()) {
      Unit* unit = to_keep_.front();
      to_keep_.pop_front();
      keep(*unit);
    }
    is_keeping_ = false;
  }

  void keep(Unit& unit) {
    if (unit.is_kept) return;
    unit.is_kept = true;
    if (unit.declaration->kind == CudaDeclarationKind::using_directive) return;
    need_of(*unit.file, *unit.declaration);
  }

  /// Needs all that a declaration names, without its members that are the host's.
  void need_of(const ProgramFile& file, const CudaDeclaration& declaration) {
    std::size_t at = declaration.first;
    const CudaTokens tokens(file.cut.tokens);
    for (const CudaDeclaration& member : declaration.members) {
      need_words(tokens.subspan(at, member.first - at));
      if (!is_host_member(member)) need_of(file, member);
      at = member.last;
    }
    need_words(tokens.subspan(at, declaration.last - at));
  }

  void need_words(CudaTokens tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (is_word(tokens, i) && (i == 0 || (!is(tokens, i - 1, ".") && !is(tokens, i - 1, "->"))))
        need(tokens[i].text);
  }

  /// The template arguments of launches: `scale<Square><<<…>>>`.
  void need_launched(CudaTokens tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (!is(tokens, i, "<<<") || !is(tokens, i - 1, ">")) continue;
      std::size_t at = i - 1;
      for (int depth = 0; at > 0; --at) {
        if (is(tokens, at, ">")) ++depth;
        if (is(tokens, at, "<") && --depth == 0) break;
        if (is(tokens, at, ";") || is(tokens, at, "{")) break;
      }
      need_words(tokens.subspan(at, i - at));
    }
  }

  static bool is_host_member(const CudaDeclaration& member) {
    return member.kind == CudaDeclarationKind::function && !member.is_constexpr &&
           !member.is_fixed && member.side != CudaSide::device;
  }

  /// Assertions stay where everything that they name does.
  void settle_statements() {
    for (Unit& unit : units_) {
      if (unit.declaration->kind != CudaDeclarationKind::other) continue;
      const CudaTokens tokens =
          CudaTokens(unit.file->cut.tokens)
              .subspan(unit.declaration->first, unit.declaration->last - unit.declaration->first);
      unit.is_kept = is(tokens, 0, "static_assert") &&
                     std::ranges::all_of(tokens, [&](const CudaToken& token) {
                       const auto units = named_.find(token.text);
                       return token.kind != CudaTokenKind::word || units == named_.end() ||
                              std::ranges::any_of(units->second, &Unit::is_kept);
                     });
    }
  }

  static bool names_standard_library(CudaTokens tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (is(tokens, i, "std") && is(tokens, i + 1, "::")) return true;
    return false;
  }

  [[nodiscard]] std::string without_host_code(const ProgramFile& file) const {
    std::string text = file.text;
    // From the end, so that what is put in moves nothing that is still looked at.
    for (auto unit = units_.rbegin(); unit != units_.rend(); ++unit) {
      if (unit->file != &file) continue;
      if (!unit->is_kept) {
        blank(text, file, *unit->declaration);
      } else {
        blank_members(text, file, *unit->declaration);
        if (unit->declaration->kind == CudaDeclarationKind::variable) make_constexpr(text, *unit);
        if (unit->declaration->kind == CudaDeclarationKind::using_directive && unit->is_global)
          declare_namespace(text, file, *unit->declaration);
      }
    }
    return text;
  }

  /// A number that the host would compute, and what it is computed of, is known when compiling.
  void make_constexpr(std::string& text, const Unit& unit) const {
    const CudaTokens tokens = tokens_of_unit(unit);
    const auto word = std::ranges::find(tokens, "const", &CudaToken::text);
    const auto equals = std::ranges::find(tokens, "=", &CudaToken::text);
    const bool is_number = unit.declaration->side == CudaSide::unmarked &&
                           unit.declaration->names.size() == 1 &&
                           std::ranges::none_of(tokens.begin(), equals, [](const CudaToken& token) {
                             return token.text == "*" || token.text == "&" || token.text == "[" ||
                                    token.text == "constexpr" || token.text == "extern";
                           });
    const bool is_literal = equals != tokens.end() && tokens.end() - equals == 3 &&
                            (equals + 1)->kind == CudaTokenKind::number;
    if (word < equals && is_number &&
        ((is_literal && !is_integer(unit)) || is_computed_number(unit)))
      text.replace(word->at, word->text.size(), "constexpr");
  }

  void blank_members(std::string& text, const ProgramFile& file,
                     const CudaDeclaration& declaration) const {
    for (auto member = declaration.members.rbegin(); member != declaration.members.rend();
         ++member) {
      if (is_host_member(*member))
        blank(text, file, *member);
      else
        blank_members(text, file, *member);
    }
  }

  static void blank(std::string& text, const ProgramFile& file,
                    const CudaDeclaration& declaration) {
    if (declaration.last <= declaration.first) return;
    const std::size_t begin = file.cut.tokens[declaration.first].at;
    const std::size_t end = file.cut.tokens[declaration.last - 1].end();
    auto directive = std::ranges::lower_bound(file.cut.directives, begin, {}, &DirectiveLine::at);
    for (std::size_t at = begin; at < end;) {
      if (directive != file.cut.directives.end() && directive->at == at) {
        at += directive->text.size();
        ++directive;
        continue;
      }
      if (text[at] != '\n') text[at] = ' ';
      ++at;
    }
  }

  /// A namespace that only the host's headers open must be there to be used.
  void declare_namespace(std::string& text, const ProgramFile& file,
                         const CudaDeclaration& declaration) const {
    CudaTokens name(file.cut.tokens);
    name = name.subspan(declaration.first + 2, declaration.last - declaration.first - 2);
    while (!name.empty() && !is_word(name, 0)) name = name.subspan(1);
    if (name.empty() || !is(name, name.size() - 1, ";") || named_.contains(name[0].text)) return;
    text.insert(file.cut.tokens[declaration.first].at,
                "namespace " + joined_text(name.first(name.size() - 1)) + " {} ");
  }

  std::deque<ProgramFile> files_;
  Macros macros_;
  std::set<std::string> seen_;
  std::vector<std::string> foreign_;
  bool had_host_code_ = false;
  std::deque<Unit> units_;
  std::deque<std::vector<CudaToken>> wanted_;
  std::map<std::string_view, std::vector<Unit*>> named_;
  Words device_functions_, needed_;
  std::deque<Unit*> to_keep_;
  bool is_keeping_ = false;
};

}  // namespace

DeviceCode device_code(std::string_view text, const std::string& path, const HeaderReader& read,
                       std::span<const std::string> instances) {
  return ProgramReader(text, path, read).left(instances);
}

}  // namespace jute
