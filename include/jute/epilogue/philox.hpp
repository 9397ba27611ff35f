#pragma once
// Random words that depend on nothing but a seed and a place: what stochastic rounding draws.
#include <jute/base/export.hpp>

#include <array>
#include <cstdint>

namespace JUTE_API jute {

/// Philox 4x32 with ten rounds: four random words for each counter and key.
///   source  Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3 (SC 2011)
[[nodiscard]] std::array<std::uint32_t, 4> philox_4x32_10(std::array<std::uint32_t, 4> counter,
                                                          std::array<std::uint32_t, 2> key);

/// The word that an element of D is rounded by: the first of Philox's for the key (seed, 0) and the
/// counter (place, place / 2^32, batch, 0). `place` is m·N + n, whatever D's order.
[[nodiscard]] std::uint32_t random_word(std::int32_t seed, std::int64_t place, std::int64_t batch);

}  // namespace jute
