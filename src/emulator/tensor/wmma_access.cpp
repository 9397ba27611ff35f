// wmma.load and wmma.store: elements between memory and the tiles of mma's operands.
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"

#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {

/// Row and column in the matrix of one element of a lane's register.
Place place_of(const WmmaAccess& use, int lane, int reg, int element, int per_register) {
  using Matrix = WmmaAccess::Matrix;
  const int tile = reg / use.tile_registers;
  const int local = reg % use.tile_registers;
  const bool is_mma_a = (use.matrix == Matrix::a) != use.is_transposed;
  Place place;
  if (use.matrix == Matrix::c) {
    place = place_of_c(lane, local * per_register + element);
  } else if (is_mma_a) {
    place = place_of_a(lane, local, element, per_register, use.has_16_rows);
  } else {
    place = place_of_b(lane, local, element, per_register);
  }
  if (use.is_transposed) place = {place.column, place.row};
  (use.tiles_are_rows ? place.row : place.column) += tile * use.tile_extent;
  return place;
}

/// One piece of a register: an element, or all of a register whose elements have less than a byte.
struct Piece {
  int reg = 0;
  int element = 0;
  int per_register = 1;
  int bits = 16;  ///< of an element
  size_t bytes = 2;
};

Addresses find_addresses(const Warp& warp, const WmmaAccess& use, const Piece& piece) {
  Addresses addresses = gather_addresses(warp, use.access);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const Place place = place_of(use, lane, piece.reg, piece.element, piece.per_register);
    const auto stride = static_cast<std::int64_t>(read_word(warp, use.stride, lane));
    const std::int64_t index =
        use.is_column_major ? place.column * stride + place.row : place.row * stride + place.column;
    addresses[static_cast<size_t>(lane)] += static_cast<std::uint64_t>(index * piece.bits / 8);
  }
  return addresses;
}

void load_piece(Warp& warp, const WmmaAccess& use, const Piece& piece, const Resolved& where,
                std::uint32_t mask) {
  const size_t register_bytes = use.type == MmaType::f64 ? 8 : 4;
  const auto size = static_cast<int>(piece.bytes);
  const std::uint32_t poisoned = where.tracks_defined && !is_all_written(where, size)
                                     ? undefined_lanes(warp, where, {0, size, 0xFFFF})
                                     : 0;
  for (size_t copy = static_cast<size_t>(piece.reg); copy < use.registers.size();
       copy += use.distinct) {
    std::byte* const target =
        warp.at(use.registers[copy]) + static_cast<size_t>(piece.element) * piece.bytes;
    for (const size_t lane : lanes_of(mask))
      std::memcpy(target + lane * register_bytes, where.data[lane], piece.bytes);
    if (poisoned != 0)
      warp.watch.poison(warp, use.registers[copy], {poisoned, kWholeLane},
                        describe_undefined(use.access, size));
  }
}

void store_piece(Warp& warp, const WmmaAccess& use, const Piece& piece, const Resolved& where) {
  const size_t register_bytes = use.type == MmaType::f64 ? 8 : 4;
  const Slot slot = use.registers[static_cast<size_t>(piece.reg)];
  const std::byte* const source = warp.at(slot) + static_cast<size_t>(piece.element) * piece.bytes;
  if (where.tracks_defined) set_defined(static_cast<int>(piece.bytes), where);
  for (const size_t lane : lanes_of(where.ok))
    std::memcpy(where.data[lane], source + lane * register_bytes, piece.bytes);
}

}  // namespace

void run_wmma_access(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const WmmaAccess& use = warp.block->program.use_of<WmmaAccess>(instruction);
  const int bits = element_bits(use.type);
  const int register_bits = use.type == MmaType::f64 ? 64 : 32;
  Piece piece;
  piece.bits = bits;
  piece.per_register = register_bits / bits;
  piece.bytes = static_cast<size_t>(std::max(bits < 8 ? register_bits : bits, 8)) / 8;
  const int pieces = bits < 8 ? 1 : piece.per_register;
  const AccessSize size{static_cast<int>(piece.bytes), static_cast<int>(piece.bytes)};
  ++warp.effects;
  for (piece.reg = 0; piece.reg < static_cast<int>(use.distinct); ++piece.reg) {
    for (piece.element = 0; piece.element < pieces; ++piece.element) {
      const Addresses addresses = find_addresses(warp, use, piece);
      Resolved where;
      resolve_at(warp, use.access, addresses, size, mask,
                 use.is_store ? AccessKind::store : AccessKind::load, where);
      if (use.is_store) {
        store_piece(warp, use, piece, where);
      } else {
        load_piece(warp, use, piece, where, mask);
      }
    }
  }
}

}  // namespace jute::emulator
