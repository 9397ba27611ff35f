#pragma once
// What a misspelled name probably meant; the texts of "unknown name" refusals.
#include <jute/base/export.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The candidate with the smallest edit distance to `name`; nothing when even that one differs in
/// more than half of its letters. Capitals count as small letters; the first of equals wins.
///   example  nearest_name("bf61", {"f16", "bf16"}) == "bf16"
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);
/// `a, b, c`
[[nodiscard]] std::string joined(std::span<const std::string> names,
                                 std::string_view separator = ", ");

}  // namespace jute
