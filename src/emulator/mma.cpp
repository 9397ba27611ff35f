// mma.sync: gathers fragments into matrices, multiplies them as the tensor core does, scatters D.
#include "emulator/mma.hpp"
#include "emulator/number_fields.hpp"

#include "emulator/aligned_dot.hpp"
#include "emulator/machine.hpp"
#include "emulator/mma_sparse.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace jute::emulator {
namespace {
#include "emulator/lane_float_scalar.inc"

constexpr int kFractionBits = 25;

// Fragment layouts (PTX ISA, matrix fragments for mma). g = lane / 4, t = lane % 4, p elements a
// register. A, register r: row g + 8 (r % 2), columns p t + 4 p (r / 2) and following. B, register
// r: rows p t + 4 p r and following, column g. C, value i: row g + 8 (i / 2), column 2 t + i % 2.
// A of eight rows has its registers in one row group.
struct Place {
  int row = 0;
  int column = 0;
};
Place place_of_a(int lane, int reg, int element, int per_register, bool has_16_rows) {
  const int half = has_16_rows ? reg % 2 : 0;
  const int step = has_16_rows ? reg / 2 : reg;
  return {lane / 4 + 8 * half, per_register * (lane % 4) + 4 * per_register * step + element};
}
Place place_of_b(int lane, int reg, int element, int per_register) {
  return {per_register * (lane % 4) + 4 * per_register * reg + element, lane / 4};
}
Place place_of_c(int lane, int value) {
  return {lane / 4 + 8 * (value / 2), 2 * (lane % 4) + value % 2};
}

u32 read_word(const LaneState& lanes, Slot slot, int lane) {
  u32 value;
  std::memcpy(&value, lanes.at(slot) + static_cast<size_t>(lane) * 4, sizeof(value));
  return value;
}
double read_double(const LaneState& lanes, Slot slot, int lane) {
  double value;
  std::memcpy(&value, lanes.at(slot) + static_cast<size_t>(lane) * 8, sizeof(value));
  return value;
}
void write_word(LaneState& lanes, Slot slot, int lane, u32 value) {
  std::memcpy(lanes.at(slot) + static_cast<size_t>(lane) * 4, &value, sizeof(value));
}

/// A sum of quanta as f32, toward zero; what passes the largest finite value is infinite.
u32 truncate_to_f32(std::int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const double value = std::ldexp(static_cast<double>(sum), exponent - kFractionBits);
  const double magnitude = std::fabs(value);
  const u32 sign = value < 0 ? 0x80000000U : 0;
  if (magnitude >= 0x1p128) return sign | 0x7F800000U;
  u32 bits = bits_of(static_cast<float>(magnitude));
  if (static_cast<double>(float_of(bits)) > magnitude) --bits;
  return sign | bits;
}
/// A sum of quanta as f16, to nearest even; what rounds to zero is +0. Measured on an H200.
u32 round_to_half(std::int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const u32 bits = round_to_format(std::ldexp(static_cast<double>(sum), exponent - kFractionBits),
                                   5, 10, Rounding::nearest);
  return (bits & 0x7FFF) == 0 ? 0 : bits;
}

/// Operands and results of one instruction as plain bits, in (M,K), (K,N) and (M,N) order.
struct Matrices {
  std::array<u32, 16 * 256> a;
  std::array<u32, 256 * 8> b;
  std::array<u32, 16 * 8> c;
  std::array<u32, 16 * 8> d;
};

u32 element_of(u32 word, int index, int bits) {
  if (bits == 32) return word;
  return (word >> (bits * index)) & ((1U << bits) - 1);
}
u32 without_ignored_bits(u32 bits, MmaType type) {
  return type == MmaType::tf32 ? bits >> 13 : bits;
}

void gather(const LaneState& lanes, const MmaUse& use, Matrices& in) {
  const int a_bits = element_bits(use.a);
  const int per_register = 32 / a_bits;
  const int a_depth = use.is_sparse ? use.k / 2 : use.k;
  const int a_registers = use.m * a_depth * a_bits / 1024;
  const int b_registers = use.n * use.k * a_bits / 1024;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int reg = 0; reg < a_registers; ++reg) {
      const u32 word = read_word(lanes, use.a_slots[static_cast<size_t>(reg)], lane);
      for (int i = 0; i < per_register; ++i) {
        const auto [row, column] = place_of_a(lane, reg, i, per_register, use.m == 16);
        in.a[static_cast<size_t>(row * a_depth + column)] =
            without_ignored_bits(element_of(word, i, a_bits), use.a);
      }
    }
    for (int reg = 0; reg < b_registers; ++reg) {
      const u32 word = read_word(lanes, use.b_slots[static_cast<size_t>(reg)], lane);
      for (int i = 0; i < per_register; ++i) {
        const auto [row, column] = place_of_b(lane, reg, i, per_register);
        in.b[static_cast<size_t>(row * 8 + column)] =
            without_ignored_bits(element_of(word, i, a_bits), use.b);
      }
    }
    const int values = use.m / 4;
    for (int i = 0; i < values; ++i) {
      const auto [row, column] = place_of_c(lane, i);
      const bool packed = use.c == MmaType::f16;
      const u32 word = read_word(lanes, use.c_slots[static_cast<size_t>(packed ? i / 2 : i)], lane);
      in.c[static_cast<size_t>(row * 8 + column)] = packed ? element_of(word, i % 2, 16) : word;
    }
  }
  if (use.is_sparse) {
    std::array<u32, kWarpLanes> metadata;
    std::memcpy(metadata.data(), lanes.at(use.metadata_slot), sizeof(metadata));
    (void)expand_sparse({use.a, use.k, use.selector, metadata}, in.a);
  }
}

