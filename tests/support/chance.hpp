#pragma once
// Choices that a seed makes.
#include <jute/base/types.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace jute::test {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  Index below(Index bound) {
    return static_cast<Index>(random_() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(Index count) { return below(count) == 0; }
  template <class Choice>
  const Choice& from(const std::vector<Choice>& choices) {
    return choices[static_cast<std::size_t>(below(std::ssize(choices)))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace jute::test
