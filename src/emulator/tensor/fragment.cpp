// Unpacks the registers of mma.sync's operands, unless that was done before.
#include "emulator/tensor/fragment.hpp"

#include "emulator/tensor/mma.hpp"
#include "emulator/tensor/number_fields.hpp"
#include "emulator/tensor/scaled_dot.hpp"

#include <cstring>
#include <span>

namespace jute::emulator {
namespace {

constexpr int kRegisterBits = kWarpLanes * 32;

const ScaledDotFunctions& scaled_functions() {
  static const ScaledDotFunctions& functions = best_scaled_dot();
  return functions;
}

/// Does the fragment come from registers that hold what these do? If not, it does from now on.
bool is_taken(Fragment& fragment, const LaneState& lanes, MmaType type,
              std::span<const Slot> slots) {
  bool same = fragment.type == type && fragment.registers == static_cast<int>(slots.size());
  for (size_t i = 0; i < slots.size() && same; ++i)
    same = std::memcmp(fragment.words[i].data(), lanes.at(slots[i]), sizeof(Fragment::Words)) == 0;
  if (same) return true;
  fragment.type = type;
  fragment.registers = static_cast<int>(slots.size());
  for (size_t i = 0; i < slots.size(); ++i)
    std::memcpy(fragment.words[i].data(), lanes.at(slots[i]), sizeof(Fragment::Words));
  return false;
}

void split(Fragment& fragment, const std::uint32_t* bits, int count) {
  switch (fragment.type) {
    case MmaType::s8:
    case MmaType::u8:
    case MmaType::s4:
    case MmaType::u4:
      for (int i = 0; i < count; ++i)
        fragment.integer[static_cast<size_t>(i)] = integer_of(bits[i], fragment.type);
      break;
    default:
      fragment.is_scaled =
          scaled_functions().split(scaled_range(fragment.type), bits, count, fragment.value.data(),
                                   fragment.exponent.data());
  }
}

Fragment& place_of(std::vector<Fragment>& kept, size_t count, Slot first) {
  constexpr Slot kRegisterBytes = sizeof(Fragment::Words);
  if (kept.empty()) kept.resize(count);
  return kept[first / kRegisterBytes % count];
}

}  // namespace

// Four lanes hold 16 bytes that lie together in a row; registers 0 and 1 the upper 8 rows and the
// lower ones, 2 and 3 what follows along K.
const Fragment& FragmentCache::rows(const LaneState& lanes, const MmaUse& use) {
  const int bits = element_bits(use.a);
  const int count = 16 * use.k;
  const std::span slots(use.a_slots.data(), static_cast<size_t>(count * bits / kRegisterBits));
  Fragment& fragment = place_of(rows_, kKept, slots[0]);
  if (is_taken(fragment, lanes, use.a, slots)) return fragment;
  constexpr size_t kQuad = 4;
  const size_t row_words = slots.size() / 2 * kQuad;
  std::array<std::uint32_t, 4 * kWarpLanes> packed;
  for (size_t reg = 0; reg < slots.size(); ++reg)
    for (size_t row = 0; row < 8; ++row)
      std::memcpy(&packed[(row + 8 * (reg % 2)) * row_words + reg / 2 * kQuad],
                  &fragment.words[reg][row * kQuad], kQuad * sizeof(std::uint32_t));
  std::array<std::uint32_t, Fragment::kMostNumbers> numbers;
  scaled_functions().unpack_rows(packed.data(), static_cast<int>(slots.size()) * kWarpLanes, bits,
                                 numbers.data());
  split(fragment, numbers.data(), count);
  return fragment;
}

const Fragment& FragmentCache::columns(const LaneState& lanes, const MmaUse& use) {
  const int bits = element_bits(use.b);
  const int count = kDotColumns * use.k;
  const std::span slots(use.b_slots.data(), static_cast<size_t>(count * bits / kRegisterBits));
  Fragment& fragment = place_of(columns_, kKept, slots[0]);
  if (is_taken(fragment, lanes, use.b, slots)) return fragment;
  std::array<std::uint32_t, Fragment::kMostNumbers> numbers;
  scaled_functions().unpack_columns(fragment.words[0].data(), fragment.registers, bits,
                                    numbers.data());
  split(fragment, numbers.data(), count);
  return fragment;
}

}  // namespace jute::emulator
