// wgmma.mma_async: each warp of a warpgroup computes its 16 of 64 rows, at issue.
#include "base/format.hpp"
#include "emulator/aligned_dot.hpp"
#include "emulator/machine.hpp"
#include "emulator/mma.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace jute::emulator {
namespace {
#include "emulator/lane_float_scalar.inc"

// fp8 keeps 13 bits below the largest exponent and 13 mantissa bits; the wider types as mma.sync.
constexpr int kWideFraction = 25;
constexpr int kFp8Fraction = 13;

/// Fields of the 64-bit matrix descriptor (PTX ISA, matrix descriptor format).
struct Descriptor {
  std::uint64_t start = 0;
  std::uint64_t leading = 0;  ///< bytes
  std::uint64_t stride = 0;   ///< bytes
  int span = 0;               ///< bytes of a swizzled row: 128, 64, 32; 16 without swizzle
};
Descriptor read_descriptor(std::uint64_t bits) {
  static constexpr int kSpans[4] = {16, 128, 64, 32};
  Descriptor result;
  result.start = (bits & 0x3FFF) << 4;
  result.leading = (bits >> 16 & 0x3FFF) << 4;
  result.stride = (bits >> 32 & 0x3FFF) << 4;
  result.span = kSpans[bits >> 62];
  return result;
}

/// Un-swizzled address of element (row, k) of a matrix whose rows run over M or N. `row_bytes`
/// counts along the contiguous direction.
std::uint64_t dense_address(const Descriptor& d, int row, int k, int bytes, bool mn_major) {
  const auto u = [](int value) { return static_cast<std::uint64_t>(value); };
  if (!mn_major) {
    const std::uint64_t along = u(k * bytes);
    if (d.span == 16)
      return d.start + u(row / 8) * d.stride + along / 16 * d.leading + u(row % 8) * 16 +
             along % 16;
    return d.start + u(row / 8) * d.stride + u(row % 8) * u(d.span) + along;
  }
  const std::uint64_t along = u(row * bytes);
  const std::uint64_t span = u(d.span);
  // Without swizzle leading and stride change their roles.
  const std::uint64_t across_mn = d.span == 16 ? d.stride : d.leading;
  const std::uint64_t across_k = d.span == 16 ? d.leading : d.stride;
  return d.start + along / span * across_mn + u(k / 8) * across_k + u(k % 8) * span + along % span;
}
std::uint64_t swizzle(std::uint64_t address, int span) {
  switch (span) {
    case 128:
      return address ^ (address >> 3 & 0x70);
    case 64:
      return address ^ (address >> 3 & 0x30);
    case 32:
      return address ^ (address >> 3 & 0x10);
    default:
      return address;
  }
}

/// How an operand type splits into sign, exponent and significand.
struct Fields {
  int mantissa;
  int exponent;
};
Fields fields_of(MmaType type) {
  switch (type) {
    case MmaType::bf16:
      return {7, 8};
    case MmaType::tf32:
      return {10, 8};
    case MmaType::e4m3:
      return {3, 4};
    case MmaType::e5m2:
      return {2, 5};
    default:
      return {10, 5};
  }
}
bool is_special(u32 bits, MmaType type) {
  const Fields f = fields_of(type);
  if (type == MmaType::e4m3) return (bits & 0x7F) == 0x7F;
  const u32 all = (1U << f.exponent) - 1;
  return (bits >> f.mantissa & all) == all;
}
void split(u32 bits, Fields f, SplitOperand& out, int at) {
  const int total = f.mantissa + f.exponent;
  const u32 magnitude = bits & ((1U << total) - 1);
  const u32 exponent = magnitude >> f.mantissa;
  const u32 fraction = magnitude & ((1U << f.mantissa) - 1);
  const int bias = (1 << (f.exponent - 1)) - 1;
  out.sign[at] = (bits >> total & 1) != 0 ? -1 : 0;
  out.magnitude[at] = exponent == 0 ? fraction : fraction | (1U << f.mantissa);
  out.exponent[at] =
      magnitude == 0 ? kZeroExponent : static_cast<int>(exponent == 0 ? 1 : exponent) - bias;
}
double value_of(u32 bits, MmaType type) {
  const Fields f = fields_of(type);
  if (is_special(bits, type)) {
    const u32 fraction = bits & ((1U << f.mantissa) - 1);
    if (type == MmaType::e4m3 || fraction != 0) return static_cast<double>(float_of(0x7FFFFFFFU));
    return static_cast<double>(
        float_of((bits >> (f.mantissa + f.exponent) & 1) != 0 ? 0xFF800000U : 0x7F800000U));
  }
  SplitOperand one;
  split(bits, f, one, 0);
  if (one.magnitude[0] == 0) return 0;
  const double magnitude =
      std::ldexp(static_cast<double>(one.magnitude[0]), one.exponent[0] - f.mantissa);
  return one.sign[0] != 0 ? -magnitude : magnitude;
}

AlignedDotFunction choose_dot() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return &avx2::aligned_dot;
#endif
  return &portable::aligned_dot;
}

