// wgmma.mma_async: one warp computes 16 of a warpgroup's 64 rows, bit for bit as an H200 does.
#include "emulator/tensor/warp_product.hpp"

#include "base/format.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/aligned_dot.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/mma_sparse.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace jute::emulator {
namespace {
#include "emulator/run/lane_float_scalar.inc"

// fp8 keeps 13 bits below the largest exponent and 13 mantissa bits; the wider types as mma.sync.
constexpr int kWideFraction = 25;
constexpr int kFp8Fraction = 13;
constexpr int kProductRows = 16;

/// Toward zero to `mantissa` bits of f32.
u32 truncated(double value, int mantissa) {
  const double magnitude = std::fabs(value);
  const u32 sign = value < 0 ? 0x80000000U : 0;
  if (magnitude >= 0x1p128) return sign | 0x7F800000U;
  u32 bits = bits_of(static_cast<float>(magnitude));
  if (static_cast<double>(float_of(bits)) > magnitude) --bits;
  return sign | (bits & ~((1U << (23 - mantissa)) - 1));
}

/// Value i of a lane in a block of 8 columns: row lane/4 + 8 (i/2), column 2 (lane%4) + i%2.
size_t place(int lane, int value) {
  return static_cast<size_t>((lane / 4 + 8 * (value / 2)) * 8 + 2 * (lane % 4) + value % 2);
}

}  // namespace

/// A as the sum by f32 takes it.
struct WarpProduct::ScaledRows {
  std::array<float, kProductRows * kMostDepth> value;
  std::array<std::int32_t, kProductRows * kMostDepth> exponent;
  /// False if it does not take such numbers.
  bool split(MmaType type, const std::vector<u32>& bits) {
    return best_scaled_dot().split(scaled_range(type), bits.data(), static_cast<int>(bits.size()),
                                   value.data(), exponent.data());
  }
};

WarpProduct::WarpProduct(Warp& warp, const WgmmaUse& use, std::uint32_t mask, std::uint32_t number)
    : warp_(&warp),
      use_(&use),
      mask_(mask),
      number_(number),
      who_(warp.block->actor(warp, std::countr_zero(mask))),
      bits_(element_bits(use.a)) {
  const auto lane = static_cast<size_t>(std::countr_zero(mask));
  keeps_d_ = (read_predicate(warp, use.scale_d) >> lane & 1) != 0;
  std::memcpy(&b_descriptor_, warp.at(use.b_descriptor) + lane * 8, sizeof(b_descriptor_));
  if (use.a_descriptor != kNoSlot)
    std::memcpy(&a_descriptor_, warp.at(use.a_descriptor) + lane * 8, sizeof(a_descriptor_));
  take_registers();
  if (warp.block->races) note_reads();
}

bool WarpProduct::is_uniform() const {
  const auto agrees = [&](Slot slot, std::uint64_t wanted) {
    std::array<std::uint64_t, kWarpLanes> given;
    std::memcpy(given.data(), warp_->at(slot), sizeof(given));
    std::uint32_t others = 0;
    for (size_t lane = 0; lane < kWarpLanes; ++lane)
      others |= static_cast<std::uint32_t>(given[lane] != wanted) << lane;
    return (others & mask_) == 0;
  };
  return agrees(use_->b_descriptor, b_descriptor_) &&
         (use_->a_descriptor == kNoSlot || agrees(use_->a_descriptor, a_descriptor_));
}

