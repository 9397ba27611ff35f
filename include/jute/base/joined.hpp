#pragma once
// Lists as text.
#include <jute/base/export.hpp>
#include <jute/base/nearest_name.hpp>

#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// `a, b, c` of what `name_of` makes of each item, a function or a member.
template <std::ranges::input_range Items, std::invocable<std::ranges::range_value_t<Items>> NameOf>
[[nodiscard]] std::string joined(const Items& items, const NameOf& name_of,
                                 std::string_view separator = ", ") {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(std::invoke(name_of, item));
  return joined(names, separator);
}

}  // namespace jute
