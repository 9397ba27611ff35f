#pragma once
// What proves that two processes know the same secret, and numbers that nobody can guess.
#include <cstddef>
#include <string>
#include <string_view>

namespace jute::base {

inline constexpr std::size_t kDigestBytes = 32;

/// 32 bytes.   source  FIPS 180-4
[[nodiscard]] std::string sha256(std::string_view text);
/// 32 bytes.   source  RFC 2104
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view text);
/// Takes the same time wherever two digests differ.
[[nodiscard]] bool are_same_digest(std::string_view a, std::string_view b);

/// At most 256, by the system's generator.
///   throws  internal: it has none
[[nodiscard]] std::string random_bytes(std::size_t count);

}  // namespace jute::base
