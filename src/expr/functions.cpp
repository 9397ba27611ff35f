// Finds and calls the functions of the language.
#include "expr/function.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/expr/eval.hpp>
#include <jute/expr/operation.hpp>

#include <algorithm>
#include <array>

namespace jute {

namespace expr {

namespace {

struct Table {
  std::span<const Function> (*functions)();
  FunctionTopic topic = FunctionTopic::layouts;
};

constexpr std::array<Table, 12> kTables{{{shape_functions},
                                         {mode_functions},
                                         {algebra_functions},
                                         {tiling_functions},
                                         {partition_functions},
                                         {coordinate_functions},
                                         {construction_functions},
                                         {comparison_functions},
                                         {arithmetic_functions},
                                         {property_functions},
                                         {atom_functions, FunctionTopic::atoms},
                                         {tiled_functions, FunctionTopic::atoms}}};

FunctionSummary summary_of(const Table& table, const Function& row) {
  return {table.topic, row.name, row.usage, row.summary};
}

[[noreturn]] void refuse_name(std::string_view name) {
  constexpr std::size_t kLongestName = 40;
  std::vector<std::string> names;
  for (const Table& table : kTables)
    for (const Function& function : table.functions()) names.emplace_back(function.name);
  jute::refuse(ErrorCode::unknown_name, "function", std::string(name.substr(0, kLongestName)),
               "it must be the name of a function; jute eval --functions "
               "lists them",
               nearest_name(name, names));
}

}  // namespace

const Function* try_function(std::string_view name) {
  for (const Table& table : kTables) {
    const std::span<const Function> rows = table.functions();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Function& row) { return row.name == name; });
    if (found != rows.end()) return &*found;
  }
  return nullptr;
}

const Function& find_function(std::string_view name) {
  if (const Function* function = try_function(name)) return *function;
  refuse_name(name);
}

Value call_function(const Function& function, std::vector<Value> arguments,
                    const Catalogue& catalogue, std::vector<std::string>& remarks) {
  const int count = static_cast<int>(arguments.size());
  if (count < function.least || count > function.most) {
    Error error;
    error.code = ErrorCode::wrong_arity;
    error.operand = std::string(function.name);
    error.value = std::to_string(count) + (count == 1 ? " argument" : " arguments");
    error.violated_rules.push_back("it must be called as " + std::string(function.usage));
    error.nearest_legal = std::to_string(std::clamp(count, function.least, function.most));
    throw Exception(std::move(error));
  }
  return function.call(Arguments(function.name, std::move(arguments), catalogue, remarks));
}

Value call_function(std::string_view name, std::vector<Value> arguments, const Catalogue& catalogue,
                    std::vector<std::string>& remarks) {
  return call_function(find_function(name), std::move(arguments), catalogue, remarks);
}

}  // namespace expr

std::vector<FunctionSummary> functions() {
  std::vector<FunctionSummary> summaries;
  for (const expr::Table& table : expr::kTables) {
    for (const expr::Function& row : table.functions()) {
      summaries.push_back(expr::summary_of(table, row));
    }
  }
  return summaries;
}

Operation::Operation(std::string_view name) : row_(&expr::find_function(name)) {}

FunctionSummary Operation::summary() const {
  for (const expr::Table& table : expr::kTables)
    for (const expr::Function& each : table.functions())
      if (&each == row_) return expr::summary_of(table, each);
  return {};
}

Value Operation::operator()(std::vector<Value> arguments, const Catalogue& catalogue) const {
  std::vector<std::string> remarks;
  return expr::call_function(*row_, std::move(arguments), catalogue, remarks);
}

}  // namespace jute
