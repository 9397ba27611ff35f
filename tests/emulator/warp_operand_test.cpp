// What mma.sync's registers hold, as the matrices that are multiplied.
#include "emulator/tensor/warp_operand.hpp"
#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "support/catch.hpp"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace jute::emulator;

namespace {

constexpr Slot kRegisterBytes = 4 * kWarpLanes;

/// Registers of one warp, with random small numbers.
struct Registers {
  explicit Registers(MmaType type) : bytes(size_t{16} * kRegisterBytes) {
    std::mt19937 random(3);
    for (size_t at = 0; at < bytes.size(); at += 4) {
      std::uint32_t word = static_cast<std::uint32_t>(random());
      if (element_bits(type) == 16) word &= 0xBFFFBFFF;  // below 2
      if (element_bits(type) == 32) word &= 0xBFFFFFFF;
      std::memcpy(&bytes[at], &word, sizeof(word));
    }
    lanes.bases = {bytes.data(), nullptr};
  }
  [[nodiscard]] std::uint32_t element(Slot slot, int lane, int index, int bits) const {
    std::uint32_t word;
    std::memcpy(&word, &bytes[slot + static_cast<size_t>(lane) * 4], sizeof(word));
    if (bits == 32) return word >> 13;
    return word >> (bits * index) & ((1U << bits) - 1);
  }
  std::vector<std::byte> bytes;
  LaneState lanes;
};

struct OperandForm {
  MmaType type;
  int k, a_registers, b_registers;
};
MmaUse use_of(const OperandForm& form) {
  MmaUse use;
  use.k = form.k;
  use.a = use.b = form.type;
  for (int i = 0; i < form.a_registers; ++i)
    use.a_slots[static_cast<size_t>(i)] = static_cast<Slot>(i) * kRegisterBytes;
  for (int i = 0; i < form.b_registers; ++i)
    use.b_slots[static_cast<size_t>(i)] = static_cast<Slot>(i + 8) * kRegisterBytes;
  return use;
}
bool is_integer(MmaType type) { return type == MmaType::s8 || type == MmaType::s4; }

/// Numbers that do not lie where the manual puts them.
int misplaced(const Registers& registers, const OperandForm& form, WarpOperandCache& cache) {
  const MmaUse use = use_of(form);
  const WarpOperand& a = cache.rows(registers.lanes, use);
  const WarpOperand& b = cache.columns(registers.lanes, use);
  const int bits = element_bits(form.type);
  const auto differs = [&](const WarpOperand& operand, int at, std::uint32_t number) {
    const auto place = static_cast<size_t>(at);
    return is_integer(form.type)
               ? operand.integer[place] != integer_of(number, form.type)
               : static_cast<double>(operand.value[place]) != value_of(number, form.type);
  };
  int wrong = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int i = 0; i < 32 / bits; ++i) {
      for (int reg = 0; reg < form.a_registers; ++reg) {
        const jute::emulator::Place at = place_of_a(lane, reg, i, 32 / bits, true);
        const Slot slot = use.a_slots[static_cast<size_t>(reg)];
        wrong += differs(a, at.row * form.k + at.column, registers.element(slot, lane, i, bits));
      }
      for (int reg = 0; reg < form.b_registers; ++reg) {
        const jute::emulator::Place at = place_of_b(lane, reg, i, 32 / bits);
        const Slot slot = use.b_slots[static_cast<size_t>(reg)];
        wrong += differs(b, at.row * 8 + at.column, registers.element(slot, lane, i, bits));
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("registers of mma.sync are matrices as the manual lays them out",
          "[emulator][mma][law]") {
  const OperandForm forms[] = {
      {MmaType::bf16, 16, 4, 2}, {MmaType::bf16, 8, 2, 1}, {MmaType::f16, 16, 4, 2},
      {MmaType::tf32, 8, 4, 2},  {MmaType::tf32, 4, 2, 1}, {MmaType::s8, 32, 4, 2},
      {MmaType::s8, 16, 2, 1},   {MmaType::s4, 64, 4, 2},  {MmaType::s4, 32, 2, 1}};
  WarpOperandCache cache;
  for (const OperandForm& form : forms) {
    INFO(static_cast<int>(form.type) << " k " << form.k);
    CHECK(misplaced(Registers(form.type), form, cache) == 0);
  }
}

TEST_CASE("what was unpacked is unpacked anew once any lane of a register has changed",
          "[emulator][mma]") {
  const OperandForm form{MmaType::bf16, 16, 4, 2};
  WarpOperandCache cache;
  Registers registers(form.type);
  CHECK(misplaced(registers, form, cache) == 0);
  for (const Slot reg : {0U, 3U, 8U, 9U}) {
    registers.bytes[(reg + 1) * kRegisterBytes - 4] ^= std::byte{1};
    CHECK(misplaced(registers, form, cache) == 0);
  }
}
