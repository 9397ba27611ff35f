#pragma once
// The state of an mbarrier object and the one function that changes it.
#include <cstddef>
#include <cstdint>
#include <string>

namespace jute::emulator {

struct MbarrierState {
  bool is_live = false;
  std::int64_t expected = 0;  ///< arrivals of the next phases
  std::int64_t pending = 0;   ///< arrivals that this phase still awaits
  std::int64_t tx = 0;        ///< bytes expected less bytes delivered
  int phase = 0;
};
[[nodiscard]] MbarrierState unpack_mbarrier(std::uint64_t word);
[[nodiscard]] std::uint64_t pack_mbarrier(const MbarrierState& state);

/// Takes arrivals, adds to the pending bytes, lowers later phases' arrivals by `fewer`, and turns
/// the phase when nothing is awaited. Returns what rule it broke, or nothing.
[[nodiscard]] std::string update_mbarrier(std::byte* place, std::int64_t arrivals, std::int64_t tx,
                                          std::int64_t fewer);

}  // namespace jute::emulator
