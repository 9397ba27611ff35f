#pragma once
// One way to refuse, and one way to turn a reader's fault into a refusal.
#include <jute/base/error.hpp>
#include <jute/layout/detail/notation.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace jute::layout {

[[noreturn]] void refuse(ErrorCode code, std::string operand, std::string value, std::string rule,
                         std::optional<std::string> nearest_legal = std::nullopt);

/// A text for a message, cut after `most` characters.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

/// `what` names the text: "layout", "tuple", "swizzle". The detail shows the text with a caret.
[[noreturn]] void refuse_text(const Fault& fault, std::string_view what, std::string_view text);

}  // namespace jute::layout
