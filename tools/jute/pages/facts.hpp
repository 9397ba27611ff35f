#pragma once
// What the pages say that no option says: exit statuses and environment, each in one table.
#include <span>
#include <string_view>

namespace jute::command {

struct StatusFact {
  int status = 0;
  std::string_view meaning;
};
[[nodiscard]] std::span<const StatusFact> status_facts();

struct VariableFact {
  std::string_view name;
  std::string_view meaning;
};
[[nodiscard]] std::span<const VariableFact> variable_facts();

}  // namespace jute::command
