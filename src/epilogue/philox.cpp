// Philox, as kernels_templates/epilogue/functions.cu has it.
#include <jute/epilogue/philox.hpp>

namespace jute {

std::array<std::uint32_t, 4> philox_4x32_10(std::array<std::uint32_t, 4> counter,
                                            std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
  constexpr std::uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};
  constexpr int kRounds = 10, kWordBits = 32;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = kMultipliers[0] * counter[0], second = kMultipliers[1] * counter[2];
    counter = {static_cast<std::uint32_t>(second >> kWordBits) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> kWordBits) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

std::uint32_t random_word(std::int32_t seed, std::int64_t place, std::int64_t batch) {
  constexpr int kWordBits = 32;
  const auto wide = static_cast<std::uint64_t>(place);
  return philox_4x32_10(
      {static_cast<std::uint32_t>(wide), static_cast<std::uint32_t>(wide >> kWordBits),
       static_cast<std::uint32_t>(batch), 0},
      {static_cast<std::uint32_t>(seed), 0})[0];
}

}  // namespace jute
