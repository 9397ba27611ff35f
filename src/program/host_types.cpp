// A program's own names of types and their meaning: aliases, structures, and variables of both.
#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>

#include "program/host_arithmetic.hpp"
#include "program/host_walk.hpp"

namespace jute::program {
namespace {

constexpr std::int64_t kPointerBytes = 8;

/// Vectors of 8 and 16 bytes are aligned to their size, others to their element's.
std::int64_t alignment_of(const NumberType& type) {
  const bool is_vector = !type.spelling.empty() && (type.count == 2 || type.count == 4);
  return std::min<std::int64_t>(16, is_vector ? bytes_of(type) : type.element_bytes);
}

}  // namespace

/// `typedef float real;`, `using real = float;`
void HostWalk::declare_alias(HostScope& scope, CudaTokens tokens) {
  if (!tokens.empty() && is(tokens, tokens.size() - 1, ";"))
    tokens = tokens.first(tokens.size() - 1);
  if (is(tokens, 0, "using") && is(tokens, 2, "=")) {
    scope.values[std::string(tokens[1].text)] = TypeName{joined_text(tokens.subspan(3))};
  } else if (is(tokens, 0, "typedef") && tokens.size() > 2 && is_word(tokens, tokens.size() - 1)) {
    const std::string meant = joined_text(tokens.subspan(1, tokens.size() - 2));
    scope.values[std::string(tokens.back().text)] = TypeName{meant};
  }
}

/// An alias, or a structure of numbers and pointers with its size.
void HostWalk::declare_type(const CudaDeclaration& declaration) {
  const CudaTokens tokens =
      tokens_.subspan(declaration.first, declaration.last - declaration.first);
  if (declaration.members.empty()) return declare_alias(globals_, tokens);
  std::int64_t bytes = 0, alignment = 1;
  for (const CudaDeclaration& member : declaration.members) {
    if (member.kind == CudaDeclarationKind::function && !member.is_fixed) continue;
    if (member.kind != CudaDeclarationKind::variable || member.names.empty()) return;
    const CudaTokens whole = tokens_.subspan(member.first, member.last - member.first);
    if (is(whole, 0, "static")) continue;
    const auto name = std::ranges::find(whole, member.names[0], &CudaToken::text);
    const CudaTokens head(whole.begin(), name);
    const auto type = number_type(joined_text(head), globals_, macros_);
    for (const CudaTokens& each : listed(CudaTokens(name, whole.end()))) {
      const bool is_pointer = std::ranges::find(head, "*", &CudaToken::text) != head.end() ||
                              std::ranges::find(each, "*", &CudaToken::text) != each.end();
      if (!is_pointer && !type) return;
      const std::int64_t step = is_pointer ? kPointerBytes : alignment_of(*type);
      HostValue size = is_pointer ? kPointerBytes : bytes_of(*type);
      for (std::size_t i = 1, end = 0; is(each, i, "["); i = end) {
        end = behind_bracket(each, i);
        const CudaTokens extent = each.subspan(i + 1, std::max(end, i + 2) - i - 2);
        size = operated("*", size, value(extent, globals_));
      }
      const auto* known = std::get_if<std::int64_t>(&size);
      if (known == nullptr) return;
      bytes = (bytes + step - 1) / step * step + *known;
      alignment = std::max(alignment, step);
    }
  }
  if (bytes > INT32_MAX) return;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  for (const std::string_view name : declaration.names)
    globals_.values[std::string(name)] = TypeName{std::string(name), bytes, alignment};
}

/// `cudaLaunchConfig_t config = {grid, block, bytes}`, and lists of a kernel's arguments.
void HostWalk::declare_members(HostScope& scope, const std::string& name, const std::string& type,
                               CudaTokens rest) {
  std::size_t open = 0;
  while (open < rest.size() && !is(rest, open, "{")) ++open;
  if (open == rest.size()) return;
  const std::size_t end = behind_bracket(rest, open);
  const std::vector<CudaTokens> list =
      listed(rest.subspan(open + 1, std::max(end, open + 2) - open - 2));
  if (is(rest, 0, "[")) argument_lists_[name] = list;
  if (type != "cudaLaunchConfig_t") return;
  constexpr std::array<std::string_view, 3> kMembers{"gridDim", "blockDim", "dynamicSmemBytes"};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool is_named = is(list[i], 0, ".") && is(list[i], 2, "=");
    if (!is_named && i >= kMembers.size()) break;
    scope.values[name + "." + std::string(is_named ? list[i][1].text : kMembers[i])] =
        value(list[i].subspan(is_named ? 3 : 0), scope);
  }
}

}  // namespace jute::program
