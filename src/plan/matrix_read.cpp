// Matches the source and destination layouts of matrix loads with fragments in shared memory.
#include "plan/matrix_read.hpp"

#include <utility>
#include <vector>

#include "plan/rules.hpp"

namespace jute::plan {
namespace {

constexpr int kWarp = 32;
constexpr int kRowBits = 128;

/// Which (lane, value) of the destination receives each element of the atom's data, in bit order.
std::vector<std::pair<int, int>> receivers(const CopyAtom& atom, int element_bits) {
  const Index bits_per_lane = size(atom.dst_layout[1]);
  std::vector<std::pair<int, int>> result(static_cast<size_t>(kWarp * bits_per_lane / element_bits),
                                          {-1, -1});
  for (int lane = 0; lane < kWarp; ++lane)
    for (int value = 0; value < bits_per_lane / element_bits; ++value) {
      const Index bit = atom.dst_layout(lane, Index{value} * element_bits);
      result[static_cast<size_t>(bit / element_bits)] = {lane, value};
    }
  return result;
}

/// Where a fragment lies in its tile, and where the tile's memory has it.
struct FragmentPlace {
  TileAccess tile, memory;
};

FragmentPlace place_of(const Fragment& fragment, const ComposedLayout& smem) {
  const TileAccess tile = tile_access(fragment.tv);
  return {tile, follow(tile, smem)};
}

/// `matrix_read`, the fragment's place known.
std::optional<MatrixRead> matrix_read_at(const FragmentPlace& place, const CopyAtom& atom,
                                         const Fragment& fragment, const ComposedLayout& smem,
                                         DType type) {
  const int element_bits = width_bits(type);
  const int in_row = kRowBits / element_bits;
  const int per_read = static_cast<int>(size(atom.dst_layout[1])) / element_bits;
  const int in_step = fragment.values * fragment.repeats;
  if (per_read == 0 || in_step % per_read != 0 || threads(atom) != kWarp) return std::nullopt;
  // A matrix load takes absolute addresses: a swizzle must repeat within the alignment of the
  // stages.
  if (swizzle_span(smem.swizzle()) * element_bits > 1024 * 8) return std::nullopt;
  const std::vector<std::pair<int, int>> receiver = receivers(atom, element_bits);
  const auto& [tile, memory] = place;
  MatrixRead read{atom,
                  per_read * element_bits / 32,
                  in_step / per_read,
                  {tile.threads, tile.values / per_read, {}}};
  for (int load = 0; load < tile.values / per_read; ++load)
    for (int thread = 0; thread < tile.threads; ++thread) {
      const int warp = thread / kWarp * kWarp;
      const Index first_bit = atom.src_layout(thread % kWarp, 0);
      Index address = 0;
      for (int element = 0; element < in_row; ++element) {
        const auto [lane, value] =
            receiver[static_cast<size_t>(first_bit / element_bits + element)];
        if (lane < 0) return std::nullopt;
        const Index offset = memory(warp + lane, load * per_read + value);
        if (element == 0) {
          address = offset;
          read.rows.offsets.push_back(tile(warp + lane, load * per_read + value));
        }
        if (address % in_row != 0 || offset != address + element) return std::nullopt;
      }
    }
  return read;
}

}  // namespace

std::optional<MatrixRead> matrix_read(const CopyAtom& atom, const Fragment& fragment,
                                      const ComposedLayout& smem, DType type) {
  return matrix_read_at(place_of(fragment, smem), atom, fragment, smem, type);
}

std::optional<MatrixRead> widest_matrix_read(const Catalogue& catalogue, Arch arch,
                                             const Fragment& fragment, const ComposedLayout& smem,
                                             DType type) {
  const FragmentPlace place = place_of(fragment, smem);
  std::optional<MatrixRead> best;
  for (const CopyAtom& atom : catalogue.copies(CopyForm::ldmatrix, arch)) {
    std::optional<MatrixRead> read = matrix_read_at(place, atom, fragment, smem, type);
    if (read && (!best || read->registers > best->registers)) best = std::move(read);
  }
  return best;
}

}  // namespace jute::plan
