// 2:4 sparse A: finds each group's metadata and spreads its stored values.
#include "emulator/tensor/mma_sparse.hpp"

#include "emulator/tensor/mma.hpp"

#include <algorithm>

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
MetadataBits metadata_bits(const SparseRows& rows, int row, int group) {
  const int row_bits = 4 * rows.k / sparse_group(rows.type);
  const int quad = row % 8 * 4, upper = row / 8;
  const int bit = 4 * group;
  if (row_bits == 16) return {quad + rows.selector, 16 * upper + bit};
  if (row_bits == 64) return {quad + upper + 2 * (bit / 32), bit % 32};
  if (element_bits(rows.type) >= 16)
    return {quad + 2 * rows.selector + bit / 16, 16 * upper + bit % 16};
  return {quad + 2 * rows.selector + upper, bit};
}

unsigned nibble(const SparseRows& rows, int row, int group) {
  const auto [lane, shift] = metadata_bits(rows, row, group);
  return rows.metadata[static_cast<size_t>(lane)] >> shift & 0xF;
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

int sparse_selectors(MmaType type, int k) { return std::max(1, 16 * sparse_group(type) / k); }

std::vector<bool> expand_sparse(const SparseRows& rows, std::span<std::uint32_t> a) {
  const int k = rows.k, group = sparse_group(rows.type), kept = group / 2;
  const auto count = static_cast<size_t>(16 * k);
  const std::vector<std::uint32_t> stored(a.begin(), a.begin() + 8 * k);
  std::vector<bool> is_stored(count);
  std::fill_n(a.begin(), count, 0U);
  for (int row = 0; row < 16; ++row)
    for (int g = 0; g < k / group; ++g) {
      const unsigned bits = nibble(rows, row, g);
      for (int i = 0; i < kept; ++i) {
        const auto at = static_cast<size_t>(row * k + g * group + position(bits, group, i));
        a[at] = stored[static_cast<size_t>(row * k / 2 + g * kept + i)];
        is_stored[at] = true;
      }
    }
  return is_stored;
}

}  // namespace jute::emulator