void scatter(LaneState& lanes, const MmaUse& use, const Matrices& out, std::uint32_t mask) {
  const int values = use.m / 4;
  const bool packed = use.c == MmaType::f16;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    for (int i = 0; i < values; i += packed ? 2 : 1) {
      const auto [row, column] = place_of_c(lane, i);
      const auto at = static_cast<size_t>(row * 8 + column);
      const u32 word = packed ? out.d[at] | (out.d[at + 1] << 16) : out.d[at];
      write_word(lanes, use.d_slots[static_cast<size_t>(packed ? i / 2 : i)], lane, word);
    }
  }
}

/// Rows and columns that hold an infinity or a NaN, whose sums follow IEEE rules instead.
struct Specials {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  bool any_c = false;
};

/// An infinite or NaN result: any NaN, Inf - Inf or 0 * Inf gives the canonical NaN.
double special_sum(const Matrices& in, const MmaUse& use, int row, int column) {
  double sum = value_of(in.c[static_cast<size_t>(row * 8 + column)], use.c);
  for (int k = 0; k < use.k; ++k) {
    const double product = value_of(in.a[static_cast<size_t>(row * use.k + k)], use.a) *
                           value_of(in.b[static_cast<size_t>(k * 8 + column)], use.b);
    if (product - product != 0 || sum - sum != 0) sum += product;
  }
  return sum;
}

