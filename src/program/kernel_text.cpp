// Reads the heads of functions.
#include "program/kernel_text.hpp"

#include <jute/program/number_type.hpp>

#include <algorithm>

#include "program/evaluate.hpp"

namespace jute::program {
namespace {

ParameterText parameter_of(CudaTokens tokens) {
  ParameterText parameter;
  std::size_t end = tokens.size();
  for (std::size_t i = 0; i < end; ++i)
    if (is(tokens, i, "=")) end = i;
  tokens = tokens.first(end);
  // `float x[4]` is a pointer.
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (is(tokens, i, "[")) {
      parameter.is_pointer = true;
      tokens = tokens.first(i);
    }
  std::size_t stars = 0;
  for (const CudaToken& token : tokens) {
    stars += token.text == "*" ? 1 : 0;
    parameter.is_constant |= token.text == "const" && stars == 0;
  }
  parameter.is_pointer |= stars > 0;
  const bool is_named = tokens.size() > 1 && is_word(tokens, tokens.size() - 1) &&
                        !is(tokens, tokens.size() - 2, "::") &&
                        bare_type(tokens.back().text) == tokens.back().text &&
                        !(tokens.size() == 2 && bare_type(tokens[0].text).empty());
  if (is_named) {
    parameter.name = tokens.back().text;
    tokens = tokens.first(tokens.size() - 1);
  }
  parameter.type = stars > 1 ? "void*" : bare_type(joined_text(tokens));
  return parameter;
}

class FunctionList {
 public:
  explicit FunctionList(CudaTokens tokens) : tokens_(tokens) {}

  void add(const std::vector<CudaDeclaration>& declared, const std::string& scope) {
    for (const CudaDeclaration& declaration : declared) {
      const bool is_function = declaration.kind == CudaDeclarationKind::function;
      if (is_function && (declaration.has_body || declaration.is_kernel) &&
          !declaration.names.empty())
        found.push_back(function(declaration, scope));
      add(declaration.members, scope + scope_name(declaration));
    }
  }

  std::vector<FunctionText> found;

 private:
  /// `net::` of `namespace net {`.
  [[nodiscard]] std::string scope_name(const CudaDeclaration& declaration) const {
    if (declaration.kind == CudaDeclarationKind::type)
      return declaration.names.empty() ? std::string() : std::string(declaration.names[0]) + "::";
    std::string name;
    for (std::size_t i = declaration.first; i < declaration.last && !is(tokens_, i, "{"); ++i)
      if (is_word(tokens_, i) && tokens_[i].text != "namespace" && tokens_[i].text != "inline" &&
          tokens_[i].text != "extern")
        name += std::string(tokens_[i].text) + "::";
    return name;
  }

  [[nodiscard]] FunctionText function(const CudaDeclaration& declaration,
                                      const std::string& scope) const {
    FunctionText text{.name = std::string(declaration.names[0]),
                      .scope = scope,
                      .is_kernel = declaration.is_kernel,
                      .at = tokens_[declaration.first].at,
                      .template_parameters = {},
                      .parameters = {},
                      .body = {}};
    if (declaration.template_end > declaration.first + 3) {
      const CudaTokens head =
          tokens_.subspan(declaration.first + 2, declaration.template_end - declaration.first - 3);
      for (const CudaTokens& each : listed(head)) {
        std::size_t end = 0;
        while (end < each.size() && !is(each, end, "=")) ++end;
        if (end > 0 && is_word(each, end - 1))
          text.template_parameters.emplace_back(each[end - 1].text);
      }
    }
    const std::size_t end = behind_bracket(tokens_, declaration.parameters);
    if (end > declaration.parameters + 2) {
      const CudaTokens list =
          tokens_.subspan(declaration.parameters + 1, end - declaration.parameters - 2);
      for (const CudaTokens& each : listed(list))
        if (!(each.size() == 1 && is(each, 0, "void")))
          text.parameters.push_back(parameter_of(each));
    }
    if (declaration.has_body) text.body = body_of(end, declaration.last);
    return text;
  }

  /// The last braces before `last`.
  [[nodiscard]] CudaTokens body_of(std::size_t at, std::size_t last) const {
    while (at < last) {
      const bool is_brace = is(tokens_, at, "{");
      const std::size_t end =
          is_brace || is(tokens_, at, "(") ? behind_bracket(tokens_, at) : at + 1;
      if (is_brace && end >= last) return tokens_.subspan(at + 1, std::max(end, at + 2) - at - 2);
      at = end;
    }
    return {};
  }

  CudaTokens tokens_;
};

}  // namespace

std::vector<FunctionText> functions_of(CudaTokens tokens,
                                       const std::vector<CudaDeclaration>& declared) {
  FunctionList list(tokens);
  list.add(declared, "");
  return std::move(list.found);
}

}  // namespace jute::program
