#pragma once
// What a kernel's text declares a parameter as.
#include <jute/launch/signature.hpp>

#include <string_view>
#include <utility>

namespace jute::launch {

inline constexpr std::pair<ParameterKind, std::string_view> kNumbers[] = {
    {ParameterKind::i32, "int"},
    {ParameterKind::i64, "long long"},
    {ParameterKind::u32, "unsigned"},
    {ParameterKind::f32, "float"},
    {ParameterKind::f64, "double"}};
/// `long long`; `void*` of what is no number.
[[nodiscard]] constexpr std::string_view c_type(ParameterKind kind) {
  for (const auto& [number, type] : kNumbers)
    if (number == kind) return type;
  return "void*";
}

}  // namespace jute::launch
