#pragma once
// Draws by arithmetic of their own, so that no standard library decides what is kept.
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <span>

namespace jute::test {

/// splitmix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators".
class StableDraws {
 public:
  explicit StableDraws(std::uint64_t seed) : state_(seed) {}

  std::uint64_t word() {
    std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  Index below(Index end) { return static_cast<Index>(word() % static_cast<std::uint64_t>(end)); }
  bool one_in(Index n) { return below(n) == 0; }
  template <class Range>
  const auto& from(const Range& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<Index>(std::size(choices))))];
  }

  /// From 1 to 2^most_bits; a multiple of 8 every second time.
  Index extent(Index most_bits) {
    const Index octave = Index{1} << below(most_bits);
    const Index drawn = octave + below(octave) + 1;
    return one_in(2) ? (drawn + 7) / 8 * 8 : drawn;
  }
  Order order() { return one_in(2) ? Order::row : Order::col; }

 private:
  std::uint64_t state_;
};

}  // namespace jute::test
