#pragma once
// Views drawn at random, and the same Views in other words.
#include <jute/plan/ask/view.hpp>

#include <cstdint>
#include <random>
#include <utility>

namespace jute::test {

/// What may be odd about a View.
enum class Oddity : std::uint8_t {
  places_of_their_own,  ///< modes in any order, gaps between them
  any,                  ///< steps of none, backwards, onto each other as well
};

class ViewDraw {
 public:
  explicit ViewDraw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 1) {}

  /// Another one of elements, with as many modes and as many coordinates of each dimension; each
  /// coordinate has a place of its own.
  [[nodiscard]] View with_other_numbers(const View& view);
  /// 0 … count-1
  Index below(Index count) {
    return static_cast<Index>(engine_() % static_cast<std::uint64_t>(count));
  }
  bool one_in(Index count) { return below(count) == 0; }
  /// An extent of at most so many modes.
  Index extent(Index most);
  /// A View of an operand of these extents, of eight modes at most; its runs are multiples of
  /// `run` elements where that divides the extents.
  View view(Index rows, Index columns, Index batch, Oddity oddity, Index run = 1);
  /// Zeros outside: a box that some coordinates leave.
  View padded_view(Index rows, Index columns, Index batch);
  /// The same function: modes split, modes of one put in, places of a box in the elements' place.
  View in_other_words(const View& view);

 private:
  /// The same with every standard library, as std::shuffle is not.
  template <class Sequence>
  void shuffle(Sequence& sequence) {
    for (std::size_t i = sequence.size(); i > 1; --i)
      std::swap(sequence[i - 1], sequence[static_cast<std::size_t>(below(static_cast<Index>(i)))]);
  }

  std::mt19937_64 engine_;
};

}  // namespace jute::test
