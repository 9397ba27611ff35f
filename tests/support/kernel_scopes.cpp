// Looks names up from the inside, and judges a scope's variables where it ends.
#include "support/kernel_scopes.hpp"

#include <algorithm>

namespace jute::test {

void KernelScopes::open(std::size_t at, bool repeats) { scopes_.push_back({at, repeats}); }

void KernelScopes::close(std::size_t at) {
  const Scope& scope = scopes_.back();
  if (scope.repeats) loops_.emplace_back(scope.begin, at);
  for (const auto& [name, variable] : scope.variables) {
    if (!variable.is_plain) continue;
    for (const KernelUse& write : variable.uses)
      if (write.writes && !is_read(variable, write)) find("unread", name, tokens_[write.at].line);
  }
  scopes_.pop_back();
}

bool KernelScopes::is_read(const KernelVariable& variable, const KernelUse& write) const {
  return std::ranges::any_of(variable.uses, [&](const KernelUse& read) {
    if (read.writes) return false;
    if (variable.is_counter || read.at > write.at || read.function != write.function) return true;
    return std::ranges::any_of(loops_, [&](const auto& loop) {
      return loop.first > variable.declared && loop.first <= read.at && read.at < loop.second &&
             loop.first <= write.at && write.at < loop.second;
    });
  });
}

KernelVariable& KernelScopes::declare(std::size_t place, bool is_plain, Value value) {
  const std::string& name = tokens_[place].text;
  for (const Scope& scope : scopes_)
    if (scope.variables.contains(name)) find("shadowed", name, tokens_[place].line);
  declared.insert(place);
  KernelVariable& variable = scopes_.back().variables[name];
  variable = {.declared = place, .function = function_, .is_plain = is_plain, .value = value};
  return variable;
}

KernelVariable* KernelScopes::found(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto one = scope->variables.find(name); one != scope->variables.end())
      return &one->second;
  return nullptr;
}

const KernelVariable* KernelScopes::look_up(std::string_view name) const {
  return const_cast<KernelScopes*>(this)->found(name);
}

Value KernelScopes::use(std::size_t place, bool writes) {
  KernelVariable* const variable = found(tokens_[place].text);
  if (variable == nullptr) return {};
  variable->uses.push_back({place, writes, function_});
  if (writes) changed.insert(variable->declared);
  return variable->value;
}

void KernelScopes::may_change(std::string_view name) {
  if (const KernelVariable* const variable = found(name)) changed.insert(variable->declared);
}

void KernelScopes::find(std::string_view what, const std::string& of, int line) {
  faults.push_back(std::to_string(line) + " " + std::string(what) + ": " + of);
}

}  // namespace jute::test
