#pragma once
// How far one name is from others, in letters.
#include <jute/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Edit distances from one text to many: the insertions, deletions and replacements of a character
/// that turn one into the other. A query costs one step for each character of `other` and each 64
/// characters of the text.
///   example  EditDistance("bf61").to("bf16") == 2
class EditDistance {
 public:
  explicit EditDistance(std::string_view text);
  /// The distance; any number above `most` where it is greater than that.
  [[nodiscard]] std::size_t to(std::string_view other,
                               std::size_t most = static_cast<std::size_t>(-1));

 private:
  /// Neighbours in a column of the table differ by 1 at most. For 64 rows of it: where a row is one
  /// more, or one less, than the row above.
  struct Rows {
    std::uint64_t more = ~std::uint64_t{0};
    std::uint64_t less = 0;
  };
  /// How much the next column changes in one row.
  struct Change {
    bool more = false;
    bool less = false;
  };
  static Change advance(Rows& rows, std::uint64_t equal, Change above, std::uint64_t last);

  std::size_t size_;
  std::size_t words_;                  ///< of 64 characters
  std::vector<std::uint64_t> places_;  ///< for each byte value: where the text has it, as bits
  std::vector<Rows> rows_;             ///< the current column
};

}  // namespace jute
