// LZ4: matches by chains of places that begin alike, the longest taken; and the way back.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/bundle/lz4_frame.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace jute {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kMagic = 0x184D2204;
/// Version 1, independent blocks, the content's size and checksum.
constexpr auto kFlags = std::byte{0x6C};
constexpr auto kLargestBlocks = std::byte{0x70};
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::size_t kHeaderBytes = 15, kStored = std::size_t{1} << 31;
constexpr std::size_t kLeastMatch = 4, kFarthest = 65535;
/// The end of every block: no match begins in its last twelve bytes or reaches its last five.
constexpr std::size_t kNoMatchBegins = 12, kNoMatchReaches = 5;
constexpr std::size_t kMostTried = 256;
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

std::uint64_t number_at(Bytes bytes, std::size_t at, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i)
    number |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
  return number;
}
std::uint32_t word_at(Bytes bytes, std::size_t at) {
  return static_cast<std::uint32_t>(number_at(bytes, at, 4));
}
void put(std::vector<std::byte>& out, std::uint64_t number, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) out.push_back(static_cast<std::byte>(number >> (8 * i)));
}

/// xxHash of 32 bits, seed 0. Source: xxHash fast digest algorithm.
std::uint32_t xxh32(Bytes bytes) {
  constexpr std::uint32_t kP1 = 2654435761U, kP2 = 2246822519U, kP3 = 3266489917U, kP4 = 668265263U,
                          kP5 = 374761393U;
  std::size_t at = 0;
  std::uint32_t hash = kP5;
  if (bytes.size() >= 16) {
    std::array<std::uint32_t, 4> lanes{kP1 + kP2, kP2, 0, 0 - kP1};
    for (; bytes.size() - at >= 16; at += 16)
      for (std::size_t i = 0; i < 4; ++i)
        lanes.at(i) = std::rotl(lanes.at(i) + word_at(bytes, at + 4 * i) * kP2, 13) * kP1;
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
           std::rotl(lanes[3], 18);
  }
  hash += static_cast<std::uint32_t>(bytes.size());
  for (; bytes.size() - at >= 4; at += 4)
    hash = std::rotl(hash + word_at(bytes, at) * kP3, 17) * kP4;
  for (; at < bytes.size(); ++at)
    hash = std::rotl(hash + std::to_integer<std::uint32_t>(bytes[at]) * kP5, 11) * kP1;
  hash = (hash ^ hash >> 15) * kP2;
  hash = (hash ^ hash >> 13) * kP3;
  return hash ^ hash >> 16;
}

struct Match {
  std::size_t length = 0, back = 0;
};

/// Places of a block by their first four bytes, the latest first.
class Chains {
 public:
  explicit Chains(Bytes block) : block_(block), before_(block.size(), kNowhere) {
    latest_.resize(std::size_t{1} << kHashBits, kNowhere);
  }
  void add(std::size_t at) {
    std::size_t& latest = latest_[slot(at)];
    before_[at] = latest;
    latest = at;
  }
  [[nodiscard]] Match longest(std::size_t at) const {
    const std::size_t room = block_.size() - kNoMatchReaches - at;
    Match best;
    std::size_t tried = 0;
    for (std::size_t from = latest_[slot(at)];
         from != kNowhere && at - from <= kFarthest && tried < kMostTried;
         from = before_[from], ++tried) {
      std::size_t length = 0;
      while (length < room && block_[from + length] == block_[at + length]) ++length;
      if (length > best.length) best = {length, at - from};
    }
    return best.length < kLeastMatch ? Match() : best;
  }

 private:
  static constexpr int kHashBits = 15;
  [[nodiscard]] std::size_t slot(std::size_t at) const {
    return word_at(block_, at) * 2654435761U >> (32 - kHashBits);
  }
  Bytes block_;
  std::vector<std::size_t> latest_, before_;
};

/// The part of a length that its half of the token has no room for.
void put_length(std::vector<std::byte>& out, std::size_t length) {
  if (length < 15) return;
  for (length -= 15; length >= 255; length -= 255) out.push_back(std::byte{255});
  out.push_back(static_cast<std::byte>(length));
}

/// Literals, and the match behind them; the last of a block has none.
void put_sequence(std::vector<std::byte>& out, Bytes literals, const Match& match) {
  const std::size_t more = match.length == 0 ? 0 : match.length - kLeastMatch;
  out.push_back(static_cast<std::byte>(std::min<std::size_t>(literals.size(), 15) << 4 |
                                       std::min<std::size_t>(more, 15)));
  put_length(out, literals.size());
  out.insert(out.end(), literals.begin(), literals.end());
  if (match.length == 0) return;
  put(out, match.back, 2);
  put_length(out, more);
}