/// Toward zero to `mantissa` bits of f32.
u32 truncated(double value, int mantissa) {
  const double magnitude = std::fabs(value);
  const u32 sign = value < 0 ? 0x80000000U : 0;
  if (magnitude >= 0x1p128) return sign | 0x7F800000U;
  u32 bits = bits_of(static_cast<float>(magnitude));
  if (static_cast<double>(float_of(bits)) > magnitude) --bits;
  return sign | (bits & ~((1U << (23 - mantissa)) - 1));
}

class WarpProduct {
 public:
  WarpProduct(Warp& warp, const WgmmaUse& use) : warp_(warp), block_(*warp.block), use_(use) {}

  void run(std::uint32_t mask) {
    mask_ = mask;
    lane_ = std::countr_zero(mask);
    std::uint32_t keeps;
    std::memcpy(&keeps, warp_.at(use_.scale_d), sizeof(keeps));
    keeps_d_ = (keeps >> lane_ & 1) != 0;
    bits_ = element_bits(use_.a);
    a_.assign(static_cast<size_t>(16 * use_.k), 0);
    b_.assign(static_cast<size_t>(use_.k * 8), 0);
    if (use_.a_descriptor != kNoSlot) {
      read_shared(use_.a_descriptor, warp_.index % 4 * 16, 16, use_.transposes_a, use_.negates_a,
                  a_, use_.k, 1);
    } else {
      read_registers();
    }
    for (int column = 0; column < use_.n; column += 8) {
      read_shared(use_.b_descriptor, column, 8, use_.transposes_b, use_.negates_b, b_, 1, 8);
      gather_d(column);
      if (use_.d == MmaType::s32) {
        integer();
      } else {
        aligned();
      }
      scatter_d(column);
    }
  }

 private:
  [[nodiscard]] u32 negated(u32 bits, bool negates) const {
    return negates ? bits ^ (use_.a == MmaType::tf32 ? 1U << 18 : 1U << (bits_ - 1)) : bits;
  }

