#pragma once
// An argument that should have been a layout.
#include <jute/expr/value.hpp>

#include <string>

namespace jute::command {

/// Offers, for a swizzle alone, a layout behind it.
///   throws  wrong_type
[[noreturn]] void refuse_kind(const std::string& text, const Value& value, const std::string& rule);

}  // namespace jute::command
