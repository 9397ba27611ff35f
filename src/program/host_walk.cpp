// Follows a program's host code statement by statement.
#include "program/host_walk.hpp"

#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>

#include "program/host_arithmetic.hpp"

namespace jute::program {
namespace {

bool is_any(CudaTokens tokens, std::size_t at, std::initializer_list<std::string_view> texts) {
  return std::ranges::any_of(texts, [&](std::string_view text) { return is(tokens, at, text); });
}

/// Words that no declaration begins with.
const std::set<std::string_view> kStatements{"return", "if",     "else",  "for",    "while",
                                             "do",     "switch", "case",  "break",  "delete",
                                             "goto",   "throw",  "using", "typedef"};

}  // namespace

HostWalk::HostWalk(std::string_view text, CudaTokens tokens, const Macros& macros,
                   const std::vector<CudaDeclaration>& declared, const ProgramSurroundings& around)
    : text_(text),
      tokens_(tokens),
      macros_(macros),
      functions_(functions_of(tokens, declared)),
      around_(around) {
  for (const char* null : {"NULL", "nullptr"}) globals_.values[null] = std::int64_t{0};
  declare_globals(declared);
}

ProgramLaunches HostWalk::run() {
  for (const FunctionText& function : functions_)
    if (function.name == "main") {
      HostScope scope{.outer = &globals_};
      if (!function.parameters.empty()) scope.values[function.parameters[0].name] = std::int64_t{1};
      walk(function, scope, 0);
    }
  for (const FunctionText& function : functions_)
    if (!function.is_kernel && !walked_.contains(&function)) {
      HostScope scope{.outer = &globals_};
      walk(function, scope, 0);
    }
  // Branches that are not taken are passed over.
  for (const FunctionText& function : functions_) {
    if (function.is_kernel) continue;
    HostScope scope{.outer = &globals_};
    Frame frame{function, scope};
    frame.is_blind = true;
    for (std::size_t at = 0; at < function.body.size(); ++at)
      if (is(function.body, at, "<<<")) launch(frame, at);
  }
  std::set<std::string> launched;
  for (const auto& [place, site] : sites_)
    launched.insert(site.kernel.substr(0, site.kernel.find('<')));
  ProgramLaunches result{.constants = constants_,
                         .unread = unread_,
                         .words_read = static_cast<Index>(words_read_),
                         .asks_device = asks_device_};
  for (const FunctionText& kernel : functions_) {
    if (!kernel.is_kernel || launched.contains(kernel.name) ||
        launched.contains(kernel.scope + kernel.name) || sites_.contains({kernel.at, ""}))
      continue;
    LaunchSite& site = sites_[{kernel.at, ""}];
    site = {.kernel = kernel.scope + kernel.name, .line = line_of(kernel.at), .is_made = false};
    for (const ParameterText& parameter : kernel.parameters)
      site.arguments.push_back({.parameter = parameter.name,
                                .type = parameter.type,
                                .is_pointer = parameter.is_pointer,
                                .is_constant = parameter.is_constant});
  }
  for (auto& [place, site] : sites_) result.sites.push_back(std::move(site));
  return result;
}

void HostWalk::declare_globals(const std::vector<CudaDeclaration>& declared) {
  const FunctionText none{};
  Frame frame{none, globals_};
  for (const CudaDeclaration& declaration : declared) {
    if (declaration.kind == CudaDeclarationKind::block) declare_globals(declaration.members);
    if (declaration.kind == CudaDeclarationKind::type) declare_type(declaration);
    if (declaration.kind != CudaDeclarationKind::variable) continue;
    CudaTokens tokens = tokens_.subspan(declaration.first, declaration.last - declaration.first);
    if (is(tokens, tokens.size() - 1, ";")) tokens = tokens.first(tokens.size() - 1);
    if (!declaration.names.empty()) {
      std::size_t name = 0;
      while (name < tokens.size() && tokens[name].text != declaration.names[0]) ++name;
      const std::string type = bare_type(joined_text(tokens.first(name)));
      for (const CudaTokens& declarator : listed(tokens.subspan(name)))
        declare(frame, type, declarator);
    }
  }
}

EvaluationContext HostWalk::context() {
  return {.macros = macros_,
          .call = [this](std::string_view name,
                         const std::vector<HostValue>& values) { return called(name, values); },
          .size = [this](MemoryName name, bool in_elements) -> HostValue {
            const HostMemory& memory = memories_[name.index];
            const auto type = number_type(memory.type, globals_, macros_);
            if (!memory.bytes || (in_elements && !type)) return {};
            return in_elements ? *memory.bytes / bytes_of(*type) : *memory.bytes;
          },
          .steps = std::min<std::int64_t>(steps_left_, 20000)};
}

HostValue HostWalk::value(CudaTokens tokens, const HostScope& scope) {
  const EvaluationContext made = context();
  const std::int64_t before = made.steps;
  const HostValue result = evaluated(tokens, scope, made);
  steps_left_ -= before - std::max<std::int64_t>(made.steps, 0) + 1;
  return result;
}

HostValue HostWalk::new_memory(std::string name, const HostValue& bytes, std::string type) {
  HostMemory memory{std::move(name), std::move(type), std::nullopt};
  if (const auto* count = std::get_if<std::int64_t>(&bytes); count != nullptr && *count >= 0)
    memory.bytes = *count;
  const auto element = number_type(memory.type, globals_, macros_);
  memories_.push_back(std::move(memory));
  return MemoryName{memories_.size() - 1, 0, element ? bytes_of(*element) : 0};
}

void HostWalk::set(HostScope& scope, const std::string& name, const HostValue& value) {
  const bool is_local = scope.values.contains(name) || scope.types.contains(name);
  const bool is_global = globals_.values.contains(name) || globals_.types.contains(name);
  (is_local || !is_global ? scope : globals_).values[name] = value;
}

const FunctionText* HostWalk::find(std::string_view name, bool is_kernel,
                                   std::size_t arguments) const {
  const FunctionText* nearest = nullptr;
  for (const FunctionText& function : functions_) {
    if (function.name != name || function.is_kernel != is_kernel) continue;
    if (function.parameters.size() == arguments) return &function;
    if (is_kernel) nearest = &function;
  }
  return nearest;
}

int HostWalk::line_of(std::size_t at) const {
  return 1 + static_cast<int>(std::ranges::count(text_.substr(0, at), '\n'));
}

void HostWalk::walk(const FunctionText& function, HostScope& scope, int depth) {
  walked_.insert(&function);
  if (depth > kDeepestCall || --walks_left_ < 0) return;
  Frame frame{function, scope, depth};
  for (std::size_t at = 0; at < function.body.size() && steps_left_ > 0;) {
    const std::size_t taken = taken_branch(frame, at);
    if (taken == at) step(frame, at);
    at = std::max(taken, at + 1);
  }
}

/// Behind the statement at `at`: a block, or up to its semicolon.
std::size_t HostWalk::behind_statement(CudaTokens tokens, std::size_t at) {
  if (is(tokens, at, "{")) return behind_bracket(tokens, at);
  while (at < tokens.size() && !is_any(tokens, at, {";", "}"})) {
    if (is(tokens, at, "{")) return behind_bracket(tokens, at);
    at = is_any(tokens, at, {"(", "["}) ? behind_bracket(tokens, at) : at + 1;
  }
  return std::min(at + 1, tokens.size());
}

/// Where it goes on at an `if` whose condition is known to be false, or at the `else` of one that
/// is known to be true; `at` of anything else.
std::size_t HostWalk::taken_branch(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  if (frame.is_blind) return at;
  if (is(tokens, at, "else") && frame.passed.contains(at)) {
    const std::size_t end = behind_statement(tokens, at + 1);
    // A passed branch of a chain takes its next `else` along.
    if (is(tokens, end, "else")) frame.passed.insert(end);
    return end;
  }
  if (!is(tokens, at, "if") || !is(tokens, at + 1, "(")) return at;
  const std::size_t end = behind_bracket(tokens, at + 1);
  const HostValue known =
      value(tokens.subspan(at + 2, std::max(end, at + 3) - at - 3), frame.scope);
  const auto number = as_double(known);
  if (!number) return at;
  const std::size_t after = behind_statement(tokens, end);
  if (*number == 0) {
    if (!is(tokens, after, "else")) return after;
    frame.taken.insert(after + 1);
    return after + 1;
  }
  if (is(tokens, after, "else")) frame.passed.insert(after);
  frame.taken.insert(end);
  return at;
}

void HostWalk::step(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  if (is(tokens, at, "{")) frame.conditions.push_back(is_conditional(frame, at));
  if (is(tokens, at, "}") && !frame.conditions.empty()) frame.conditions.pop_back();
  const bool begins = at == 0 || is_any(tokens, at - 1, {";", "{", "}", ")", "(", ":", "else"});
  if (begins && is_word(tokens, at)) statement(frame, at);
  if (is(tokens, at, "<<<")) launch(frame, at);
  if (is(tokens, at, "cin")) stream_read(frame, at);
  if (is_word(tokens, at)) call(frame, at);
}

/// Does the statement or brace at `at` belong to an `if` or a `case`?
bool HostWalk::is_conditional(const Frame& frame, std::size_t at) const {
  const CudaTokens tokens = frame.function.body;
  if (std::ranges::count(frame.conditions, true) > 0) return true;
  if (at == 0 || frame.taken.contains(at)) return false;
  if (is_any(tokens, at - 1, {"else", ":"})) return true;
  if (!is(tokens, at - 1, ")")) return false;
  int depth = 0;
  for (std::size_t i = at - 1; i > 0; --i) {
    if (is(tokens, i, ")")) ++depth;
    if (is(tokens, i, "(") && --depth == 0) return is_any(tokens, i - 1, {"if", "switch"});
  }
  return false;
}

void HostWalk::statement(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  if (is_any(tokens, at, {"typedef", "using"}))
    declare_alias(frame.scope, tokens.subspan(at, behind_statement(tokens, at) - at));
  if (kStatements.contains(tokens[at].text)) return;
  if (!declaration(frame, at)) assignment(frame, at);
}

/// `const float *a = b, c[4];`: a type of words, then names.
bool HostWalk::declaration(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const std::size_t begin = at;
  std::size_t words = 0, last_word = at;
  while (at < tokens.size()) {
    if (is_word(tokens, at)) {
      if (kStatements.contains(tokens[at].text)) return false;
      if (!(at > begin && is(tokens, at - 1, "::"))) ++words;
      last_word = at++;
    } else if (is(tokens, at, "<") && at > begin) {
      const std::size_t end = behind_angle(tokens, at);
      if (end == at) return false;
      at = end;
    } else if (is_any(tokens, at, {"::", "*", "&"})) {
      ++at;
    } else {
      break;
    }
  }
  if (words < 2 || at != last_word + 1 || !is_any(tokens, at, {";", ",", "=", "[", "(", "{"}))
    return false;
  const std::string type = bare_type(joined_text(tokens.subspan(begin, last_word - begin)));
  std::size_t end = at;
  while (end < tokens.size() && !is(tokens, end, ";") && !is(tokens, end, ")"))
    end = is_any(tokens, end, {"(", "[", "{"}) ? behind_bracket(tokens, end) : end + 1;
  end = std::min(end, tokens.size());
  for (const CudaTokens& declarator : listed(tokens.subspan(last_word, end - last_word)))
    declare(frame, type, declarator);
  return true;
}

void HostWalk::declare(Frame& frame, const std::string& spelling, CudaTokens declarator) {
  while (!declarator.empty() && !is_word(declarator, 0)) declarator = declarator.subspan(1);
  if (declarator.empty()) return;
  const std::string name(declarator[0].text);
  HostScope& scope = frame.scope;
  const HostValue bound = scope.value(spelling);
  const auto* stands_for = std::get_if<TypeName>(&bound);
  const std::string type = plain_type(stands_for == nullptr ? spelling : stands_for->name, scope);
  scope.types[name] = type;
  scope.depths[name] = static_cast<int>(frame.conditions.size());
  HostValue known = initial_value(name, type, declarator.subspan(1), scope);
  declare_members(scope, name, type, declarator.subspan(1));
  const auto number = number_type(type, scope, macros_);
  const auto* extent = std::get_if<std::int64_t>(&known);
  if (type == "dim3" && extent != nullptr) known = Dim3{*extent, 1, 1};
  if (const auto* real = std::get_if<double>(&known);
      real != nullptr && number && !number->element.starts_with('f'))
    known = converted(known, *number);
  if (auto* memory = std::get_if<MemoryName>(&known); memory != nullptr) {
    HostMemory& made = memories_[memory->index];
    if (made.type.empty()) made.type = type;
    if (made.name.empty()) made.name = name;
    if (number) memory->each = bytes_of(*number);
  }
  scope.values[name] = known;
}

/// The value behind a declared name: ` = 5`, `(1, 2)`, `[4]`.
HostValue HostWalk::initial_value(const std::string& name, const std::string& type, CudaTokens rest,
                                  const HostScope& scope) {
  const auto number = number_type(type, scope, macros_);
  const Index each = number ? bytes_of(*number) : 0;
  if (type == "dim3" && rest.empty()) return Dim3{};
  const auto inside = [&](std::size_t open) {
    const std::size_t end = behind_bracket(rest, open);
    return rest.subspan(open + 1, std::max(end, open + 2) - open - 2);
  };
  if (is(rest, 0, "=")) {
    if (!is(rest, 1, "new")) return value(rest.subspan(1), scope);
    std::size_t open = 2;
    while (open < rest.size() && !is(rest, open, "[")) ++open;
    if (open == rest.size() || each == 0) return {};
    return new_memory(name, operated("*", value(inside(open), scope), each), type);
  }
  if (is(rest, 0, "(") || is(rest, 0, "{")) {
    if (type.find("vector<") != std::string::npos)
      return vector_memory(name, type, listed(inside(0)), scope);
    if (type != "dim3" && !number) return {};
    const std::size_t end = behind_bracket(rest, 0);
    std::vector<CudaToken> made(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end));
    if (is(rest, 0, "(")) made.insert(made.begin(), {CudaTokenKind::word, type, 0});
    const HostValue known = value(made, scope);
    const auto* extents = std::get_if<Dim3>(&known);
    return type == "dim3" || extents == nullptr ? known : HostValue(extents->x);
  }
  if (!is(rest, 0, "[") || each == 0) return {};
  HostValue bytes = each;
  for (std::size_t i = 0; is(rest, i, "["); i = behind_bracket(rest, i))
    bytes = operated("*", bytes, value(inside(i), scope));
  return new_memory(name, bytes, type);
}

