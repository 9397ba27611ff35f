// Volta's product of a quadpair, as later chips compute it: not on tensor cores.
#include <array>
#include <cmath>

#include "emulator/run/machine.hpp"
#include "emulator/tensor/mma.hpp"

namespace jute::emulator {
namespace {
#include "emulator/run/lane_float_scalar.inc"

}  // namespace

// Quadpair q holds threads 4q..4q+3 and 16+4q..16+4q+3 (PTX ISA, mma.m8n8k4 with f16): each
// computes an 8x8x4 product of its own. In a quadpair h = lane / 16 and t = lane % 4.
//   A row:  row t + 4h, k = i.           A col: rows i + 4h, k = t.
//   B col:  k = i, column t + 4h.        B row: k = t, columns i + 4h.
//   D f16:  row t + 4h, column i.        D f32: see below.
// An H200 adds in f32, with k in order and C last; for D of f16 it adds C to the first two
// products, then the sum of the others, and rounds to f16 at the end. So a D of f16 may be -0.
void run_quadpair_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const MmaUse& use = static_cast<Warp&>(lanes).block->program.use_of<MmaUse>(instruction);
  const bool packed = use.c == MmaType::f16;
  for (int quad = 0; quad < 4; ++quad) {
    float a[8][4];
    float b[4][8];
    const auto lane_of = [&](int half, int t) { return 4 * quad + 16 * half + t; };
    for (int half = 0; half < 2; ++half) {
      for (int t = 0; t < 4; ++t) {
        for (int i = 0; i < 4; ++i) {
          const int lane = lane_of(half, t);
          const auto value = [&](const auto& slots) {
            const u32 word = read_word(lanes, slots[static_cast<size_t>(i / 2)], lane);
            return to_float(Half{static_cast<u16>(word >> (16 * (i % 2)))});
          };
          (use.a_is_column ? a[i + 4 * half][t] : a[t + 4 * half][i]) = value(use.a_slots);
          (use.b_is_row ? b[t][i + 4 * half] : b[i][t + 4 * half]) = value(use.b_slots);
        }
      }
    }
    for (int half = 0; half < 2; ++half) {
      for (int t = 0; t < 4; ++t) {
        const int lane = lane_of(half, t);
        if (((mask >> lane) & 1) == 0) continue;
        std::array<u32, 8> words{};
        for (int i = 0; i < 8; ++i) {
          const int row = packed ? t + 4 * half : (t & 1) + (i & 2) + 4 * half;
          const int column = packed ? i : (i & 4) + (t & 2) + (i & 1);
          const u32 c =
              read_word(lanes, use.c_slots[static_cast<size_t>(packed ? i / 2 : i)], lane);
          const auto product = [&](int k, float sum) {
            return std::fma(a[row][k], b[k][column], sum);
          };
          if (packed) {
            const float first = product(1, a[row][0] * b[0][column]);
            const float second = product(3, a[row][2] * b[2][column]);
            const float sum =
                first + to_float(Half{static_cast<u16>(c >> (16 * (i % 2)))}) + second;
            words[static_cast<size_t>(i / 2)] |= u32{to_half(canonical(sum)).bits}
                                                 << (16 * (i % 2));
          } else {
            const float sum = product(3, product(2, product(1, product(0, 0))));
            words[static_cast<size_t>(i)] = bits_of(canonical(sum + float_of(c)));
          }
        }
        for (size_t i = 0; i < (packed ? 4U : 8U); ++i)
          write_word(lanes, use.d_slots[i], lane, words[i]);
      }
    }
  }
}

}  // namespace jute::emulator
