#pragma once
// Which bytes of a lane function's result its sources' bytes decide. Compilers pack bytes and
// halves of which nobody needs all: what was never written must not spoil what was.
#include "emulator/decode/opcode_table.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jute::emulator {

inline constexpr size_t kMostLaneBytes = 16;
/// One bit a byte of a lane's register.
using LaneBytes = std::uint16_t;
inline constexpr LaneBytes kWholeLane = 0xFFFF;
[[nodiscard]] constexpr LaneBytes low_lane_bytes(size_t count) {
  return static_cast<LaneBytes>((1U << count) - 1);
}

struct BytePassing {
  int source_bytes = 0;  ///< of a lane of the first source
  bool is_whole = true;  ///< every byte of the result depends on every byte
  /// By source and its byte: bytes of the result.
  std::array<std::array<LaneBytes, kMostLaneBytes>, 4> results{};

  /// Bytes of the result that depend on these bytes of a source.
  [[nodiscard]] LaneBytes of(size_t source, LaneBytes bytes) const;
  bool operator==(const BytePassing&) const = default;
};

/// Values of sources that are constants.
using ConstantSources = std::array<std::optional<std::uint64_t>, 4>;

[[nodiscard]] BytePassing byte_passing(std::string_view name, const LaneRow& row,
                                       const ConstantSources& constants);

}  // namespace jute::emulator