/// `thrust::device_vector<float> x(count)`: its elements are set.
HostValue HostWalk::vector_memory(const std::string& name, const std::string& type,
                                  const std::vector<CudaTokens>& list, const HostScope& scope) {
  std::string element = type.substr(type.find("vector<") + 7);
  element = bare_type(element.substr(0, element.find_first_of(",>")));
  const auto number = number_type(element, scope, macros_);
  if (!number || list.empty()) return {};
  const Index each = bytes_of(*number);
  const HostValue made = new_memory(name, operated("*", value(list[0], scope), each), element);
  memories_.back().contents = LaunchContents::copied;
  return made;
}

void HostWalk::assignment(Frame& frame, std::size_t at) {
  const CudaTokens tokens = frame.function.body;
  const std::string name(tokens[at].text);
  HostScope& scope = frame.scope;
  if (is(tokens, at + 1, ".") && is_word(tokens, at + 2) && is(tokens, at + 3, "=")) {
    const HostValue old = scope.value(name);
    const HostValue part =
        value(tokens.subspan(at + 4, expression_end(tokens, at + 4) - at - 4), scope);
    const std::string_view member = tokens[at + 2].text;
    const auto* extents = std::get_if<Dim3>(&old);
    if (extents != nullptr && member.size() == 1 && std::holds_alternative<std::int64_t>(part)) {
      Dim3 changed = *extents;
      (member == "x"   ? changed.x
       : member == "y" ? changed.y
                       : changed.z) = std::get<std::int64_t>(part);
      set(scope, name, changed);
    } else if (member.size() > 1) {
      set(scope, name + "." + std::string(member), part);
    }
    return;
  }
  constexpr std::array<std::string_view, 5> kCompound{"+=", "-=", "*=", "/=", "<<="};
  const bool is_compound =
      std::ranges::any_of(kCompound, [&](auto m) { return is(tokens, at + 1, m); });
  if (!is(tokens, at + 1, "=") && !is_compound) return;
  const HostValue old = scope.value(name);
  const auto depth = scope.depths.find(name);
  const bool is_inside =
      depth != scope.depths.end() && depth->second < static_cast<int>(frame.conditions.size());
  if (is_known(old) && is_conditional(frame, at)) return;
  if (is_compound && is_inside) return;
  HostValue made = value(tokens.subspan(at + 2, expression_end(tokens, at + 2) - at - 2), scope);
  if (is_compound)
    made = operated(tokens[at + 1].text.substr(0, tokens[at + 1].text.size() - 1), old, made);
  const auto type = number_type(scope.type(name), scope, macros_);
  if (type && !std::holds_alternative<Dim3>(made)) made = converted(made, *type);
  if (auto* memory = std::get_if<MemoryName>(&made); memory != nullptr) {
    HostMemory& named = memories_[memory->index];
    if (type) memory->each = bytes_of(*type);
    if (named.name.empty()) {
      named.name = name;
      named.type = scope.type(name);
    }
  }
  set(scope, name, made);
}

}  // namespace jute::program
