#pragma once
// Registers as instructions outside the lane functions read and write them.
#include "emulator/decode/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jute::emulator {

/// A predicate of all lanes, one bit each.
[[nodiscard]] inline std::uint32_t read_predicate(const LaneState& lanes, Slot slot) {
  std::uint32_t bits;
  std::memcpy(&bits, lanes.at(slot), sizeof(bits));
  return bits;
}
/// Writes the lanes of `mask`.
inline void write_predicate(LaneState& lanes, Slot slot, std::uint32_t bits, std::uint32_t mask) {
  const std::uint32_t merged = (read_predicate(lanes, slot) & ~mask) | (bits & mask);
  std::memcpy(lanes.at(slot), &merged, sizeof(merged));
}
/// One lane's register of at most 8 bytes.
[[nodiscard]] inline std::uint64_t read_lane(const LaneState& lanes, Slot slot, int lane,
                                             size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, lanes.at(slot) + static_cast<size_t>(lane) * bytes, bytes);
  return value;
}
/// One lane's 32-bit register.
[[nodiscard]] inline std::uint32_t read_word(const LaneState& lanes, Slot slot, int lane) {
  return static_cast<std::uint32_t>(read_lane(lanes, slot, lane, sizeof(std::uint32_t)));
}
/// Writes the low bytes of a value.
inline void write_lane(const LaneState& lanes, Slot slot, int lane, std::uint64_t value,
                       size_t bytes) {
  std::memcpy(lanes.at(slot) + static_cast<size_t>(lane) * bytes, &value, bytes);
}
inline void write_word(const LaneState& lanes, Slot slot, int lane, std::uint32_t value) {
  write_lane(lanes, slot, lane, value, sizeof(value));
}

}  // namespace jute::emulator
