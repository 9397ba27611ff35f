// MurmurHash3, x64 128-bit variant.
#include <jute/base/detail/hash.hpp>

#include <bit>
#include <cstring>

namespace jute {
namespace {

constexpr std::uint64_t kFirst = 0x87c37b91114253d5ULL;
constexpr std::uint64_t kSecond = 0x4cf5ad432745937fULL;
constexpr size_t kBlock = 16;

/// Eight bytes, the first of them lowest, on any machine.
std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

std::uint64_t finished(std::uint64_t word) {
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccdULL;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53ULL;
  return word ^ (word >> 33);
}

std::uint64_t mixed_first(std::uint64_t word) { return std::rotl(word * kFirst, 31) * kSecond; }
std::uint64_t mixed_second(std::uint64_t word) { return std::rotl(word * kSecond, 33) * kFirst; }

}  // namespace

Hash128 hash_128(std::span<const std::byte> bytes) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  const size_t blocks = bytes.size() / kBlock;
  for (size_t i = 0; i < blocks; ++i) {
    const std::byte* block = bytes.data() + i * kBlock;
    first = (std::rotl(first ^ mixed_first(word_at(block)), 27) + second) * 5 + 0x52dce729;
    second = (std::rotl(second ^ mixed_second(word_at(block + 8)), 31) + first) * 5 + 0x38495ab5;
  }
  // The rest, filled up with zeros, mixes to zero where it is empty.
  std::byte tail[kBlock] = {};
  const size_t rest = bytes.size() % kBlock;
  if (rest > 0) std::memcpy(tail, bytes.data() + blocks * kBlock, rest);
  second ^= mixed_second(word_at(tail + 8));
  first ^= mixed_first(word_at(tail));

  first ^= bytes.size();
  second ^= bytes.size();
  first += second;
  second += first;
  first = finished(first);
  second = finished(second);
  first += second;
  second += first;
  return {first, second};
}

std::string to_string(const Hash128& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t word : {hash.high, hash.low})
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(word >> shift) & 15];
  return text;
}

}  // namespace jute
