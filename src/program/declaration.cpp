// Finds where declarations begin and end, and what they declare.
#include "program/declaration.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace jute::program {
namespace {

using DeclarationWords = std::set<std::string_view>;

constexpr int kDeepestBlock = 64;

/// Marks of CUDA, and of libraries whose headers are not read.
const DeclarationWords kDeviceMarks{"__device__",          "__global__",       "__constant__",
                                    "__shared__",          "__managed__",      "_CCCL_DEVICE",
                                    "_CCCL_HOST_DEVICE",   "_CCCL_DEVICE_API", "CUTLASS_DEVICE",
                                    "CUTLASS_HOST_DEVICE", "CUTLASS_GLOBAL",   "CUTE_DEVICE",
                                    "CUTE_HOST_DEVICE",    "C10_DEVICE",       "C10_HOST_DEVICE"};
const DeclarationWords kKernelMarks{"__global__", "CUTLASS_GLOBAL"};
const DeclarationWords kHostMarks{"__host__"};
const DeclarationWords kClassKeys{"struct", "class", "union", "enum"};
/// Words that a parenthesis may follow without being a declarator's.
const DeclarationWords kCalledAttributes{"__attribute__", "alignas",           "__align__",
                                         "__declspec",    "__launch_bounds__", "__cluster_dims__",
                                         "__maxnreg__",   "__block_size__",    "decltype",
                                         "explicit",      "noexcept",          "requires"};
const DeclarationWords kBehindParameters{"const",    "volatile",      "noexcept",    "override",
                                         "final",    "throw",         "try",         "mutable",
                                         "requires", "__attribute__", "__restrict__"};

class Splitter {
 public:
  Splitter(CudaTokens tokens, const Macros& macros) : tokens_(tokens), macros_(macros) {}

  std::vector<CudaDeclaration> scope(std::size_t first, std::size_t last, int depth) {
    std::vector<CudaDeclaration> found;
    for (std::size_t at = first; at < last;) {
      if (is_noise(at)) {
        ++at;
        continue;
      }
      if (is(tokens_, at + 1, ":") && is_access(tokens_[at].text)) {
        at += 2;
        continue;
      }
      CudaDeclaration declaration = one(at, last, depth);
      declaration.first = at;
      declaration.last = std::clamp(declaration.last, at + 1, last);
      at = declaration.last;
      found.push_back(std::move(declaration));
    }
    return found;
  }

 private:
  [[nodiscard]] bool is_noise(std::size_t at) const {
    return is(tokens_, at, ";") || is(tokens_, at, "}");
  }
  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected";
  }

  /// Behind the `;` that ends what goes on at `at`.
  [[nodiscard]] std::size_t behind_semicolon(std::size_t at, std::size_t last) const {
    while (at < last && !is(tokens_, at, ";")) {
      if (is(tokens_, at, "}")) return at;
      at = is_open(at) ? behind_bracket(tokens_, at) : at + 1;
    }
    return std::min(at + 1, last);
  }
  [[nodiscard]] bool is_open(std::size_t at) const {
    return is(tokens_, at, "(") || is(tokens_, at, "{") || is(tokens_, at, "[");
  }

  CudaDeclaration one(std::size_t at, std::size_t last, int depth) {
    if (is(tokens_, at, "namespace") ||
        (is(tokens_, at, "inline") && is(tokens_, at + 1, "namespace")))
      return name_space(at, last, depth);
    if (is(tokens_, at, "extern") && at + 2 < last && tokens_[at + 1].kind == CudaTokenKind::text &&
        is(tokens_, at + 2, "{"))
      return block(at + 2, last, depth);
    if (is(tokens_, at, "using")) return using_line(at, last);
    if (is(tokens_, at, "static_assert") || is(tokens_, at, "asm"))
      return {.kind = CudaDeclarationKind::other, .last = behind_semicolon(at, last)};
    if (writes_declarations(at)) {
      const std::size_t end = behind_bracket(tokens_, at + 1);
      return {.kind = CudaDeclarationKind::macro_call,
              .side = macros_.stands_for(tokens_[at].text, kDeviceMarks) ? CudaSide::device
                                                                         : CudaSide::unmarked,
              .last = is(tokens_, end, ";") ? end + 1 : end};
    }
    return general(at, last, depth);
  }

