#pragma once
// Random numbers that are the same on every machine.
#include <jute/base/export.hpp>

#include <cstdint>

namespace JUTE_API jute {

/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014
/// (SplitMix64).
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Sum of twelve uniform numbers: mean 0, deviation 1, and the same on every machine because only
  /// additions are involved.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t word = bits();
      for (int part = 0; part < 3; ++part)
        sum += static_cast<double>((word >> (21 * part)) & 0x1FFFFF) / 2097151.0;
    }
    return sum;
  }
  /// From 0 to below 1.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace jute
