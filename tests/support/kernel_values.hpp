#pragma once
// What is known of numbers in a kernel's text.
#include <optional>
#include <string_view>

namespace jute::test {

/// Of an expression, where every launch gives it the same.
using Value = std::optional<long long>;

/// Of a sign between two operands, the more the earlier it is done; 0 of others.
[[nodiscard]] int strength(std::string_view sign);
/// `=`, `+=` and the like.
[[nodiscard]] bool assigns(std::string_view sign);
/// A sum, a comparison, …; of && and || also where one side says it all.
[[nodiscard]] Value combined(std::string_view sign, Value left, Value right);

}  // namespace jute::test
