// Looks for what only a host has, and puts older spellings right.
#include "program/host_marks.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace jute::program {
namespace {

/// Names of namespace std that device code cannot use.
const std::set<std::string_view> kHostNames{
    "cout",    "cerr",     "endl",         "vector",     "string",        "map",
    "thread",  "ofstream", "ifstream",     "unique_ptr", "shared_ptr",    "ostream",
    "fstream", "mutex",    "stringstream", "chrono",     "unordered_map", "istream"};

bool calls_runtime(CudaTokens tokens, std::size_t at) {
  const std::string_view word = tokens[at].text;
  return word.starts_with("cuda") && word.size() > 4 &&
         std::isupper(static_cast<unsigned char>(word[4])) != 0 && is(tokens, at + 1, "(");
}

}  // namespace

bool has_host_code(CudaTokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is(tokens, i, "<<<")) return true;
    if (!is_word(tokens, i)) continue;
    if (is(tokens, i, "main") && is(tokens, i + 1, "(") && i > 0 && is_word(tokens, i - 1))
      return true;
    if (calls_runtime(tokens, i)) return true;
    if (i > 1 && is(tokens, i - 1, "::") && is(tokens, i - 2, "std") &&
        kHostNames.contains(tokens[i].text))
      return true;
  }
  return false;
}

bool has_host_function(const std::vector<CudaDeclaration>& declarations) {
  return std::ranges::any_of(declarations, [](const CudaDeclaration& declaration) {
    return declaration.side == CudaSide::host || has_host_function(declaration.members);
  });
}

std::string in_newer_spelling(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, 3, ' ');
  const CutText cut_text = cut(text);
  std::string spelled = text;
  for (std::size_t i = cut_text.tokens.size(); i-- > 0;) {
    const CudaToken& token = cut_text.tokens[i];
    const bool follows_string = i > 0 && cut_text.tokens[i - 1].kind == CudaTokenKind::text &&
                                cut_text.tokens[i - 1].end() == token.at;
    if (follows_string && token.text.starts_with("__")) spelled.insert(token.at, 1, ' ');
    if (token.text == "register") spelled.replace(token.at, token.text.size(), 8, ' ');
  }
  return spelled;
}

bool has_designator(CudaTokens tokens) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i)
    if ((is(tokens, i, "{") || is(tokens, i, ",")) && is(tokens, i + 1, ".") &&
        is_word(tokens, i + 2) && is(tokens, i + 3, "="))
      return true;
  return false;
}

}  // namespace jute::program