void aligned_mma(const MmaUse& use, Matrices& mats) {
  static const AlignedDotFunction run = best_aligned_dot();
  thread_local AlignedDot dot;
  const NumberFields a = fields_of(use.a);
  const NumberFields b = fields_of(use.b);
  const NumberFields c = fields_of(use.c);
  dot.rows = use.m;
  dot.depth = use.k;
  dot.product_shift = kFractionBits - a.mantissa - b.mantissa;
  dot.c_shift = kFractionBits - c.mantissa;
  Specials special;
  for (int i = 0; i < use.m * use.k; ++i) {
    const u32 bits = mats.a[static_cast<size_t>(i)];
    split_number(bits, a, dot.a, i);
    special.rows |= is_special(bits, use.a) ? 1U << (i / use.k) : 0;
  }
  for (int i = 0; i < use.k * 8; ++i) {
    const u32 bits = mats.b[static_cast<size_t>(i)];
    split_number(bits, b, dot.b, i);
    special.columns |= is_special(bits, use.b) ? 1U << (i % 8) : 0;
  }
  for (int i = 0; i < use.m * 8; ++i) {
    split_number(mats.c[static_cast<size_t>(i)], c, dot.c, i);
    special.any_c |= is_special(mats.c[static_cast<size_t>(i)], use.c);
  }
  run(dot);
  for (int i = 0; i < use.m * 8; ++i) {
    const auto at = static_cast<size_t>(i);
    const bool exponent_is_zero = dot.exponent[i] < kZeroExponent / 2;
    const bool is_odd = ((special.rows >> (i / 8)) & 1) != 0 ||
                        ((special.columns >> (i % 8)) & 1) != 0 ||
                        (special.any_c && is_special(mats.c[at], use.c));
    if (is_odd) {
      const auto sum = static_cast<float>(special_sum(mats, use, i / 8, i % 8));
      mats.d[at] = use.c == MmaType::f16 ? to_half(canonical(sum)).bits : bits_of(canonical(sum));
    } else if (exponent_is_zero) {
      mats.d[at] = 0;
    } else {
      mats.d[at] = use.c == MmaType::f16 ? round_to_half(dot.sum[i], dot.exponent[i])
                                         : truncate_to_f32(dot.sum[i], dot.exponent[i]);
    }
  }
}

u32 fp8_to_half(u32 bits, MmaType type) {
  if (type == MmaType::e5m2) return (bits & 0x7F) > 0x7C ? 0x7FFF : bits << 8;
  const u32 magnitude = bits & 0x7F;
  const u32 sign = (bits & 0x80) << 8;
  if (magnitude == 0x7F) return 0x7FFF;
  if (magnitude >= 8) return sign | ((magnitude << 7) + (8U << 10));
  return sign | to_half(static_cast<float>(magnitude) * 0x1p-9F).bits;
}

// fp8 runs as two f16 steps of 16 from zero: first the k with k % 4 < 2, then the others; C is
// added last, to nearest. All three in the accumulator's type.
void two_step_mma(const MmaUse& use, Matrices& mats) {
  MmaUse half = use;
  half.k = use.k / 2;
  half.a = half.b = MmaType::f16;
  Matrices step;
  step.d.fill(0);
  for (int phase = 0; phase < 2; ++phase) {
    step.c = step.d;
    for (int k = 0; k < half.k; ++k) {
      const int from = k / 2 * 4 + k % 2 + 2 * phase;
      for (int row = 0; row < use.m; ++row)
        step.a[static_cast<size_t>(row * half.k + k)] =
            fp8_to_half(mats.a[static_cast<size_t>(row * use.k + from)], use.a);
      for (int column = 0; column < 8; ++column)
        step.b[static_cast<size_t>(k * 8 + column)] =
            fp8_to_half(mats.b[static_cast<size_t>(from * 8 + column)], use.b);
    }
    aligned_mma(half, step);
  }
  for (size_t i = 0; i < mats.d.size(); ++i) {
    if (use.c == MmaType::f16) {
      const Half d{static_cast<u16>(step.d[i])}, c{static_cast<u16>(mats.c[i])};
      mats.d[i] = to_half(to_float(d) + to_float(c)).bits;
    } else {
      mats.d[i] = bits_of(canonical(float_of(step.d[i]) + float_of(mats.c[i])));
    }
  }
}

std::int64_t integer_of(u32 bits, MmaType type) {
  switch (type) {
    case MmaType::s8:
      return static_cast<s8>(bits);
    case MmaType::s4:
      return static_cast<s32>(bits << 28) >> 28;
    default:
      return bits;
  }
}
void integer_mma(const MmaUse& use, Matrices& mats) {
  for (int row = 0; row < use.m; ++row) {
    for (int column = 0; column < 8; ++column) {
      const auto at = static_cast<size_t>(row * 8 + column);
      std::int64_t sum = static_cast<s32>(mats.c[at]);
      for (int k = 0; k < use.k; ++k) {
        const u32 a = mats.a[static_cast<size_t>(row * use.k + k)];
        const u32 b = mats.b[static_cast<size_t>(k * 8 + column)];
        switch (use.arithmetic) {
          case MmaArithmetic::bits_and:
            sum += a & b;
            break;
          case MmaArithmetic::bits_xor:
            sum += a ^ b;
            break;
          default:
            sum += integer_of(a, use.a) * integer_of(b, use.b);
            break;
        }
      }
      constexpr std::int64_t kMost = std::numeric_limits<s32>::max();
      if (use.saturates) sum = sum > kMost ? kMost : sum < -kMost - 1 ? -kMost - 1 : sum;
      mats.d[at] = static_cast<u32>(sum);
    }
  }
}

