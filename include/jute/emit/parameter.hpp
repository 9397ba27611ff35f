#pragma once
// A kernel's pointers as its signature declares them.
#include <jute/base/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// Whether a kernel reads a matrix that nothing writes while it runs.
enum class Pointee : std::uint8_t { may_change, constant };
/// `const ElemIn2* in2`: what a pointer of this name points at.
[[nodiscard]] std::string pointer_parameter(std::string_view name, Pointee pointee);

}  // namespace jute
