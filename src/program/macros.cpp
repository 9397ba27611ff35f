// Reads `#define` and `#include`.
#include "program/macros.hpp"

#include <algorithm>

namespace jute::program {
namespace {

/// The text behind the name of the directive; empty of another one.
std::string_view rest_of(const DirectiveLine& directive, std::string_view name) {
  const std::vector<CudaToken> words = tokens_of(directive.text.substr(1));
  if (!is(words, 0, name)) return {};
  return directive.text.substr(1 + words[0].end());
}

}  // namespace

void Macros::add(std::span<const DirectiveLine> directives) {
  for (const DirectiveLine& directive : directives) {
    const std::string_view rest = rest_of(directive, "define");
    const std::vector<CudaToken> words = tokens_of(rest);
    if (!is_word(words, 0)) continue;
    Macro macro;
    std::size_t body = 1;
    if (is(words, 1, "(") && words[1].at == words[0].end()) {
      body = behind_bracket(words, 1);
      macro.parameters.emplace();
      for (std::size_t i = 2; i + 1 < body; ++i)
        if (is_word(words, i)) macro.parameters->push_back(words[i].text);
    }
    macro.body.assign(words.begin() + static_cast<std::ptrdiff_t>(body), words.end());
    macros_[words[0].text].push_back(std::move(macro));
  }
}

const Macro* Macros::find(std::string_view name) const {
  const std::span<const Macro> found = all(name);
  return found.empty() ? nullptr : &found.back();
}

std::span<const Macro> Macros::all(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? std::span<const Macro>() : found->second;
}

bool Macros::stands_for(std::string_view word, const std::set<std::string_view>& words) const {
  std::set<std::string_view> seen;
  std::vector<std::string_view> open{word};
  while (!open.empty()) {
    const std::string_view next = open.back();
    open.pop_back();
    if (words.contains(next)) return true;
    if (!seen.insert(next).second) continue;
    for (const Macro& macro : all(next))
      for (const CudaToken& token : macro.body)
        if (token.kind == CudaTokenKind::word) open.push_back(token.text);
  }
  return false;
}

std::optional<IncludeLine> include_of(const DirectiveLine& directive) {
  std::string_view rest = rest_of(directive, "include");
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) return std::nullopt;
  const bool is_quoted = rest.front() == '"';
  const std::size_t end = rest.find(is_quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return IncludeLine{std::string(rest.substr(1, end - 1)), is_quoted};
}

}  // namespace jute::program
