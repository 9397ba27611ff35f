// Reads launches.
#include <jute/program/launches.hpp>

#include <jute/program/number_type.hpp>

#include <algorithm>
#include <set>

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

/// Sets the kernel that stands before `at`: `net::scale<float>`.
void name_before(CudaTokens tokens, std::size_t at, std::string& qualified, std::string& name,
                 CudaTokens& arguments) {
  std::size_t end = at;
  if (end > 0 && is(tokens, end - 1, ">")) {
    int depth = 0;
    std::size_t open = end - 1;
    for (;; --open) {
      if (is(tokens, open, ">")) ++depth;
      if (is(tokens, open, "<") && --depth == 0) break;
      if (open == 0 || is(tokens, open, ";")) return;
    }
    arguments = tokens.subspan(open + 1, end - open - 2);
    end = open;
  }
  if (end == 0 || !is_word(tokens, end - 1)) return;
  name = tokens[end - 1].text;
  std::size_t begin = end - 1;
  while (begin >= 2 && is(tokens, begin - 1, "::") && is_word(tokens, begin - 2)) begin -= 2;
  qualified = joined_text(tokens.subspan(begin, end - begin));
}

/// The tokens in a parenthesis that closes them: `fill<float>` of `(void*)(fill<float>)`.
CudaTokens without_parentheses(CudaTokens tokens) {
  while (!tokens.empty() && is(tokens, tokens.size() - 1, ")")) {
    std::size_t open = 0;
    while (open < tokens.size() &&
           !(is(tokens, open, "(") && behind_bracket(tokens, open) == tokens.size()))
      ++open;
    if (open == tokens.size()) return {};
    tokens = tokens.subspan(open + 1, tokens.size() - open - 2);
  }
  return tokens;
}

/// The type of one literal; empty of anything else.
std::string type_of_number(CudaTokens tokens) {
  if (tokens.size() != 1 || tokens[0].kind != CudaTokenKind::number) return {};
  const std::string_view digits = tokens[0].text;
  if (digits.find('.') == std::string_view::npos) return "int";
  return digits.ends_with('f') || digits.ends_with('F') ? "float" : "double";
}

const std::set<std::string_view> kLaunchCalls{"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                              "cudaLaunchKernelEx"};

}  // namespace

void HostWalk::launch(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const std::size_t end = configuration_end(tokens, at + 1);
  if (end >= tokens.size() || !is(tokens, end + 3, "(")) return;
  LaunchText text;
  name_before(tokens, at, text.qualified, text.name, text.template_arguments);
  text.shape = listed(tokens.subspan(at + 1, end - at - 1));
  const std::size_t close = behind_bracket(tokens, end + 3);
  text.arguments = listed(tokens.subspan(end + 4, std::max(close, end + 5) - end - 5));
  record(frame, tokens[at].at, text);
}

bool HostWalk::launch_call(Frame& frame, std::size_t at, std::string_view name,
                           const std::vector<CudaTokens>& arguments) {
  if (!kLaunchCalls.contains(name) || arguments.size() < 2) return false;
  LaunchText text;
  const bool is_configured = name == "cudaLaunchKernelEx";
  text.is_cooperative = name == "cudaLaunchCooperativeKernel";
  const CudaTokens kernel = without_parentheses(arguments[is_configured ? 1 : 0]);
  name_before(kernel, kernel.size(), text.qualified, text.name, text.template_arguments);
  if (is_configured) {
    text.arguments.assign(arguments.begin() + 2, arguments.end());
    for (const char* member : {".gridDim", ".blockDim", ".dynamicSmemBytes"})
      text.shape.push_back(made_tokens_.emplace_back(
          tokens_of(kept_texts_.emplace_back(target_of(arguments[0]) + member))));
  } else {
    for (const std::size_t part : {1, 2, 4})
      if (part < arguments.size()) text.shape.push_back(arguments[part]);
    const auto list = arguments.size() < 4 ? argument_lists_.end()
                                           : argument_lists_.find(target_of(arguments[3]));
    // `void* list[] = {&x, (void*)&n}`
    if (list != argument_lists_.end())
      for (const CudaTokens& each : list->second) {
        const auto address = std::ranges::find(each, "&", &CudaToken::text);
        text.arguments.push_back(address == each.end() ? each
                                                       : CudaTokens(address + 1, each.end()));
      }
  }
  record(frame, frame.function.body[at].at, text);
  return true;
}