void WarpProduct::take_registers() {
  if (use_->a_descriptor == kNoSlot)
    for (size_t i = 0; i < a_registers_.size(); ++i)
      std::memcpy(a_registers_[i].data(), warp_->at(use_->a_slots[i]), sizeof(Words));
  if (use_->is_sparse) std::memcpy(metadata_.data(), warp_->at(use_->metadata), sizeof(Words));
  const size_t count = use_->d_slots.size();
  d_registers_.reserve(count);
  later_.resize(count);
  for (const Slot slot : use_->d_slots) {
    Words& registers = d_registers_.emplace_back();
    if (keeps_d_) std::memcpy(registers.data(), warp_->at(slot), sizeof(Words));
  }
  for (size_t i = 0; keeps_d_ && i < count; ++i) {
    const Slot slot = use_->d_slots[i];
    const std::uint32_t lanes = warp_->watch.poisoned(slot);
    if (lanes == 0) continue;
    poisoned_.resize(count);
    poisoned_[i] = lanes;
    cause_ = warp_->watch.cause_of(slot);
  }
}
void WarpProduct::take_later(size_t index, std::uint32_t number, std::uint16_t from) {
  if (keeps_d_) later_[index] = {number, from};
}
void WarpProduct::inherit(const WarpProduct& earlier) {
  for (size_t i = 0; i < later_.size(); ++i) {
    if (later_[i].number != earlier.number_) continue;
    d_registers_[i] = earlier.d_registers_[later_[i].index];
    if (!earlier.poisoned_.empty() && earlier.poisoned_[later_[i].index] != 0) {
      poisoned_.resize(later_.size());
      poisoned_[i] = earlier.poisoned_[later_[i].index];
      cause_ = earlier.cause_;
    }
    later_[i] = {};
  }
}

OperandSource WarpProduct::a_source() const {
  return {.descriptor = a_descriptor_,
          .type = use_->a,
          .major = use_->transposes_a ? Major::mn : Major::k,
          .negates = use_->negates_a,
          .first = warp_->index % 4 * kProductRows,
          .rows = kProductRows,
          .depth = a_depth()};
}
OperandSource WarpProduct::b_source() const {
  return {.descriptor = b_descriptor_,
          .type = use_->b,
          .major = use_->transposes_b ? Major::mn : Major::k,
          .negates = use_->negates_b,
          .rows = use_->n,
          .depth = use_->k};
}

void WarpProduct::note_reads() {
  RaceDetector& races = *warp_->block->races;
  const int lane = who_.thread % kWarpLanes;
  if (use_->a_descriptor != kNoSlot) races.product_reads(*warp_, lane, a_source());
  races.product_reads(*warp_, lane, b_source());
}

std::uint32_t WarpProduct::negated(std::uint32_t bits, bool negates) const {
  return negates ? bits ^ (use_->a == MmaType::tf32 ? 1U << 18 : 1U << (bits_ - 1)) : bits;
}
void WarpProduct::read() {
  if (is_read_) return;
  is_read_ = true;
  a_.assign(static_cast<size_t>(kProductRows * use_->k), 0);
  UnknownRows unknown_a, unknown_b;
  if (use_->a_descriptor == kNoSlot) {
    read_registers();
  } else {
    thread_local std::vector<std::byte> bytes;
    unknown_a = a_source().take(*warp_->block, who_, bytes);
    unpack_rows(a_source(), bytes, a_.data());
  }
  if (use_->is_sparse) stored_ = expand_sparse({use_->a, use_->k, use_->selector, metadata_}, a_);
  b_ = warp_->block->operands.take(*warp_->block, who_, b_source(), unknown_b);
  if (unknown_a.rows.any() || unknown_b.rows.any()) poison(unknown_a, unknown_b);
}

void WarpProduct::poison(const UnknownRows& a, const UnknownRows& b) {
  cause_ = {who_.origin, base::format("wgmma operand at shared offset {} that was never written",
                                      a.rows.any() ? a.first : b.first)};
  poisoned_.resize(d_registers_.size());
  const size_t of_block = packs() ? 2 : 4, values = packs() ? 2 : 1;
  for (size_t i = 0; i < poisoned_.size(); ++i) {
    for (size_t lane = 0; lane < kWarpLanes; ++lane) {
      for (size_t e = 0; e < values; ++e) {
        const size_t at =
            place(static_cast<int>(lane), static_cast<int>(i % of_block * values + e));
        if (a.rows[at / 8] || b.rows[i / of_block * 8 + at % 8]) poisoned_[i] |= 1U << lane;
      }
    }
  }
}

