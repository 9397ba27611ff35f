#pragma once
// The text that a kernel's printf makes.
#include <jute/base/types.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jute::emulator {

/// How a printf reaches its arguments, which lie packed one after the other, and the strings that
/// they point to. Each gives nothing where the memory may not be read.
struct PrintfMemory {
  /// An argument of 4 or 8 bytes at this offset.
  std::function<std::optional<std::uint64_t>(Index offset, int bytes)> argument;
  std::function<std::optional<std::string>(std::uint64_t address)> text;
};

/// The text of a printf with CUDA's format: flags, width, precision, hh h l ll z t j, d i u o x X c
/// s p f F e E g G a A and %%. A conversion that it does not know is copied as it stands.
struct PrintfResult {
  std::string text;
  int arguments = 0;  ///< how many it used
};
[[nodiscard]] PrintfResult format_printf(std::string_view format, const PrintfMemory& memory);

}  // namespace jute::emulator
