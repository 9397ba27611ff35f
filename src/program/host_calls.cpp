// Calls in host code: of the runtime, and of the program's own functions.
#include <jute/program/number_type.hpp>

#include <algorithm>

#include "program/host_arithmetic.hpp"
#include "program/host_walk.hpp"

namespace jute::program {

std::string target_of(CudaTokens tokens) {
  std::string name;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is(tokens, i, "&") && is_word(tokens, i + 1)) return std::string(tokens[i + 1].text);
    if (is_word(tokens, i)) name = tokens[i].text;
  }
  return name;
}

/// `malloc`, or a function that only returns an expression.
HostValue HostWalk::called(std::string_view name, const std::vector<HostValue>& arguments) {
  if (name == "malloc" && arguments.size() == 1) return new_memory("", arguments[0], "");
  if (name == "calloc" && arguments.size() == 2)
    return new_memory("", operated("*", arguments[0], arguments[1]), "");
  const FunctionText* function = find(name, false, arguments.size());
  if (function == nullptr || function->body.size() < 3 || !is(function->body, 0, "return") ||
      call_depth_ >= kDeepestCall || steps_left_ <= 0)
    return {};
  const std::size_t end = expression_end(function->body, 1);
  if (end + 1 != function->body.size()) return {};
  HostScope scope{.outer = &globals_};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    scope.values[function->parameters[i].name] = arguments[i];
  ++call_depth_;
  const HostValue result = value(function->body.subspan(1, end - 1), scope);
  --call_depth_;
  return result;
}

void HostWalk::call(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const std::string_view name = tokens[at].text;
  std::size_t open = at + 1;
  CudaTokens template_arguments;
  if (is(tokens, open, "<")) {
    const std::size_t end = behind_angle(tokens, open);
    if (end > open + 1) template_arguments = tokens.subspan(open + 1, end - open - 2);
    open = end;
  }
  if (!is(tokens, open, "(")) return;
  const std::size_t end = behind_bracket(tokens, open);
  const std::vector<CudaTokens> arguments =
      listed(tokens.subspan(open + 1, std::max(end, open + 2) - open - 2));
  if (launch_call(frame, at, name, arguments)) return;
  if (device_call(frame, name, arguments)) return;
  if (scan_call(frame, at, name, arguments)) return;
  if (runtime_call(frame, name, arguments)) return;
  if (launch_macro(frame, at, arguments)) return;
  const FunctionText* function = find(name, false, arguments.size());
  if (function != nullptr && frame.depth < kDeepestCall)
    walk_call(frame, *function, template_arguments, arguments);
  else if (function == nullptr && arguments.size() > 1)
    fill_by_library(frame, arguments);
}

/// A library's function may fill all that it is given: random numbers, results.
void HostWalk::fill_by_library(Frame& frame, const std::vector<CudaTokens>& arguments) {
  for (const CudaTokens& argument : arguments) {
    if (argument.size() != 1) continue;
    const HostValue known = frame.scope.value(argument[0].text);
    if (const auto* memory = std::get_if<MemoryName>(&known))
      if (memories_[memory->index].contents == LaunchContents::unset)
        memories_[memory->index].contents = LaunchContents::copied;
  }
}

bool HostWalk::runtime_call(Frame& frame, std::string_view name,
                            const std::vector<CudaTokens>& arguments) {
  const auto memory = [&](std::size_t index) -> HostMemory* {
    const HostValue found = value(arguments[index], frame.scope);
    const auto* place = std::get_if<MemoryName>(&found);
    return place == nullptr ? nullptr : &memories_[place->index];
  };
  if (!name.starts_with("cuda") || arguments.size() < 2) return false;
  if (name == "cudaMalloc" || name == "cudaMallocManaged" || name == "cudaMallocHost" ||
      name == "cudaHostAlloc" || name == "cudaMallocAsync") {
    const std::string target = target_of(arguments[0]);
    const HostValue made =
        new_memory(target, value(arguments[1], frame.scope), frame.scope.type(target));
    // Memory that the host sees, it fills.
    if (name != "cudaMalloc" && name != "cudaMallocAsync")
      memories_.back().contents = LaunchContents::copied;
    set(frame.scope, target, made);
  } else if (name.starts_with("cudaMemcpyToSymbol")) {
    const std::string target = target_of(arguments[0]);
    if (std::ranges::find(constants_, target) == constants_.end()) constants_.push_back(target);
  } else if (name.starts_with("cudaMemcpy") && !arguments[0].empty()) {
    if (HostMemory* target = memory(0)) target->contents = LaunchContents::copied;
  } else if (name.starts_with("cudaMemset")) {
    const HostValue fill = value(arguments[1], frame.scope);
    const auto* byte = std::get_if<std::int64_t>(&fill);
    if (HostMemory* target = memory(0))
      target->contents =
          byte != nullptr && *byte == 0 ? LaunchContents::zeros : LaunchContents::copied;
  }
  return true;
}

void HostWalk::walk_call(Frame& frame, const FunctionText& function, CudaTokens template_list,
                         const std::vector<CudaTokens>& arguments) {
  HostScope scope{.outer = &globals_};
  const std::vector<CudaTokens> types = listed(template_list);
  for (std::size_t i = 0; i < function.template_parameters.size() && i < types.size(); ++i) {
    HostValue bound = value(types[i], frame.scope);
    if (!is_known(bound)) bound = TypeName{joined_text(types[i])};
    scope.values[function.template_parameters[i]] = bound;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParameterText& parameter = function.parameters[i];
    scope.types[parameter.name] = parameter.type;
    scope.values[parameter.name] = value(arguments[i], frame.scope);
    // `T* x` and `float* d_x`: T is float.
    const std::string& type = parameter.type;
    if (auto* memory = std::get_if<MemoryName>(&scope.values[parameter.name]))
      if (const auto number = number_type(type, scope, macros_)) memory->each = bytes_of(*number);
    if (std::ranges::find(function.template_parameters, type) !=
            function.template_parameters.end() &&
        !scope.values.contains(type) && arguments[i].size() == 1)
      if (const std::string given = frame.scope.type(arguments[i][0].text); !given.empty())
        scope.values[type] = TypeName{given};
  }
  walk(function, scope, frame.depth + 1);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const HostValue left = scope.value(function.parameters[i].name);
    if (is(arguments[i], 0, "&") && std::holds_alternative<MemoryName>(left))
      set(frame.scope, target_of(arguments[i]), left);
  }
}

}  // namespace jute::program