  [[nodiscard]] bool writes_declarations(std::size_t at) const {
    if (!is_word(tokens_, at) || !is(tokens_, at + 1, "(")) return false;
    return std::ranges::any_of(macros_.all(tokens_[at].text), [](const Macro& macro) {
      return macro.parameters && std::ranges::any_of(macro.body, [](const CudaToken& token) {
               return token.text == "{" || token.text == ";";
             });
    });
  }

  CudaDeclaration block(std::size_t open, std::size_t last, int depth) {
    CudaDeclaration result{.kind = CudaDeclarationKind::block,
                           .last = std::min(behind_bracket(tokens_, open), last)};
    if (depth >= kDeepestBlock)
      result.kind = CudaDeclarationKind::other;
    else
      result.members = scope(open + 1, std::max(open + 1, result.last - 1), depth + 1);
    return result;
  }

  CudaDeclaration name_space(std::size_t at, std::size_t last, int depth) {
    std::size_t end = at;
    while (end < last && !is(tokens_, end, "{") && !is(tokens_, end, ";") && !is(tokens_, end, "="))
      ++end;
    if (is(tokens_, end, "{")) return block(end, last, depth);
    CudaDeclaration alias{.kind = CudaDeclarationKind::type, .last = behind_semicolon(end, last)};
    if (is_word(tokens_, at + 1)) alias.names.push_back(tokens_[at + 1].text);
    return alias;
  }

  CudaDeclaration using_line(std::size_t at, std::size_t last) {
    CudaDeclaration result{.kind = CudaDeclarationKind::type, .last = behind_semicolon(at, last)};
    if (is(tokens_, at + 1, "namespace")) {
      result.kind = CudaDeclarationKind::using_directive;
    } else if (is(tokens_, at + 2, "=")) {
      result.names.push_back(tokens_[at + 1].text);
    } else if (result.last >= 2 && is_word(tokens_, result.last - 2)) {
      result.names.push_back(tokens_[result.last - 2].text);
    }
    return result;
  }

  void mark(CudaDeclaration& result, std::string_view word) const {
    if (macros_.stands_for(word, kDeviceMarks)) result.side = CudaSide::device;
    if (result.side == CudaSide::unmarked && macros_.stands_for(word, kHostMarks))
      result.side = CudaSide::host;
    if (macros_.stands_for(word, kKernelMarks)) result.is_kernel = true;
    if (word == "const" || word == "constexpr") result.is_constant = true;
    if (word == "constexpr" || word == "consteval") result.is_constexpr = true;
    if (word == "virtual") result.is_fixed = true;
  }

  [[nodiscard]] bool is_called_attribute(std::size_t at) const {
    if (!is(tokens_, at + 1, "(")) return false;
    const Macro* macro = macros_.find(tokens_[at].text);
    return kCalledAttributes.contains(tokens_[at].text) || (macro != nullptr && macro->parameters);
  }

  /// Everything else: specifiers, then what the first bracket, `=` or `;` says.
  CudaDeclaration general(std::size_t at, std::size_t last, int depth) {
    CudaDeclaration result{.template_end = at};
    const std::size_t begin = at;
    while (is(tokens_, at, "template")) {
      const std::size_t end = is(tokens_, at + 1, "<") ? behind_angle(tokens_, at + 1) : at + 1;
      at = std::max(end, at + 1);
    }
    result.template_end = at;
    if (is(tokens_, at, "using")) {
      CudaDeclaration alias = using_line(at, last);
      alias.template_end = at;
      return alias;
    }
    std::size_t key = last;
    for (std::size_t i = at; i < last;) {
      if (is_word(tokens_, i)) {
        const std::string_view word = tokens_[i].text;
        mark(result, word);
        if (word == "typedef") return type_name(std::move(result), i, last, depth);
        if (kClassKeys.contains(word)) key = std::min(key, i);
        if (word == "operator") return function(std::move(result), operator_end(i, last), last, i);
        i = is_called_attribute(i) ? behind_bracket(tokens_, i + 1) : i + 1;
      } else if (is(tokens_, i, "<")) {
        i = std::max(behind_angle(tokens_, i), i + 1);
      } else if (is(tokens_, i, "[") && is(tokens_, i + 1, "[")) {
        i = behind_bracket(tokens_, i);
      } else if (is(tokens_, i, "(")) {
        return is_pointer_declarator(i) ? variable(std::move(result), begin, last)
                                        : function(std::move(result), i, last, i - 1);
      } else if (is(tokens_, i, "{") && key < i) {
        return class_body(std::move(result), key, i, last, depth);
      } else if (is(tokens_, i, ";") && key + 2 == i) {
        result.kind = CudaDeclarationKind::type;
        result.names.push_back(tokens_[i - 1].text);
        result.last = i + 1;
        return result;
      } else if (is(tokens_, i, "=") || is(tokens_, i, ";") || is(tokens_, i, "{") ||
                 is(tokens_, i, "[")) {
        return variable(std::move(result), at, last);
      } else if (is(tokens_, i, "}") || is(tokens_, i, ")") || is(tokens_, i, "]")) {
        result.last = i + 1;
        return result;
      } else {
        ++i;
      }
    }
    result.last = last;
    return result;
  }

