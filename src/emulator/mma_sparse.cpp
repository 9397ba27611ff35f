// 2:4 sparse A of mma.sp: finds each group's metadata and spreads its stored values.
#include "emulator/mma_sparse.hpp"

#include "emulator/mma.hpp"

#include <algorithm>
#include <cstring>

namespace jute::emulator {
namespace {

struct MetadataBits {
  int lane = 0;
  int shift = 0;
};

// A row has 4 k / group bits of metadata. In the quad of lanes that holds rows g and g + 8:
//   16 bits a row: lane `selector`, row g in the low half, row g + 8 in the high one;
//   32 bits a row: a pair of lanes. Wide types split each row between the lanes, which hold it as
//     above; 8- and 4-bit types give the first lane row g and the second row g + 8;
//   64 bits a row: all four lanes: row g, row g + 8, the second half of row g, of row g + 8.
MetadataBits metadata_bits(const MmaUse& use, int row, int group) {
  const int row_bits = 4 * use.k / sparse_group(use.a);
  const int quad = row % 8 * 4, upper = row / 8;
  const int bit = 4 * group;
  if (row_bits == 16) return {quad + use.selector, 16 * upper + bit};
  if (row_bits == 64) return {quad + upper + 2 * (bit / 32), bit % 32};
  if (element_bits(use.a) >= 16) return {quad + 2 * use.selector + bit / 16, 16 * upper + bit % 16};
  return {quad + 2 * use.selector + upper, bit};
}

unsigned nibble(const LaneState& lanes, const MmaUse& use, int row, int group) {
  const auto [lane, shift] = metadata_bits(use, row, group);
  std::uint32_t word;
  std::memcpy(&word, lanes.at(use.metadata_slot) + static_cast<size_t>(lane) * 4, sizeof(word));
  return word >> shift & 0xF;
}

/// Which position of its group the stored value `index` has. A nibble holds two positions, of
/// values or of pairs of 4-bit values; of 32-bit values those of their halves.
int position(unsigned nibble, int group, int index) {
  if (group == 2) return static_cast<int>(nibble & 3) / 2;
  const int unit = group / 4;
  return static_cast<int>(nibble >> (index / unit == 0 ? 0 : 2) & 3) * unit + index % unit;
}

}  // namespace

int sparse_group(MmaType type) {
  const int bits = element_bits(type);
  return bits == 32 ? 2 : bits == 4 ? 8 : 4;
}

int sparse_selectors(const MmaUse& use) { return std::max(1, 16 * sparse_group(use.a) / use.k); }

void expand_sparse(const LaneState& lanes, const MmaUse& use,
                   std::array<std::uint32_t, 16 * 256>& a) {
  const std::array<std::uint32_t, 16 * 256> stored = a;
  const int group = sparse_group(use.a), kept = group / 2;
  std::fill_n(a.begin(), 16 * use.k, 0U);
  for (int row = 0; row < 16; ++row)
    for (int g = 0; g < use.k / group; ++g) {
      const unsigned bits = nibble(lanes, use, row, g);
      for (int i = 0; i < kept; ++i)
        a[static_cast<size_t>(row * use.k + g * group + position(bits, group, i))] =
            stored[static_cast<size_t>(row * use.k / 2 + g * kept + i)];
    }
}

}  // namespace jute::emulator
