// Letters: a kind, four bytes of its length, lowest first, and a text.
#include "ranks/letters.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <array>

#include "base/format.hpp"
#include "base/sha256.hpp"

namespace jute::ranks {
namespace {

constexpr std::size_t kCountBytes = 4, kHeadBytes = 1 + kCountBytes;

std::string count_bytes(std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < kCountBytes; ++i) bytes += static_cast<char>(count >> 8 * i & 0xFF);
  return bytes;
}
std::size_t count_at(std::string_view bytes, std::size_t at) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kCountBytes; ++i)
    count |= std::size_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return count;
}

constexpr std::size_t kHelloBytes = 2 * kCountBytes + 2 * base::kDigestBytes;

/// How long a letter's text is, by kinds.
struct LengthRow {
  std::size_t least, most;
};
constexpr std::array<LengthRow, 7> kLengths{{{base::kDigestBytes, base::kDigestBytes},
                                             {kHelloBytes, kHelloBytes},
                                             {base::kDigestBytes, base::kDigestBytes},
                                             {2 * kCountBytes, 2 * kCountBytes + kMostTextBytes},
                                             {kCountBytes, kMostTextsBytes},
                                             {0, kMostFailureBytes},
                                             {0, 0}}};

}  // namespace

void require_text(std::string_view step, const std::string& own) {
  if (step.size() + own.size() <= kMostTextBytes) return;
  jute::refuse(ErrorCode::out_of_range, base::format("text of step {}", step.substr(0, 64)),
               base::format("{} bytes", step.size() + own.size()),
               base::format("it must have at most {} bytes", kMostTextBytes),
               base::format("{}", kMostTextBytes));
}

std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += count_bytes(text.size()) + text;
  return all;
}

std::optional<std::vector<std::string>> unpacked(std::string_view all, std::size_t count) {
  std::vector<std::string> texts;
  while (!all.empty() && texts.size() < count) {
    if (all.size() < kCountBytes) return std::nullopt;
    const std::size_t length = count_at(all, 0);
    all.remove_prefix(kCountBytes);
    if (all.size() < length) return std::nullopt;
    texts.emplace_back(all.substr(0, length));
    all.remove_prefix(length);
  }
  if (!all.empty() || texts.size() != count) return std::nullopt;
  return texts;
}

std::string as_sent(const TcpLetter& letter) {
  return static_cast<char>(letter.kind) + count_bytes(letter.text.size()) + letter.text;
}

void LetterReader::expect(std::initializer_list<LetterKind> kinds) {
  expected_ = 0;
  for (const LetterKind kind : kinds) expected_ |= 1U << static_cast<unsigned>(kind);
}

std::optional<TcpLetter> LetterReader::next() {
  if (is_wrong_ || bytes_.size() < kHeadBytes) return std::nullopt;
  const auto kind = static_cast<unsigned char>(bytes_[0]);
  const std::size_t length = count_at(bytes_, 1);
  is_wrong_ = kind >= kLengths.size() || (expected_ >> kind & 1U) == 0 ||
              length < kLengths[kind].least || length > kLengths[kind].most;
  if (is_wrong_) std::string().swap(bytes_);
  if (is_wrong_ || bytes_.size() - kHeadBytes < length) return std::nullopt;
  TcpLetter letter{static_cast<LetterKind>(kind), bytes_.substr(kHeadBytes, length)};
  bytes_.erase(0, kHeadBytes + length);
  return letter;
}

std::string text_of(const Hello& hello) {
  return count_bytes(static_cast<std::size_t>(hello.rank)) +
         count_bytes(static_cast<std::size_t>(hello.size)) + hello.number + hello.proof;
}

Hello hello_of(std::string_view text) {
  constexpr std::size_t kNumberAt = 2 * kCountBytes;
  return {static_cast<Index>(count_at(text, 0)), static_cast<Index>(count_at(text, kCountBytes)),
          std::string(text.substr(kNumberAt, base::kDigestBytes)),
          std::string(text.substr(kNumberAt + base::kDigestBytes))};
}

std::string proof_of(ProofOf side, const std::string& secret, const Hello& hello,
                     const std::string& challenge) {
  const std::string who = side == ProofOf::rank ? "jute 1: a rank " : "jute 1: rank 0 ";
  return base::hmac_sha256(secret,
                           who + challenge + text_of({hello.rank, hello.size, hello.number, {}}));
}

}  // namespace jute::ranks
