// mma.sync: gathers fragments into matrices, multiplies them as the tensor core does, scatters D.
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"

#include "emulator/run/machine.hpp"
#include "emulator/tensor/aligned_dot.hpp"
#include "emulator/tensor/mma_sparse.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace jute::emulator {
namespace {
#include "emulator/run/lane_float_scalar.inc"

double read_double(const LaneState& lanes, Slot slot, int lane) {
  double value;
  std::memcpy(&value, lanes.at(slot) + static_cast<size_t>(lane) * 8, sizeof(value));
  return value;
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
  std::vector<bool> stored;  ///< which of a are stored, of a sparse A; empty: all

  [[nodiscard]] bool is_stored(int place) const {
    return stored.empty() || stored[static_cast<size_t>(place)];
  }
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
  in.stored.clear();
  if (use.is_sparse) {
    std::array<u32, kWarpLanes> metadata;
    std::memcpy(metadata.data(), lanes.at(use.metadata_slot), sizeof(metadata));
    in.stored = expand_sparse({use.a, use.k, use.selector, metadata}, in.a);
  }
}

void scatter(LaneState& lanes, const MmaUse& use, const Matrices& out, std::uint32_t mask) {
  const int values = use.m / 4;
  const bool packed = use.c == MmaType::f16;
  for (const int lane : lanes_of(mask)) {
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

/// A value of B beside one of A that is not stored takes no part in a sum.
std::optional<Factors> factors(const Matrices& in, const MmaUse& use, int row, int column, int k) {
  if (!in.is_stored(row * use.k + k)) return std::nullopt;
  return Factors{in.a[static_cast<size_t>(row * use.k + k)],
                 in.b[static_cast<size_t>(k * 8 + column)]};
}

/// By f32 where that is exact; false, and nothing done, where it is not.
bool scaled_mma(const MmaUse& use, Matrices& mats) {
  static const ScaledDotFunctions& functions = best_scaled_dot();
  if (use.c != MmaType::f32 || use.m != 16) return false;
  std::array<float, 16 * kMostDepth> a, b;
  std::array<std::int32_t, 16 * kMostDepth> a_exponent, b_exponent;
  if (!functions.split(scaled_range(use.a), mats.a.data(), 16 * use.k, a.data(),
                       a_exponent.data()) ||
      !functions.split(scaled_range(use.b), mats.b.data(), 8 * use.k, b.data(), b_exponent.data()))
    return false;
  mats.d = mats.c;
  return functions.sum({.depth = use.k,
                        .fraction = kFractionBits,
                        .a_value = a.data(),
                        .a_exponent = a_exponent.data(),
                        .b_value = b.data(),
                        .b_exponent = b_exponent.data()},
                       mats.d.data()) == 0;
}

void aligned_mma(const MmaUse& use, Matrices& mats) {
  if (scaled_mma(use, mats)) return;
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
    const bool may_be_odd = ((special.rows >> (i / 8)) & 1) != 0 ||
                            ((special.columns >> (i % 8)) & 1) != 0 || special.any_c;
    const auto each = [&](int k) { return factors(mats, use, i / 8, i % 8, k); };
    if (may_be_odd && (is_special(mats.c[at], use.c) || meets_special(use.k, use.a, use.b, each))) {
      const double c_value = value_of(mats.c[at], use.c);
      const auto sum = static_cast<float>(special_sum(c_value, use.k, use.a, use.b, each));
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

// fp8 runs as two f16 steps from zero: the first takes the lower halves of the registers of A,
// which hold the k with k % 4 < 2, of a sparse A every other group of four; the second the upper
// halves. C is added last, to nearest. All three in the accumulator's type.
void two_step_mma(const MmaUse& use, Matrices& mats) {
  MmaUse half = use;
  half.k = use.k / 2;
  half.a = half.b = MmaType::f16;
  const int run = use.is_sparse ? sparse_group(use.a) : 2;
  Matrices step;
  step.d.fill(0);
  if (use.is_sparse) step.stored.resize(static_cast<size_t>(use.m * half.k));
  for (int phase = 0; phase < 2; ++phase) {
    step.c = step.d;
    for (int k = 0; k < half.k; ++k) {
      const int from = k / run * 2 * run + k % run + run * phase;
      for (int row = 0; row < use.m; ++row) {
        const auto place = static_cast<size_t>(row * half.k + k);
        step.a[place] = fp8_to_half(mats.a[static_cast<size_t>(row * use.k + from)], use.a);
        if (use.is_sparse) step.stored[place] = mats.is_stored(row * use.k + from);
      }
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

void bit_mma(const MmaUse& use, Matrices& mats) {
  const bool is_xor = use.arithmetic == MmaArithmetic::bits_xor;
  for (int row = 0; row < use.m; ++row) {
    for (int column = 0; column < 8; ++column) {
      const auto at = static_cast<size_t>(row * 8 + column);
      mats.d[at] = mats.c[at];
      for (int k = 0; k < use.k; ++k) {
        const u32 a = mats.a[static_cast<size_t>(row * use.k + k)];
        const u32 b = mats.b[static_cast<size_t>(k * 8 + column)];
        mats.d[at] += is_xor ? a ^ b : a & b;
      }
    }
  }
}
void integer_mma(const MmaUse& use, Matrices& mats) {
  static const ScaledDotFunctions& functions = best_scaled_dot();
  if (use.arithmetic != MmaArithmetic::integer) return bit_mma(use, mats);
  std::array<std::int32_t, 16 * 2 * kMostDepth> a{};
  std::array<std::int32_t, 8 * 2 * kMostDepth> b;
  std::array<std::int32_t, 16 * 8> sums;
  for (int i = 0; i < use.m * use.k; ++i)
    a[static_cast<size_t>(i)] = integer_of(mats.a[static_cast<size_t>(i)], use.a);
  for (int i = 0; i < use.k * 8; ++i)
    b[static_cast<size_t>(i)] = integer_of(mats.b[static_cast<size_t>(i)], use.b);
  functions.multiply(a.data(), b.data(), use.k, sums.data());
  for (size_t i = 0; i < static_cast<size_t>(use.m * 8); ++i) {
    const std::int64_t sum = std::int64_t{static_cast<s32>(mats.c[i])} + sums[i];
    mats.d[i] =
        static_cast<u32>(use.saturates ? std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX) : sum);
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
  for (const int lane : lanes_of(mask)) {
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

void run_mma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MmaUse& use = warp.block->program.use_of<MmaUse>(instruction);
  if (use.arithmetic == MmaArithmetic::fused) return f64_mma(lanes, use, mask);
  if (multiply_dense(warp, use, mask)) return;
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

}  // namespace jute::emulator
