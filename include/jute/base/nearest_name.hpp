#pragma once
// What a misspelled name probably meant; the texts of "unknown name" refusals.
#include <jute/base/export.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The candidate that `name` was probably meant to be; nothing where none is like it. In this
/// order, the first of equals: the same letters but for capitals, '-' and '_'; one slip away; one
/// that begins with `name`, or that it begins with; one that has all its words, or whose words it
/// has all; the fewest edits, a third of the letters at most, or half where both begin alike.
///   example  nearest_name("bf61", {"f16", "bf16"}) == "bf16"
///   example  nearest_name("wgmma", {"mma", "wgmma_ss"}) == "wgmma_ss"
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);
/// `a, b, c`
[[nodiscard]] std::string joined(std::span<const std::string> names,
                                 std::string_view separator = ", ");

}  // namespace jute
