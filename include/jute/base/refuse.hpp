#pragma once
// The usual refusal: one thing that is given breaks one rule.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>

#include <optional>
#include <string>

namespace JUTE_API jute {

/// throws  Exception: one rule is broken; `nearest` is the nearest legal value, if one is near
[[noreturn]] void refuse(ErrorCode code, std::string operand, std::string value, std::string rule,
                         std::optional<std::string> nearest = {});

}  // namespace jute