  [[nodiscard]] bool is_pointer_declarator(std::size_t at) const {
    return is(tokens_, at + 1, "*") || is(tokens_, at + 1, "&");
  }

  /// The `(` of the parameters of the operator at `at`.
  [[nodiscard]] std::size_t operator_end(std::size_t at, std::size_t last) const {
    ++at;
    if (is(tokens_, at, "(") && is(tokens_, at + 1, ")")) return std::min(at + 2, last);
    while (at < last && !is(tokens_, at, "(") && !is(tokens_, at, ";")) ++at;
    return at;
  }

  CudaDeclaration function(CudaDeclaration result, std::size_t open, std::size_t last,
                           std::size_t name) {
    result.kind = CudaDeclarationKind::function;
    result.parameters = open;
    // `scale<float>(`: the name stands before the arguments.
    if (is(tokens_, name, ">")) {
      int depth = 0;
      for (std::size_t i = name; i > result.template_end; --i) {
        if (is(tokens_, i, ">")) ++depth;
        if (is(tokens_, i, "<") && --depth == 0) {
          name = i - 1;
          break;
        }
      }
    }
    if (is_word(tokens_, name)) result.names.push_back(tokens_[name].text);
    if (!is(tokens_, open, "(")) {
      result.kind = CudaDeclarationKind::other;
      result.last = behind_semicolon(open, last);
      return result;
    }
    return function_end(std::move(result), behind_bracket(tokens_, open), last);
  }

  /// The end of a function behind its parameters.
  CudaDeclaration function_end(CudaDeclaration result, std::size_t at, std::size_t last) {
    while (at < last) {
      if (is(tokens_, at, "{")) {
        result.has_body = true;
        result.last = behind_bracket(tokens_, at);
        return result;
      }
      if (is(tokens_, at, ";")) {
        result.last = at + 1;
        return result;
      }
      if (is(tokens_, at, "=")) {
        result.is_fixed = true;
        result.last = behind_semicolon(at, last);
        return result;
      }
      if (is(tokens_, at, ":")) {
        at = behind_initialisers(at + 1, last);
      } else if (is(tokens_, at, "->")) {
        while (at < last && !is(tokens_, at, "{") && !is(tokens_, at, ";")) ++at;
      } else if (is(tokens_, at, "&") || is(tokens_, at, "&&")) {
        ++at;
      } else if (is_word(tokens_, at) && kBehindParameters.contains(tokens_[at].text)) {
        mark(result, tokens_[at].text == "const" ? std::string_view() : tokens_[at].text);
        at = is(tokens_, at + 1, "(") ? behind_bracket(tokens_, at + 1) : at + 1;
      } else if (is(tokens_, at, "[") || is(tokens_, at, ",") || is(tokens_, at, "(")) {
        result.kind = CudaDeclarationKind::variable;
        result.last = behind_semicolon(at, last);
        return result;
      } else {
        // A macro's call without a semicolon: the next declaration begins.
        result.kind = CudaDeclarationKind::macro_call;
        break;
      }
    }
    result.last = std::min(at, last);
    return result;
  }

  /// Behind `a(1), b{2}` of a constructor.
  [[nodiscard]] std::size_t behind_initialisers(std::size_t at, std::size_t last) const {
    while (at < last) {
      while (at < last && !is_open(at) && !is(tokens_, at, ";"))
        at = is(tokens_, at, "<") ? std::max(behind_angle(tokens_, at), at + 1) : at + 1;
      if (at >= last || is(tokens_, at, ";")) return at;
      at = behind_bracket(tokens_, at);
      while (is(tokens_, at, ".")) ++at;
      if (!is(tokens_, at, ",")) return at;
      ++at;
    }
    return at;
  }

