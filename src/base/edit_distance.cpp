// Edit distances, 64 rows of the table at once. Source: Myers, A Fast Bit-Vector Algorithm for
// Approximate String Matching Based on Dynamic Programming, 1999; in blocks as Hyyrö, 2003.
#include <jute/base/detail/edit_distance.hpp>

#include <algorithm>

namespace jute {
namespace {
constexpr std::size_t kWordBits = 64;
}  // namespace

/// Goes on to the next column. `equal`: the rows whose character is that of the new column;
/// `above`: the change of the row above these. Returns the change of the row that `last` marks.
EditDistance::Change EditDistance::advance(Rows& rows, std::uint64_t equal, Change above,
                                           std::uint64_t last) {
  const std::uint64_t diagonal = equal | rows.less;
  if (above.less) equal |= 1;
  const std::uint64_t reach = (((equal & rows.more) + rows.more) ^ rows.more) | equal;
  std::uint64_t more = rows.less | ~(reach | rows.more);
  std::uint64_t less = rows.more & reach;
  const Change change{(more & last) != 0, (less & last) != 0};
  more = more << 1 | (above.more ? 1U : 0U);
  less = less << 1 | (above.less ? 1U : 0U);
  rows.more = less | ~(diagonal | more);
  rows.less = more & diagonal;
  return change;
}

EditDistance::EditDistance(std::string_view text)
    : size_(text.size()), words_((text.size() + kWordBits - 1) / kWordBits), places_(words_ * 256) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    places_[byte * words_ + i / kWordBits] |= std::uint64_t{1} << i % kWordBits;
  }
}

std::size_t EditDistance::to(std::string_view other, std::size_t most) {
  // No fewer edits than the lengths differ by.
  const std::size_t least = std::max(size_, other.size()) - std::min(size_, other.size());
  if (size_ == 0 || least > most) return least;
  rows_.assign(words_, Rows{});
  std::size_t distance = size_;
  for (std::size_t column = 0; column < other.size(); ++column) {
    const std::uint64_t* places = &places_[static_cast<unsigned char>(other[column]) * words_];
    Change change{true, false};
    for (std::size_t i = 0; i < words_; ++i) {
      const std::size_t last = i + 1 < words_ ? kWordBits - 1 : (size_ - 1) % kWordBits;
      change = advance(rows_[i], places[i], change, std::uint64_t{1} << last);
    }
    distance = distance + (change.more ? 1 : 0) - (change.less ? 1 : 0);
    // Each column to come takes back 1 at most.
    const std::size_t remaining = other.size() - column - 1;
    if (distance > remaining && distance - remaining > most) return distance - remaining;
  }
  return distance;
}

}  // namespace jute