// A in registers: as the A fragment of mma.m16n8k of the same depth.
void WarpProduct::read_registers() {
  const int per_register = 32 / bits_;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int reg = 0; reg < 4; ++reg) {
      const u32 word = a_registers_[static_cast<size_t>(reg)][static_cast<size_t>(lane)];
      for (int i = 0; i < per_register; ++i) {
        const int row = lane / 4 + 8 * (reg % 2);
        const int k = per_register * (lane % 4) + 4 * per_register * (reg / 2) + i;
        const u32 bits = bits_ == 32 ? word >> 13 : word >> (bits_ * i) & ((1U << bits_) - 1);
        a_[static_cast<size_t>(row * a_depth() + k)] = negated(bits, use_->negates_a);
      }
    }
  }
}

void WarpProduct::finish() {
  read();
  ScaledRows rows;
  const bool is_split = use_->d == MmaType::f32 && rows.split(use_->a, a_);
  std::vector<std::int32_t> integers;
  if (use_->d == MmaType::s32)
    for (const u32 bits : a_) integers.push_back(integer_of(bits, use_->a));
  for (int column = 0; column < use_->n; column += 8) {
    gather_d(column);
    if (use_->d == MmaType::s32) {
      integer(integers, column);
    } else if (is_split && b_->is_scaled[static_cast<size_t>(column / 8)]) {
      scaled(rows, column);
    } else {
      aligned(column);
    }
    scatter_d(column);
  }
  write_back();
}

size_t WarpProduct::d_register(int column) const {
  return static_cast<size_t>(column / 8 * (packs() ? 2 : 4));
}
void WarpProduct::gather_d(int column) {
  const Words* const registers = &d_registers_[d_register(column)];
  if (!packs()) return best_scaled_dot().gather(registers->data(), d_.data());
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const u32 word = registers[i / 2][static_cast<size_t>(lane)];
      d_[place(lane, i)] = word >> (16 * (i % 2)) & 0xFFFF;
    }
  }
}
void WarpProduct::scatter_d(int column) {
  Words* const registers = &d_registers_[d_register(column)];
  if (!packs()) return best_scaled_dot().scatter(d_.data(), registers->data());
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int i = 0; i < 4; i += 2) {
      const size_t at = place(lane, i);
      registers[i / 2][static_cast<size_t>(lane)] = d_[at] | d_[at + 1] << 16;
    }
  }
}
// Registers that were written by others since keep what those wrote.
void WarpProduct::write_back() {
  const auto write = [&](Slot slot, size_t index) {
    if (!warp_->watch.still_awaits(slot, number_, static_cast<std::uint16_t>(index))) return;
    if (!poisoned_.empty())
      warp_->watch.poison(*warp_, slot, {poisoned_[index] & mask_, kWholeLane}, cause_);
    const Words& values = d_registers_[index];
    if (mask_ == kAllLanes) {
      std::memcpy(warp_->at(slot), values.data(), sizeof(Words));
      return;
    }
    for (const size_t lane : lanes_of(mask_))
      std::memcpy(warp_->at(slot) + lane * 4, &values[lane], 4);
  };
  for (size_t i = 0; i < d_registers_.size(); ++i) write(use_->d_slots[i], i);
  for (const auto& [slot, index] : moved_) write(slot, index);
}

u32 WarpProduct::a_at(int row, int k) const { return a_[static_cast<size_t>(row * use_->k + k)]; }
u32 WarpProduct::b_at(int k, int column) const {
  return b_->bits[static_cast<size_t>((column / 8 * use_->k + k) * 8 + column % 8)];
}

void WarpProduct::integer(const std::vector<std::int32_t>& rows, int column) {
  std::array<std::int32_t, kProductRows * 8> sums;
  best_scaled_dot().multiply(rows.data(), &b_->integer[static_cast<size_t>(column * use_->k)],
                             use_->k, sums.data());
  for (size_t i = 0; i < sums.size(); ++i) {
    const std::int64_t sum = std::int64_t{static_cast<s32>(d_[i])} + sums[i];
    d_[i] = static_cast<u32>(use_->saturates ? std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX)
                                             : sum);
  }
}