bool HostWalk::launch_macro(Frame& frame, std::size_t at,
                            const std::vector<CudaTokens>& arguments) {
  const Macro* macro = macros_.find(frame.function.body[at].text);
  if (macro == nullptr || !macro->parameters || frame.depth >= kDeepestCall) return false;
  const auto launches = [](const CudaToken& token) {
    return token.text == "<<<" || kLaunchCalls.contains(token.text);
  };
  if (std::ranges::none_of(macro->body, launches)) return false;
  static constexpr CudaToken kComma{CudaTokenKind::mark, ",", 0};
  std::vector<CudaToken>& body = made_tokens_.emplace_back();
  const auto add = [&](std::size_t index) {
    if (index < arguments.size())
      body.insert(body.end(), arguments[index].begin(), arguments[index].end());
  };
  const std::size_t named = macro->parameters->size();
  for (const CudaToken& token : macro->body) {
    const auto parameter = std::ranges::find(*macro->parameters, token.text);
    if (parameter != macro->parameters->end()) {
      add(static_cast<std::size_t>(parameter - macro->parameters->begin()));
    } else if (token.text == "__VA_ARGS__") {
      for (std::size_t i = named; i < arguments.size(); ++i) {
        if (i > named) body.push_back(kComma);
        add(i);
      }
    } else {
      body.push_back(token);
    }
  }
  // Everything of it stands where the macro is called.
  std::size_t count = 0;
  for (CudaToken& token : body)
    token.at = frame.function.body[at].at + (launches(token) ? count++ : 0);
  FunctionText expanded = frame.function;
  expanded.body = body;
  Frame inside{expanded, frame.scope, frame.depth + 1, frame.conditions};
  for (std::size_t i = 0; i < body.size(); ++i) step(inside, i);
  return true;
}

void HostWalk::record(Frame& frame, std::size_t at, const LaunchText& text) {
  const auto& [qualified, name, template_list, shape, arguments, is_cooperative] = text;
  const FunctionText* kernel = find(name, true, arguments.size());
  if (name.empty() || (frame.is_blind && seen_.contains(at))) return;
  LaunchSite site{.kernel = (kernel != nullptr ? kernel->scope + kernel->name : qualified) +
                            template_arguments(template_list, kernel, arguments, frame),
                  .line = line_of(at),
                  .is_cooperative = is_cooperative,
                  .is_defined = kernel != nullptr};
  // Another way to the same launch tells nothing new, unless a template's arguments differ.
  if (!seen_.insert(at).second &&
      (sites_.contains({at, site.kernel}) || site.kernel.find('<') == std::string::npos))
    return;
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
  // Memory that this kernel writes, the next one finds.
  for (const auto& memory : memories)
    if (memory && memories_[*memory].contents == LaunchContents::unset)
      memories_[*memory].contents = LaunchContents::copied;
  sites_.emplace(std::pair(at, site.kernel), std::move(site));
}

/// The type of numbers that a spelling means, by its own name; else the spelling.
std::string HostWalk::plain_type(const std::string& spelling, const HostScope& scope) const {
  const auto type = number_type(spelling, scope, macros_);
  return !type || type->spelling.empty() ? spelling : std::string(type->spelling);
}

LaunchArgument HostWalk::argument(CudaTokens tokens, const HostScope& scope,
                                  const ParameterText* parameter,
                                  std::vector<std::optional<std::size_t>>& memories) {
  LaunchArgument result{.text = joined_text(tokens)};
  if (parameter != nullptr) {
    result.parameter = parameter->name;
    result.type = plain_type(parameter->type, scope);
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
    LaunchMemory given{made.name, made.bytes, made.contents, std::nullopt, memory->offset_bytes};
    const auto before = std::ranges::find(memories, place);
    if (before != memories.end()) given.again = static_cast<std::size_t>(before - memories.begin());
    if (find_number_type(result.type) == nullptr && !made.type.empty())
      result.type = plain_type(made.type, scope);
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
      if (deduced.empty()) deduced = type_of_number(arguments[j]);
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

ProgramLaunches launches_of(std::string_view text, const ProgramSurroundings& around) {
  const program::CutText cut = program::cut(text);
  program::Macros macros;
  macros.add(cut.directives);
  const auto declared = program::declarations_of(cut.tokens, macros);
  return program::HostWalk(text, cut.tokens, macros, declared, around).run();
}

}  // namespace jute
