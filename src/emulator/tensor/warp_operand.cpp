// Unpacks the registers of mma.sync's operands, unless that was done before.
#include "emulator/tensor/warp_operand.hpp"

#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <cstring>
#include <span>

namespace jute::emulator {
namespace {

constexpr int kRegisterBits = kWarpLanes * 32;

/// Does the operand come from registers that hold what these do? If not, it does from now on.
bool is_taken(WarpOperand& operand, const LaneState& lanes, MmaType type,
              std::span<const Slot> slots) {
  bool same = operand.type == type && operand.registers == static_cast<int>(slots.size());
  for (size_t i = 0; i < slots.size() && same; ++i)
    same =
        std::memcmp(operand.words[i].data(), lanes.at(slots[i]), sizeof(WarpOperand::Words)) == 0;
  if (same) return true;
  operand.type = type;
  operand.registers = static_cast<int>(slots.size());
  for (size_t i = 0; i < slots.size(); ++i)
    std::memcpy(operand.words[i].data(), lanes.at(slots[i]), sizeof(WarpOperand::Words));
  return false;
}

void split(WarpOperand& operand, const std::uint32_t* bits, int count) {
  switch (operand.type) {
    case MmaType::s8:
    case MmaType::u8:
    case MmaType::s4:
    case MmaType::u4:
      for (int i = 0; i < count; ++i)
        operand.integer[static_cast<size_t>(i)] = integer_of(bits[i], operand.type);
      break;
    default:
      operand.is_scaled = best_scaled_dot().split(scaled_range(operand.type), bits, count,
                                                  operand.value.data(), operand.exponent.data());
  }
}

WarpOperand& place_of(std::vector<WarpOperand>& kept, size_t count, Slot first) {
  constexpr Slot kRegisterBytes = sizeof(WarpOperand::Words);
  if (kept.empty()) kept.resize(count);
  return kept[first / kRegisterBytes % count];
}

}  // namespace

// Four lanes hold 16 bytes that lie together in a row; registers 0 and 1 the upper 8 rows and the
// lower ones, 2 and 3 what follows along K.
const WarpOperand& WarpOperandCache::rows(const LaneState& lanes, const MmaUse& use) {
  const int bits = element_bits(use.a);
  const int count = 16 * use.k;
  const std::span slots(use.a_slots.data(), static_cast<size_t>(count * bits / kRegisterBits));
  WarpOperand& operand = place_of(rows_, kKept, slots[0]);
  if (is_taken(operand, lanes, use.a, slots)) return operand;
  constexpr size_t kQuad = 4;
  const size_t row_words = slots.size() / 2 * kQuad;
  std::array<std::uint32_t, 4 * kWarpLanes> packed;
  for (size_t reg = 0; reg < slots.size(); ++reg)
    for (size_t row = 0; row < 8; ++row)
      std::memcpy(&packed[(row + 8 * (reg % 2)) * row_words + reg / 2 * kQuad],
                  &operand.words[reg][row * kQuad], kQuad * sizeof(std::uint32_t));
  std::array<std::uint32_t, WarpOperand::kMostNumbers> numbers;
  best_scaled_dot().unpack_rows(packed.data(), static_cast<int>(slots.size()) * kWarpLanes, bits,
                                numbers.data());
  split(operand, numbers.data(), count);
  return operand;
}

const WarpOperand& WarpOperandCache::columns(const LaneState& lanes, const MmaUse& use) {
  const int bits = element_bits(use.b);
  const int count = kDotColumns * use.k;
  const std::span slots(use.b_slots.data(), static_cast<size_t>(count * bits / kRegisterBits));
  WarpOperand& operand = place_of(columns_, kKept, slots[0]);
  if (is_taken(operand, lanes, use.b, slots)) return operand;
  std::array<std::uint32_t, WarpOperand::kMostNumbers> numbers;
  best_scaled_dot().unpack_columns(operand.words[0].data(), operand.registers, bits,
                                   numbers.data());
  split(operand, numbers.data(), count);
  return operand;
}

}  // namespace jute::emulator
