// ldmatrix, stmatrix and movmatrix: 8x8 matrices of 16-bit elements between shared memory and
// lanes.
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"

#include <algorithm>
#include <cstring>

namespace jute::emulator {
namespace {

using Halves = std::array<std::uint16_t, 64>;  // (row, column) of one matrix

// Register of lane l: row l / 4, columns 2 (l % 4) and the next (PTX ISA, ldmatrix).
std::uint32_t read_pair(const Halves& matrix, size_t lane, bool transposed) {
  const size_t row = lane / 4;
  const size_t column = 2 * (lane % 4);
  const std::uint32_t low = transposed ? matrix[column * 8 + row] : matrix[row * 8 + column];
  const std::uint32_t high =
      transposed ? matrix[(column + 1) * 8 + row] : matrix[row * 8 + column + 1];
  return low | (high << 16);
}
void write_pair(Halves& matrix, size_t lane, std::uint32_t pair, bool transposed) {
  const size_t row = lane / 4;
  const size_t column = 2 * (lane % 4);
  matrix[transposed ? column * 8 + row : row * 8 + column] = static_cast<std::uint16_t>(pair);
  matrix[transposed ? (column + 1) * 8 + row : row * 8 + column + 1] =
      static_cast<std::uint16_t>(pair >> 16);
}

/// Lanes whose addresses count: eight a matrix.
std::uint32_t address_lanes(int count) { return count == 4 ? kAllLanes : (1U << (8 * count)) - 1; }
constexpr int kRowBytes = 16;

// A lane's register holds a pair of elements of one row, or of two when transposed.
void poison_matrices(Warp& warp, const MatrixUse& use, const Resolved& where) {
  for (int m = 0; m < use.count; ++m) {
    std::uint32_t lanes = 0;
    for (int pair = 0; pair < 4; ++pair) {
      // Undefined halves of columns 2 pair and 2 pair + 1, by the rows that lanes point at.
      for (int half = 0; half < 2; ++half) {
        const int column = 2 * pair + half;
        const std::uint32_t rows =
            undefined_lanes(warp, where, {2 * column, 2, 0xFFFF}) >> (8 * m) & 0xFF;
        for (int row = 0; row < 8; ++row)
          if ((rows >> row & 1) != 0)
            lanes |= 1U << (use.transposes ? column * 4 + row / 2 : row * 4 + pair);
      }
    }
    if (lanes != 0)
      warp.watch.poison(warp, use.slots[static_cast<size_t>(m)], {lanes, kWholeLane},
                        describe_undefined(use.access, kRowBytes));
  }
}

// Values that lanes lack lie in memory as never written.
void store_poison(Warp& warp, const MatrixUse& use, const Resolved& where, std::uint32_t mask) {
  for (size_t m = 0; m < static_cast<size_t>(use.count); ++m) {
    if ((use.slots[m] & kConstantBit) != 0) continue;
    const std::uint32_t lanes = warp.watch.poisoned(use.slots[m]) & mask;
    if (lanes == 0) continue;
    Halves unknown{};
    const LaneBytes bytes = warp.watch.poisoned_bytes(use.slots[m]);
    const std::uint32_t pair =
        ((bytes & 0x3) != 0 ? 0xFFFFU : 0) | ((bytes & 0xC) != 0 ? 0xFFFF0000U : 0);
    for (size_t lane = 0; lane < kWarpLanes; ++lane)
      write_pair(unknown, lane, (lanes >> lane & 1) != 0 ? pair : 0, use.transposes);
    for (size_t half = 0; half < unknown.size(); ++half) {
      std::byte* const row = where.defined[m * 8 + half / 8];
      if (unknown[half] != 0 && row != nullptr) std::fill_n(row + half % 8 * 2, 2, kNeverWritten);
    }
  }
}

}  // namespace

void run_load_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MatrixUse& use = warp.block->program.use_of<MatrixUse>(instruction);
  Resolved where;
  resolve(warp, use.access, kRowBytes, mask & address_lanes(use.count), AccessKind::load, where);
  for (size_t m = 0; m < static_cast<size_t>(use.count); ++m) {
    Halves matrix;
    for (size_t row = 0; row < 8; ++row)
      std::memcpy(&matrix[row * 8], where.data[m * 8 + row], kRowBytes);
    for (const size_t lane : lanes_of(mask)) {
      const std::uint32_t pair = read_pair(matrix, lane, use.transposes);
      std::memcpy(warp.at(use.slots[m]) + lane * 4, &pair, sizeof(pair));
    }
  }
  if (where.tracks_defined && !is_all_written(where, kRowBytes)) poison_matrices(warp, use, where);
}

void run_store_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MatrixUse& use = warp.block->program.use_of<MatrixUse>(instruction);
  Resolved where;
  resolve(warp, use.access, kRowBytes, mask & address_lanes(use.count), AccessKind::store, where);
  if (where.tracks_defined) set_defined(kRowBytes, where);
  if (where.tracks_defined && warp.watch.is_on()) store_poison(warp, use, where, mask);
  ++warp.effects;
  for (size_t m = 0; m < static_cast<size_t>(use.count); ++m) {
    Halves matrix;
    for (size_t lane = 0; lane < kWarpLanes; ++lane) {
      std::uint32_t pair;
      std::memcpy(&pair, warp.at(use.slots[m]) + lane * 4, sizeof(pair));
      write_pair(matrix, lane, pair, use.transposes);
    }
    for (size_t row = 0; row < 8; ++row)
      if (((where.ok >> (m * 8 + row)) & 1) != 0)
        std::memcpy(where.data[m * 8 + row], &matrix[row * 8], kRowBytes);
  }
}

void run_move_matrix(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  Halves matrix;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    std::uint32_t pair;
    std::memcpy(&pair, lanes.at(instruction.src[0]) + lane * 4, sizeof(pair));
    write_pair(matrix, lane, pair, false);
  }
  for (const size_t lane : lanes_of(mask)) {
    const std::uint32_t pair = read_pair(matrix, lane, true);
    std::memcpy(lanes.at(instruction.dst) + lane * 4, &pair, sizeof(pair));
  }
}

}  // namespace jute::emulator
