// Looking value types up by any of their spellings.
#include "atom/value_types.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace jute {

std::span<const ValueType> value_types() { return atom::kValueTypes; }

std::optional<ValueType> find_value_type(std::string_view text) {
  constexpr std::string_view kNamespace = "cutlass::";
  if (text.starts_with(kNamespace)) text.remove_prefix(kNamespace.size());
  if (text.empty()) return std::nullopt;
  for (const atom::TypeAlias& alias : atom::kTypeAliases)
    if (alias.alias == text) return atom::type_named(alias.name);
  for (const ValueType& type : atom::kValueTypes)
    if (type.name == text || type.cute == text) return type;
  return std::nullopt;
}

ValueType parse_value_type(std::string_view text) {
  if (auto type = find_value_type(text)) return *type;
  std::vector<std::string> names;
  for (const ValueType& type : atom::kValueTypes) names.emplace_back(type.name);
  auto near = nearest_name(text, names);
  const auto meant = near ? meant_dtype(text) : nearest_dtype(text);
  if (meant) near = jute::name(*meant);
  jute::refuse(ErrorCode::unknown_name, "value type", std::string(text),
               "a value type must be one of " + joined(names), near);
}

ValueType value_type(DType type) { return atom::type_named(name(type)); }

std::ostream& operator<<(std::ostream& out, const ValueType& type) { return out << type.name; }

}  // namespace jute