  /// Elements of `rows` rows from `first` into matrix[row * row_step + k * k_step].
  void read_shared(Slot slot, int first, int rows, bool mn_major, bool negates,
                   std::vector<u32>& matrix, int row_step, int k_step) {
    std::uint64_t word;
    std::memcpy(&word, warp_.at(slot) + static_cast<size_t>(lane_) * 8, sizeof(word));
    const Descriptor d = read_descriptor(word);
    const int bytes = std::max(1, bits_ / 8);
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < use_.k; ++k) {
        const std::uint64_t address =
            swizzle(dense_address(d, first + row, k, bytes, mn_major), d.span);
        u32 bits = 0;
        if (address + static_cast<std::uint64_t>(bytes) > block_.shared.size()) {
          refuse_address(address);
        } else {
          std::memcpy(&bits, block_.shared.data() + address, static_cast<size_t>(bytes));
          if (block_.tracks_defined) check_defined(address);
        }
        if (use_.a == MmaType::tf32) bits >>= 13;
        matrix[static_cast<size_t>(row * row_step + k * k_step)] = negated(bits, negates);
      }
    }
  }
  void refuse_address(std::uint64_t address) {
    block_.find("M1", warp_, lane_, [&] {
      return base::format(
          "a wgmma operand at shared offset {}; the block has {} bytes of shared memory", address,
          block_.shared.size());
    });
  }
  void check_defined(std::uint64_t address) {
    const std::byte state = block_.shared_defined[address];
    if (state == kWritten) return;
    const char* const code = state == kUnfenced ? "R3" : state == kOnItsWay ? "R9" : "M3";
    block_.find(code, warp_, lane_, [&] {
      return base::format("a wgmma operand at shared offset {} that {}", address,
                          state == kUnfenced   ? "was stored without a fence.proxy.async behind it"
                          : state == kOnItsWay ? "an asynchronous copy is still writing"
                                               : "was never written");
    });
  }

  // A in registers: as the A fragment of mma.m16n8k of the same depth.
  void read_registers() {
    const int per_register = 32 / bits_;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      for (int reg = 0; reg < 4; ++reg) {
        u32 word;
        std::memcpy(&word, warp_.at(use_.a_slots[static_cast<size_t>(reg)]) + lane * 4,
                    sizeof(word));
        for (int i = 0; i < per_register; ++i) {
          const int row = lane / 4 + 8 * (reg % 2);
          const int k = per_register * (lane % 4) + 4 * per_register * (reg / 2) + i;
          u32 bits = bits_ == 32 ? word >> 13 : word >> (bits_ * i) & ((1U << bits_) - 1);
          a_[static_cast<size_t>(row * use_.k + k)] = negated(bits, use_.negates_a);
        }
      }
    }
  }

  // D: value i of an 8-column block: row lane/4 + 8 (i/2), column 2 (lane%4) + i%2.
  [[nodiscard]] bool packs() const { return use_.d == MmaType::f16; }
  [[nodiscard]] Slot d_slot(int column, int value) const {
    const int first = column / 8 * (packs() ? 2 : 4);
    return use_.d_slots[static_cast<size_t>(first + (packs() ? value / 2 : value))];
  }
  void gather_d(int column) {
    d_.fill(0);
    if (!keeps_d_) return;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      for (int i = 0; i < 4; ++i) {
        u32 word;
        std::memcpy(&word, warp_.at(d_slot(column, i)) + lane * 4, sizeof(word));
        d_[place(lane, i)] = packs() ? word >> (16 * (i % 2)) & 0xFFFF : word;
      }
    }
  }
  void scatter_d(int column) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      if ((mask_ >> lane & 1) == 0) continue;
      for (int i = 0; i < 4; i += packs() ? 2 : 1) {
        const size_t at = place(lane, i);
        const u32 word = packs() ? d_[at] | d_[at + 1] << 16 : d_[at];
        std::memcpy(warp_.at(d_slot(column, i)) + lane * 4, &word, sizeof(word));
      }
    }
  }
  static size_t place(int lane, int value) {
    return static_cast<size_t>((lane / 4 + 8 * (value / 2)) * 8 + 2 * (lane % 4) + value % 2);
  }

  void integer() {
    const auto extended = [&](u32 bits, MmaType type) {
      return type == MmaType::s8 ? std::int64_t{static_cast<s8>(bits)} : std::int64_t{bits};
    };
    for (size_t row = 0; row < 16; ++row) {
      for (size_t column = 0; column < 8; ++column) {
        std::int64_t sum = static_cast<s32>(d_[row * 8 + column]);
        for (size_t k = 0; k < static_cast<size_t>(use_.k); ++k)
          sum += extended(a_[row * static_cast<size_t>(use_.k) + k], use_.a) *
                 extended(b_[k * 8 + column], use_.b);
        if (use_.saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        d_[row * 8 + column] = static_cast<u32>(sum);
      }
    }
  }

  void aligned() {
    static const AlignedDotFunction sum_up = choose_dot();
    thread_local AlignedDot dot;
    const bool fp8 = bits_ == 8;
    const int fraction = fp8 ? kFp8Fraction : kWideFraction;
    const Fields a = fields_of(use_.a);
    const Fields b = fields_of(use_.b);
    const Fields c = packs() ? Fields{10, 5} : Fields{23, 8};
    dot.rows = 16;
    dot.depth = use_.k;
    dot.product_shift = fraction - a.mantissa - b.mantissa;
    dot.c_shift = fraction - c.mantissa < 0 ? 0 : fraction - c.mantissa;
    u32 special_rows = 0;
    u32 special_columns = 0;
    for (int i = 0; i < 16 * use_.k; ++i) {
      split(a_[static_cast<size_t>(i)], a, dot.a, i);
      if (is_special(a_[static_cast<size_t>(i)], use_.a)) special_rows |= 1U << (i / use_.k);
    }
    for (int i = 0; i < use_.k * 8; ++i) {
      split(b_[static_cast<size_t>(i)], b, dot.b, i);
      if (is_special(b_[static_cast<size_t>(i)], use_.b)) special_columns |= 1U << (i % 8);
    }
    for (int i = 0; i < 16 * 8; ++i) {
      split(d_[static_cast<size_t>(i)], c, dot.c, i);
      if (fraction < c.mantissa) dot.c.magnitude[i] >>= c.mantissa - fraction;
    }
    sum_up(dot);
    for (int i = 0; i < 16 * 8; ++i) {
      const auto at = static_cast<size_t>(i);
      const bool c_special =
          (d_[at] >> c.mantissa & ((1U << c.exponent) - 1)) == (1U << c.exponent) - 1;
      if ((special_rows >> (i / 8) & 1) != 0 || (special_columns >> (i % 8) & 1) != 0 ||
          c_special) {
        const auto sum = canonical(static_cast<float>(special_sum(i / 8, i % 8, d_[at])));
        d_[at] = packs() ? to_half(sum).bits : bits_of(sum);
      } else if (dot.sum[i] == 0 || dot.exponent[i] < kZeroExponent / 2) {
        d_[at] = 0;
      } else {
        const double value =
            std::ldexp(static_cast<double>(dot.sum[i]), dot.exponent[i] - fraction);
        d_[at] = packs() ? round_to_format(value, 5, 10, Rounding::nearest)
                         : truncated(value, fp8 ? kFp8Fraction : 23);
      }
    }
  }
  [[nodiscard]] double special_sum(int row, int column, u32 c) const {
    double sum = packs() ? static_cast<double>(to_float(Half{static_cast<u16>(c)}))
                         : static_cast<double>(float_of(c));
    for (int k = 0; k < use_.k; ++k) {
      const double product = value_of(a_[static_cast<size_t>(row * use_.k + k)], use_.a) *
                             value_of(b_[static_cast<size_t>(k * 8 + column)], use_.b);
      if (product - product != 0 || sum - sum != 0) sum += product;
    }
    return sum;
  }

  Warp& warp_;
  Block& block_;
  const WgmmaUse& use_;
  std::uint32_t mask_ = 0;
  int lane_ = 0;
  int bits_ = 16;
  bool keeps_d_ = true;
  std::vector<u32> a_;  ///< (row, k)
  std::vector<u32> b_;  ///< (k, column)
  std::array<u32, 16 * 8> d_{};
};

}  // namespace

void run_wgmma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  WarpProduct(warp, warp.block->program.wgmmas[instruction.extra]).run(mask);
}

}  // namespace jute::emulator
