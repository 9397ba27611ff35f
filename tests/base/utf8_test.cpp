// Characters of UTF-8, against the encoding of every code point.
#include <jute/base/utf8.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/catch.hpp"

using namespace jute;

namespace {

constexpr std::uint32_t kLastCodePoint = 0x10ffff;

/// The bits of a number in so many bytes, whether or not that is its character: RFC 3629,
/// section 3.
std::string in_bytes(std::uint32_t number, int bytes) {
  constexpr std::array<std::uint32_t, 5> kMarks{0, 0, 0xc0, 0xe0, 0xf0};
  if (bytes == 1) return {static_cast<char>(number)};
  std::string text;
  for (int i = bytes - 1; i > 0; --i, number >>= 6)
    text.insert(text.begin(), static_cast<char>(0x80 | (number & 0x3f)));
  text.insert(text.begin(), static_cast<char>(kMarks[static_cast<std::size_t>(bytes)] | number));
  return text;
}

int fewest_bytes(std::uint32_t number) {
  return number < 0x80 ? 1 : number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
}

bool is_surrogate(std::uint32_t number) { return 0xd800 <= number && number <= 0xdfff; }

/// How many numbers below a bound have another count of bytes than said, in so many bytes.
template <class Said>
int differences(std::uint32_t bound, int bytes, const Said& said) {
  int count = 0;
  for (std::uint32_t number = 0; number < bound; ++number)
    count += int{character_bytes(in_bytes(number, bytes)) != said(number)};
  return count;
}

}  // namespace

TEST_CASE("every code point but a surrogate is a character in its fewest bytes",
          "[base][text][law]") {
  for (const int bytes : {1, 2, 3, 4}) {
    INFO(bytes << " bytes");
    constexpr std::array<std::uint32_t, 5> kBounds{0, 0x80, 0x800, 0x10000, 0x200000};
    CHECK(differences(kBounds[static_cast<std::size_t>(bytes)], bytes, [&](std::uint32_t number) {
            const bool is_one =
                number <= kLastCodePoint && !is_surrogate(number) && fewest_bytes(number) == bytes;
            return is_one ? static_cast<std::size_t>(bytes) : 0;
          }) == 0);
  }
}

TEST_CASE("a character ends where the next begins", "[base][text]") {
  CHECK(character_bytes("abc") == 1);
  CHECK(character_bytes("éa") == 2);
  CHECK(character_bytes("−1") == 3);
  CHECK(character_bytes("\xf0\x9d\x94\x98\x98") == 4);
  CHECK(character_bytes(std::string_view("\0a", 2)) == 1);
}

TEST_CASE("what is no character has no bytes", "[base][text]") {
  CHECK(character_bytes("") == 0);
  const auto [name, text] = GENERATE(table<std::string_view, std::string_view>({
      {"a tail first", "\x80"},
      {"a tail first", "\xbf\x80"},
      {"overlong in two", "\xc0\x80"},
      {"overlong in two", "\xc1\xbf"},
      {"overlong in three", "\xe0\x80\x80"},
      {"overlong in three", "\xe0\x9f\xbf"},
      {"overlong in four", "\xf0\x80\x80\x80"},
      {"overlong in four", "\xf0\x8f\xbf\xbf"},
      {"the first surrogate", "\xed\xa0\x80"},
      {"the last surrogate", "\xed\xbf\xbf"},
      {"beyond U+10FFFF", "\xf4\x90\x80\x80"},
      {"beyond U+10FFFF", "\xf5\x80\x80\x80"},
      {"five bytes", "\xf8\x88\x80\x80\x80"},
      {"no byte of UTF-8", "\xfe"},
      {"no byte of UTF-8", "\xff"},
      {"another character where a tail must stand",
       "\xc3"
       "a"},
      {"another character where a tail must stand",
       "\xe2\x88"
       "a"},
      {"another character where a tail must stand",
       "\xf0\x9d\x94"
       "a"},
      {"a first byte where a tail must stand", "\xe2\xc3\xa9"},
  }));
  INFO(name);
  CHECK(character_bytes(text) == 0);
}

TEST_CASE("a character that the text cuts is none", "[base][text]") {
  for (const std::string_view whole : {"\xc3\xa9", "\xe2\x88\x92", "\xf0\x9d\x94\x98"}) {
    CHECK(character_bytes(whole) == whole.size());
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      INFO(bytes << " of " << whole.size());
      CHECK(character_bytes(whole.substr(0, bytes)) == 0);
    }
  }
}
