// Reads launches.
#include <jute/program/launches.hpp>

#include <jute/program/number_type.hpp>

#include <algorithm>

#include "program/host_walk.hpp"

namespace jute {
namespace program {
namespace {

constexpr std::int64_t kMostExtent = 2147483647;

std::optional<Dim3> extents_of(const HostValue& value) {
  Dim3 extents;
  if (const auto* known = std::get_if<Dim3>(&value))
    extents = *known;
  else if (const auto* count = std::get_if<std::int64_t>(&value))
    extents.x = *count;
  else if (const auto* number = std::get_if<double>(&value);
           number != nullptr && *number < kMostExtent)
    extents.x = static_cast<std::int64_t>(*number);
  else
    return std::nullopt;
  const auto is_legal = [](std::int64_t n) { return 1 <= n && n <= kMostExtent; };
  if (!is_legal(extents.x) || !is_legal(extents.y) || !is_legal(extents.z)) return std::nullopt;
  return extents;
}

/// The `>>>` that ends a configuration begun before `at`.
std::size_t configuration_end(CudaTokens tokens, std::size_t at) {
  while (at + 2 < tokens.size()) {
    if (is(tokens, at, ";")) return tokens.size();
    if (is(tokens, at, ">") && is(tokens, at + 1, ">") && is(tokens, at + 2, ">")) return at;
    const bool opens = is(tokens, at, "(") || is(tokens, at, "[") || is(tokens, at, "{");
    at = opens ? behind_bracket(tokens, at) : at + 1;
  }
  return tokens.size();
}

/// `net::scale` and its template arguments before `<<<`.
struct KernelName {
  std::string qualified, name;
  CudaTokens arguments;
};

KernelName name_before(CudaTokens tokens, std::size_t at) {
  KernelName result;
  std::size_t end = at;
  if (end > 0 && is(tokens, end - 1, ">")) {
    int depth = 0;
    std::size_t open = end - 1;
    for (;; --open) {
      if (is(tokens, open, ">")) ++depth;
      if (is(tokens, open, "<") && --depth == 0) break;
      if (open == 0 || is(tokens, open, ";")) return result;
    }
    result.arguments = tokens.subspan(open + 1, end - open - 2);
    end = open;
  }
  if (end == 0 || !is_word(tokens, end - 1)) return result;
  result.name = tokens[end - 1].text;
  std::size_t begin = end - 1;
  while (begin >= 2 && is(tokens, begin - 1, "::") && is_word(tokens, begin - 2)) begin -= 2;
  result.qualified = joined_text(tokens.subspan(begin, end - begin));
  return result;
}

}  // namespace

void HostWalk::launch(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const std::size_t end = configuration_end(tokens, at + 1);
  if (end >= tokens.size() || !is(tokens, end + 3, "(")) return;
  const KernelName called = name_before(tokens, at);
  if (called.name.empty() || !seen_.insert(tokens[at].at).second) return;
  const std::vector<CudaTokens> shape = listed(tokens.subspan(at + 1, end - at - 1));
  const std::size_t close = behind_bracket(tokens, end + 3);
  const std::vector<CudaTokens> arguments =
      listed(tokens.subspan(end + 4, std::max(close, end + 5) - end - 5));
  const FunctionText* kernel = find(called.name, true, arguments.size());
  LaunchSite site{.kernel = (kernel != nullptr ? kernel->scope + kernel->name : called.qualified) +
                            template_arguments(called.arguments, kernel, arguments, frame),
                  .line = line_of(tokens[at].at)};
  for (std::size_t i = 0; i < 2; ++i) {
    auto& extents = i == 0 ? site.grid : site.block;
    if (i < shape.size()) extents = extents_of(value(shape[i], frame.scope));
    if (!extents && i < shape.size()) site.missing.push_back(joined_text(shape[i]));
  }
  site.dynamic_smem_bytes = 0;
  if (shape.size() > 2) {
    const HostValue bytes = value(shape[2], frame.scope);
    const auto* known = std::get_if<std::int64_t>(&bytes);
    site.dynamic_smem_bytes = known == nullptr ? std::nullopt : std::optional<Index>(*known);
    if (known == nullptr) site.missing.push_back(joined_text(shape[2]));
  }
  std::vector<std::optional<std::size_t>> memories;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_parameter = kernel != nullptr && i < kernel->parameters.size();
    site.arguments.push_back(argument(arguments[i], frame.scope,
                                      has_parameter ? &kernel->parameters[i] : nullptr, memories));
  }
  // What this kernel writes, the next one finds.
  for (const auto& memory : memories)
    if (memory && memories_[*memory].contents == LaunchContents::unset)
      memories_[*memory].contents = LaunchContents::copied;
  sites_.emplace(tokens[at].at, std::move(site));
}

LaunchArgument HostWalk::argument(CudaTokens tokens, const HostScope& scope,
                                  const ParameterText* parameter,
                                  std::vector<std::optional<std::size_t>>& memories) {
  LaunchArgument result{.text = joined_text(tokens)};
  if (parameter != nullptr) {
    result.parameter = parameter->name;
    result.type = parameter->type;
    result.is_pointer = parameter->is_pointer;
    result.is_constant = parameter->is_constant;
  }
  const HostValue known = value(tokens, scope);
  std::optional<std::size_t> place;
  // A structure by value is more than the memory that it holds.
  const bool takes_address = parameter == nullptr || parameter->is_pointer;
  if (const auto* memory = std::get_if<MemoryName>(&known); memory != nullptr && takes_address) {
    place = memory->index;
    const HostMemory& made = memories_[memory->index];
    LaunchMemory given{made.name, made.bytes, made.contents};
    const auto before = std::ranges::find(memories, place);
    if (before != memories.end()) given.again = static_cast<std::size_t>(before - memories.begin());
    if (find_number_type(result.type) == nullptr && !made.type.empty()) result.type = made.type;
    result.is_pointer = true;
    result.value = given;
  } else if (const auto* integer = std::get_if<std::int64_t>(&known)) {
    result.value = *integer;
  } else if (const auto* number = std::get_if<double>(&known)) {
    result.value = *number;
  }
  memories.push_back(place);
  return result;
}

std::string HostWalk::template_arguments(CudaTokens list, const FunctionText* kernel,
                                         const std::vector<CudaTokens>& arguments,
                                         const Frame& frame) {
  std::vector<std::string> texts;
  for (const CudaTokens& each : listed(list)) {
    const HostValue known = value(each, frame.scope);
    if (const auto* number = std::get_if<std::int64_t>(&known))
      texts.push_back(std::to_string(*number));
    else if (const auto* type = std::get_if<TypeName>(&known))
      texts.push_back(type->name);
    else
      texts.push_back(joined_text(each));
    // A parameter of the template that launches, which nothing instantiates.
    if (std::ranges::find(frame.function.template_parameters, texts.back()) !=
        frame.function.template_parameters.end())
      return {};
  }
  for (std::size_t i = texts.size(); kernel != nullptr && i < kernel->template_parameters.size();
       ++i) {
    std::string deduced;
    for (std::size_t j = 0; j < arguments.size() && j < kernel->parameters.size(); ++j) {
      if (kernel->parameters[j].type != kernel->template_parameters[i]) continue;
      const HostValue known = value(arguments[j], frame.scope);
      const auto* memory = std::get_if<MemoryName>(&known);
      if (arguments[j].size() == 1) deduced = frame.scope.type(arguments[j][0].text);
      if (memory != nullptr && deduced.empty()) deduced = memories_[memory->index].type;
      if (!deduced.empty()) break;
    }
    if (deduced.empty()) return {};
    const HostValue bound = frame.scope.value(deduced);
    const auto* type = std::get_if<TypeName>(&bound);
    texts.push_back(type == nullptr ? deduced : type->name);
  }
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "<" : ", ") + text;
  return joined.empty() ? joined : joined + ">";
}

}  // namespace program

ProgramLaunches launches_of(std::string_view text) {
  const program::CutText cut = program::cut(text);
  program::Macros macros;
  macros.add(cut.directives);
  const auto declared = program::declarations_of(cut.tokens, macros);
  return program::HostWalk(text, cut.tokens, macros, declared).run();
}

}  // namespace jute
