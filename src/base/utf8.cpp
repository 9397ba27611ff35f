// UTF-8 by the grammar of RFC 3629, section 4.
#include <jute/base/utf8.hpp>

#include <algorithm>
#include <array>

namespace jute {
namespace {

struct ByteRange {
  unsigned char low;
  unsigned char high;
  [[nodiscard]] bool holds(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return low <= byte && byte <= high;
  }
};

constexpr ByteRange kTail{0x80, 0xbf};

/// Characters by their first byte. The second's range is what keeps out overlong forms, surrogates
/// and what lies beyond U+10FFFF; a third and a fourth are any tail.
struct CharacterRow {
  ByteRange first;
  std::size_t bytes;
  ByteRange second;
};
constexpr std::array kCharacters{
    CharacterRow{{0x00, 0x7f}, 1, kTail},        CharacterRow{{0xc2, 0xdf}, 2, kTail},
    CharacterRow{{0xe0, 0xe0}, 3, {0xa0, 0xbf}}, CharacterRow{{0xe1, 0xec}, 3, kTail},
    CharacterRow{{0xed, 0xed}, 3, {0x80, 0x9f}}, CharacterRow{{0xee, 0xef}, 3, kTail},
    CharacterRow{{0xf0, 0xf0}, 4, {0x90, 0xbf}}, CharacterRow{{0xf1, 0xf3}, 4, kTail},
    CharacterRow{{0xf4, 0xf4}, 4, {0x80, 0x8f}},
};

}  // namespace

std::size_t character_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto* row = std::ranges::find_if(
      kCharacters, [&](const CharacterRow& each) { return each.first.holds(text.front()); });
  if (row == kCharacters.end() || row->bytes > text.size()) return 0;
  if (row->bytes == 1) return 1;
  if (!row->second.holds(text[1])) return 0;
  const auto is_tail = [](char c) { return kTail.holds(c); };
  return std::ranges::all_of(text.substr(2, row->bytes - 2), is_tail) ? row->bytes : 0;
}

}  // namespace jute