  CudaDeclaration class_body(CudaDeclaration result, std::size_t key, std::size_t open,
                             std::size_t last, int depth) {
    result.kind = CudaDeclarationKind::type;
    for (std::size_t i = key + 1; i < open && !is(tokens_, i, ":"); ++i) {
      if (is_called_attribute(i)) {
        i = behind_bracket(tokens_, i + 1) - 1;
      } else if (is(tokens_, i, "<")) {
        break;
      } else if (is_word(tokens_, i) && tokens_[i].text != "final" &&
                 !kClassKeys.contains(tokens_[i].text)) {
        result.names = {tokens_[i].text};
      }
    }
    const std::size_t close = std::min(behind_bracket(tokens_, open), last);
    if (is(tokens_, key, "enum")) {
      for (std::size_t i = open + 1; i < close; ++i)
        if (is_word(tokens_, i) && (is(tokens_, i - 1, "{") || is(tokens_, i - 1, ",")))
          result.names.push_back(tokens_[i].text);
    } else if (depth < kDeepestBlock) {
      result.members = scope(open + 1, std::max(open + 1, close - 1), depth + 1);
    }
    result.last = behind_semicolon(close, last);
    for (std::size_t i = close; i < result.last; ++i)
      if (is_word(tokens_, i)) result.names.push_back(tokens_[i].text);
    return result;
  }

  /// `typedef …;`, with a class body or without.
  CudaDeclaration type_name(CudaDeclaration result, std::size_t at, std::size_t last, int depth) {
    result.kind = CudaDeclarationKind::type;
    result.last = behind_semicolon(at, last);
    if (is(tokens_, at + 1, "struct") && depth < kDeepestBlock) {
      std::size_t open = at + 2;
      while (open < result.last && !is(tokens_, open, "{") && !is(tokens_, open, ";")) ++open;
      const std::size_t close = std::min(behind_bracket(tokens_, open), result.last);
      if (is(tokens_, open, "{"))
        result.members = scope(open + 1, std::max(open + 1, close - 1), depth + 1);
    }
    for (std::size_t i = at; i < result.last;) {
      const bool is_pointer = is(tokens_, i, "(") && is_pointer_declarator(i);
      const bool ends = is(tokens_, i + 1, ";") || is(tokens_, i + 1, ",") ||
                        is(tokens_, i + 1, "[") || is(tokens_, i + 1, "{");
      if (is_word(tokens_, i) && ends) result.names.push_back(tokens_[i].text);
      if (is_pointer && is_word(tokens_, i + 2)) result.names.push_back(tokens_[i + 2].text);
      if (is(tokens_, i, "<"))
        i = std::max(behind_angle(tokens_, i), i + 1);
      else
        i = is_open(i) ? behind_bracket(tokens_, i) : i + 1;
    }
    return result;
  }

  CudaDeclaration variable(CudaDeclaration result, std::size_t at, std::size_t last) {
    result.kind = CudaDeclarationKind::variable;
    result.last = behind_semicolon(at, last);
    bool is_value = false;
    for (std::size_t i = at; i < result.last;) {
      if (!is_value && is_word(tokens_, i)) {
        mark(result, tokens_[i].text);
        constexpr std::array<std::string_view, 7> kEnds{"=", "[", "{", ";", ",", ")", ":"};
        if (std::ranges::any_of(kEnds, [&](auto end) { return is(tokens_, i + 1, end); }))
          result.names.push_back(tokens_[i].text);
      }
      if (is(tokens_, i, "=")) is_value = true;
      if (is(tokens_, i, ",")) is_value = false;
      if (!is_value && is(tokens_, i, "("))
        ++i;
      else if (!is_value && is(tokens_, i, "<"))
        i = std::max(behind_angle(tokens_, i), i + 1);
      else
        i = is_open(i) ? behind_bracket(tokens_, i) : i + 1;
    }
    return result;
  }

  CudaTokens tokens_;
  const Macros& macros_;
};

}  // namespace

std::vector<CudaDeclaration> declarations_of(CudaTokens tokens, const Macros& macros) {
  return Splitter(tokens, macros).scope(0, tokens.size(), 0);
}

}  // namespace jute::program
