#pragma once
// What a kernel's text declares a parameter as.
#include <jute/base/export.hpp>
#include <jute/launch/signature.hpp>

#include <string_view>

namespace JUTE_API jute {

/// `long long`; `void*` of what is no number.
[[nodiscard]] constexpr std::string_view c_type(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::i32:
      return "int";
    case ParameterKind::i64:
      return "long long";
    case ParameterKind::u32:
      return "unsigned";
    case ParameterKind::f32:
      return "float";
    case ParameterKind::f64:
      return "double";
    default:
      return "void*";
  }
}

}  // namespace jute
