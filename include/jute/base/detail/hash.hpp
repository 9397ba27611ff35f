#pragma once
// A 128-bit fingerprint of bytes: cache keys, checksums, kernel names. Not for secrets.
#include <jute/base/export.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace JUTE_API jute {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

/// The same on every machine.
///   source  Appleby, MurmurHash3, x64 128-bit variant, seed 0
[[nodiscard]] Hash128 hash_128(std::span<const std::byte> bytes);
[[nodiscard]] inline Hash128 hash_128(std::string_view text) {
  return hash_128(std::as_bytes(std::span(text)));
}
/// 32 hexadecimal digits.
[[nodiscard]] std::string to_string(const Hash128& hash);

}  // namespace jute