// By f32 where that is exact, else by integers.
void WarpProduct::scaled(const ScaledRows& rows, int column) {
  const bool fp8 = bits_ == 8;
  const auto before = d_;
  const auto at = static_cast<size_t>(column * use_->k);
  const u32 refused =
      best_scaled_dot().sum({.depth = use_->k,
                             .fraction = fp8 ? kFp8Fraction : kWideFraction,
                             .result_mask = fp8 ? ~((1U << (23 - kFp8Fraction)) - 1) : ~0U,
                             .a_value = rows.value.data(),
                             .a_exponent = rows.exponent.data(),
                             .b_value = &b_->value[at],
                             .b_exponent = &b_->exponent[at]},
                            d_.data());
  if (refused == 0) return;
  const auto done = std::exchange(d_, before);
  aligned(column);
  for (size_t i = 0; i < d_.size(); ++i)
    if ((refused >> (i / 8) & 1) == 0) d_[i] = done[i];
}

void WarpProduct::aligned(int column) {
  static const AlignedDotFunction sum_up = best_aligned_dot();
  thread_local AlignedDot dot;
  const bool fp8 = bits_ == 8;
  const int fraction = fp8 ? kFp8Fraction : kWideFraction;
  const NumberFields a = fields_of(use_->a), b = fields_of(use_->b);
  const NumberFields c = packs() ? NumberFields{10, 5} : NumberFields{23, 8};
  dot.rows = kProductRows;
  dot.depth = use_->k;
  dot.product_shift = fraction - a.mantissa - b.mantissa;
  dot.c_shift = std::max(0, fraction - c.mantissa);
  u32 special_rows = 0;
  u32 special_columns = 0;
  for (int i = 0; i < kProductRows * use_->k; ++i) {
    const u32 bits = a_[static_cast<size_t>(i)];
    split_number(bits, a, dot.a, i);
    if (is_special(bits, use_->a)) special_rows |= 1U << (i / use_->k);
  }
  for (int i = 0; i < use_->k * 8; ++i) {
    const u32 bits = b_->bits[static_cast<size_t>(column * use_->k + i)];
    split_number(bits, b, dot.b, i);
    if (is_special(bits, use_->b)) special_columns |= 1U << (i % 8);
  }
  for (int i = 0; i < kProductRows * 8; ++i) {
    split_number(d_[static_cast<size_t>(i)], c, dot.c, i);
    if (fraction < c.mantissa) dot.c.magnitude[i] >>= c.mantissa - fraction;
  }
  sum_up(dot);
  const u32 top = (1U << c.exponent) - 1;
  for (int i = 0; i < kProductRows * 8; ++i) {
    u32& d = d_[static_cast<size_t>(i)];
    const bool may_meet =
        (special_rows >> (i / 8) & 1) != 0 || (special_columns >> (i % 8) & 1) != 0;
    const auto at = [&](int k) { return factors(i / 8, column + i % 8, k); };
    const bool is_special_sum = (may_meet && meets_special(use_->k, use_->a, use_->b, at)) ||
                                (d >> c.mantissa & top) == top;
    if (is_special_sum) {
      const float before = packs() ? to_float(Half{static_cast<u16>(d)}) : float_of(d);
      const auto sum =
          canonical(static_cast<float>(special_sum(before, use_->k, use_->a, use_->b, at)));
      d = packs() ? to_half(sum).bits : bits_of(sum);
    } else if (dot.sum[i] == 0 || dot.exponent[i] < kZeroExponent / 2) {
      d = 0;
    } else {
      const double value = std::ldexp(static_cast<double>(dot.sum[i]), dot.exponent[i] - fraction);
      d = packs() ? round_to_format(value, 5, 10, Rounding::nearest)
                  : truncated(value, fp8 ? kFp8Fraction : 23);
    }
  }
}
// A value of B beside one of A that is not stored takes no part, not even as 0 * inf.
std::optional<Factors> WarpProduct::factors(int row, int column, int k) const {
  if (!is_stored(row, k)) return std::nullopt;
  return Factors{a_at(row, k), b_at(k, column)};
}

}  // namespace jute::emulator