void f64_mma(LaneState& lanes, const MmaUse& use, std::uint32_t mask) {
  std::array<double, 16 * 16> a{};
  std::array<double, 16 * 8> b{};
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int reg = 0; reg < use.m * use.k / 32; ++reg) {
      const auto [row, column] = place_of_a(lane, reg, 0, 1, use.m == 16);
      a[static_cast<size_t>(row * use.k + column)] =
          read_double(lanes, use.a_slots[static_cast<size_t>(reg)], lane);
    }
    for (int reg = 0; reg < use.k / 4; ++reg) {
      const auto [row, column] = place_of_b(lane, reg, 0, 1);
      b[static_cast<size_t>(row * 8 + column)] =
          read_double(lanes, use.b_slots[static_cast<size_t>(reg)], lane);
    }
  }
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    for (int i = 0; i < use.m / 4; ++i) {
      const auto [row, column] = place_of_c(lane, i);
      double sum = read_double(lanes, use.c_slots[static_cast<size_t>(i)], lane);
      for (int k = 0; k < use.k; ++k)
        sum = fused(a[static_cast<size_t>(row * use.k + k)], b[static_cast<size_t>(k * 8 + column)],
                    sum);
      std::memcpy(lanes.at(use.d_slots[static_cast<size_t>(i)]) + static_cast<size_t>(lane) * 8,
                  &sum, 8);
    }
  }
}

}  // namespace

int element_bits(MmaType type) {
  switch (type) {
    case MmaType::f64:
      return 64;
    case MmaType::tf32:
    case MmaType::f32:
    case MmaType::s32:
      return 32;
    case MmaType::f16:
    case MmaType::bf16:
      return 16;
    case MmaType::s4:
    case MmaType::u4:
      return 4;
    case MmaType::b1:
      return 1;
    default:
      return 8;
  }
}

void run_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const MmaUse& use = static_cast<Warp&>(lanes).block->program.mmas[instruction.extra];
  if (use.arithmetic == MmaArithmetic::fused) return f64_mma(lanes, use, mask);
  thread_local Matrices mats;
  gather(lanes, use, mats);
  switch (use.arithmetic) {
    case MmaArithmetic::aligned:
      aligned_mma(use, mats);
      break;
    case MmaArithmetic::two_steps:
      two_step_mma(use, mats);
      break;
    default:
      integer_mma(use, mats);
      break;
  }
  scatter(lanes, use, mats, mask);
}

// Quadpair q holds threads 4q..4q+3 and 16+4q..16+4q+3 (PTX ISA, mma.m8n8k4 with f16): each
// computes an 8x8x4 product of its own. In a quadpair h = lane / 16 and t = lane % 4.
//   A row:  row t + 4h, k = i.           A col: rows i + 4h, k = t.
//   B col:  k = i, column t + 4h.        B row: k = t, columns i + 4h.
//   D f16:  row t + 4h, column i.        D f32: see below.
void run_quadpair_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const MmaUse& use = static_cast<Warp&>(lanes).block->program.mmas[instruction.extra];
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
          float sum = 0;
          for (int k = 0; k < 4; ++k) sum = std::fma(a[row][k], b[k][column], sum);
          const u32 c =
              read_word(lanes, use.c_slots[static_cast<size_t>(packed ? i / 2 : i)], lane);
          if (packed) {
            const float total = sum + to_float(Half{static_cast<u16>(c >> (16 * (i % 2)))});
            words[static_cast<size_t>(i / 2)] |= u32{to_half(canonical(total)).bits}
                                                 << (16 * (i % 2));
          } else {
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
