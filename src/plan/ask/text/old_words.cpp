// Spellings that choices had before, as a table.
#include <jute/plan/ask/old_words.hpp>

#include <algorithm>
#include <array>
#include <atomic>

namespace jute {
namespace {

constexpr std::array<OldWord, 5> kOldWords{{
    {"", "teams", "ping_pong"},
    {"", "slices", "split_k"},
    {"", "meeting", "reduction"},
    {"", "raster_group", "raster_width"},
    {"specialize", "shared", "generic"},
}};

std::atomic<const OldWord*> first_read{nullptr};

}  // namespace

std::span<const OldWord> old_words() { return kOldWords; }

std::string_view today_of(std::string_view choice, std::string_view word) {
  const auto row = std::ranges::find_if(
      kOldWords, [&](const OldWord& one) { return one.choice == choice && one.old == word; });
  if (row == kOldWords.end()) return word;
  const OldWord* none = nullptr;
  first_read.compare_exchange_strong(none, &*row);
  return row->now;
}

const OldWord* old_word_read() { return first_read.load(); }

}  // namespace jute
