#pragma once
// The bytes of one cache entry.
#include <cstdint>
#include <jute/jit/disk_cache.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::jit {

/// Part of every key and of every entry: one more with each change of the format or of what an
/// entry means.
inline constexpr std::uint32_t kCacheSchema = 3;

/// The part of an entry that its key is made of.
struct EntryContent {
  std::string key;
  std::string symbol;  ///< the name under which the kernel was compiled
  std::string ptx;
  std::vector<std::byte> cubin;
  std::optional<Resources> resources;
  std::string log;
  bool operator==(const EntryContent&) const = default;
};

/// Magic, schema, lengths, resources, the five texts, and a 128-bit checksum of all before it.
/// Numbers are little-endian.
[[nodiscard]] std::vector<std::byte> write_entry(const EntryContent& content);

/// Nothing unless every byte is as it was written.
[[nodiscard]] std::optional<EntryContent> read_entry(std::span<const std::byte> bytes);

/// The value of a line `name value` of a key; empty when it has none.
[[nodiscard]] std::string_view key_field(std::string_view key, std::string_view name);

}  // namespace jute::jit
