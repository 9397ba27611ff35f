// Broken rules as errors, one or several together.
#include "plan/ask/broken_rule.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute::plan {

Error broken(std::string operand, std::string value, std::string rule,
             std::optional<std::string> nearest) {
  return {.code = ErrorCode::illegal_config,
          .operand = std::move(operand),
          .value = std::move(value),
          .violated_rules = {std::move(rule)},
          .nearest_legal = std::move(nearest)};
}

Index nearest_multiple(Index value, Index unit) {
  return std::max(unit, (value + unit / 2) / unit * unit);
}

Index bounded_size(const layout::LayoutView& layout, Index most) {
  Index size = 1;
  for (int leaf = 0; leaf < layout.leaves; ++leaf) {
    if (layout.shape[leaf] > most / size) return most + 1;
    size *= layout.shape[leaf];
  }
  return size;
}

void refuse(const Errors& errors) {
  Error all = errors.front();
  for (size_t i = 1; i < errors.size(); ++i) {
    const Error& error = errors[i];
    std::string rule =
        base::format("{} = {}: {}", error.operand, error.value, joined(error.violated_rules, "; "));
    // One that holds for all of them is told once, at the end.
    if (error.nearest_legal && error.nearest_legal != all.nearest_legal)
      rule += base::format(" (nearest legal: {})", *error.nearest_legal);
    all.violated_rules.push_back(std::move(rule));
  }
  throw Exception(all);
}

}  // namespace jute::plan