std::vector<std::byte> packed(Bytes block) {
  std::vector<std::byte> out;
  Chains chains(block);
  std::size_t at = 0, literals = 0;
  while (at + kNoMatchBegins < block.size()) {
    const Match match = chains.longest(at);
    chains.add(at);
    if (match.length == 0) {
      ++at;
      continue;
    }
    put_sequence(out, block.subspan(literals, at - literals), match);
    const std::size_t end = at + match.length;
    for (++at; at < end; ++at)
      if (at + kLeastMatch <= block.size()) chains.add(at);
    literals = at;
  }
  put_sequence(out, block.subspan(literals), {});
  return out;
}

[[noreturn]] void refuse_frame(const char* rule) {
  jute::refuse(ErrorCode::syntax, "LZ4 frame", "", rule);
}
void require(bool holds, const char* rule) {
  if (!holds) refuse_frame(rule);
}

std::size_t length_of(Bytes block, std::size_t& at, std::size_t length) {
  if (length < 15) return length;
  for (bool is_last = false; !is_last; ++at) {
    require(at < block.size(), "a length must end within its block");
    length += std::to_integer<std::size_t>(block[at]);
    is_last = block[at] != std::byte{255};
  }
  return length;
}

void unpack(Bytes block, std::size_t most, std::vector<std::byte>& out) {
  for (std::size_t at = 0; at < block.size();) {
    const auto token = std::to_integer<std::size_t>(block[at++]);
    const std::size_t literals = length_of(block, at, token >> 4);
    require(literals <= block.size() - at && literals <= most - out.size(),
            "literals must lie within their block, and the content within its size");
    const Bytes copied = block.subspan(at, literals);
    out.insert(out.end(), copied.begin(), copied.end());
    at += literals;
    if (at == block.size()) return;
    require(block.size() - at >= 2, "a match must have an offset");
    const auto back = static_cast<std::size_t>(number_at(block, at, 2));
    at += 2;
    const std::size_t length = length_of(block, at, token & 15) + kLeastMatch;
    require(back > 0 && back <= out.size() && length <= most - out.size(),
            "a match must lie within the content");
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - back]);
  }
}

}  // namespace

std::vector<std::byte> lz4_frame(Bytes content) {
  std::vector<std::byte> frame;
  put(frame, kMagic, 4);
  frame.push_back(kFlags);
  frame.push_back(kLargestBlocks);
  put(frame, content.size(), 8);
  frame.push_back(static_cast<std::byte>(xxh32(Bytes(frame).subspan(4)) >> 8));
  for (std::size_t at = 0; at < content.size(); at += kBlockBytes) {
    const Bytes block = content.subspan(at, std::min(kBlockBytes, content.size() - at));
    const std::vector<std::byte> smaller = packed(block);
    const bool is_stored = smaller.size() >= block.size();
    const Bytes bytes = is_stored ? block : Bytes(smaller);
    put(frame, bytes.size() | (is_stored ? kStored : 0), 4);
    frame.insert(frame.end(), bytes.begin(), bytes.end());
  }
  put(frame, 0, 4);
  put(frame, xxh32(content), 4);
  return frame;
}

std::vector<std::byte> content_of_lz4_frame(Bytes frame) {
  require(frame.size() >= kHeaderBytes + 8 && word_at(frame, 0) == kMagic && frame[4] == kFlags,
          "it must be a frame of independent blocks with the content's size and checksum");
  const std::uint32_t sum = xxh32(frame.subspan(4, kHeaderBytes - 5)) >> 8 & 255;
  require(std::to_integer<std::uint32_t>(frame[kHeaderBytes - 1]) == sum,
          "its header must be as it was written");
  const std::uint64_t size = number_at(frame, 6, 8);
  // A byte stands for at most 255 of the content.
  require(size / 255 <= frame.size(), "the content must have the size that it says");
  std::vector<std::byte> content;
  std::size_t at = kHeaderBytes;
  while (true) {
    require(frame.size() - at >= 4, "it must end with a block of no bytes and a checksum");
    const std::size_t word = word_at(frame, at), bytes = word & (kStored - 1);
    at += 4;
    if (word == 0) break;
    require(bytes <= frame.size() - at, "a block must lie within its frame");
    const Bytes block = frame.subspan(at, bytes);
    at += bytes;
    if ((word & kStored) == 0) {
      unpack(block, size, content);
      continue;
    }
    require(bytes <= size - content.size(), "the content must have the size that it says");
    content.insert(content.end(), block.begin(), block.end());
  }
  require(content.size() == size, "the content must have the size that it says");
  require(frame.size() - at == 4 && word_at(frame, at) == xxh32(content),
          "the content must be as it was written");
  return content;
}

}  // namespace jute
