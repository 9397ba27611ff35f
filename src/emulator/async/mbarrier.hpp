#pragma once
// The state of an mbarrier object and the one function that changes it.
#include "emulator/check/clocks.hpp"
#include "emulator/check/diagnostics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

/// The change that an instruction or a landing copy makes to an mbarrier.
struct MbarrierChange {
  std::int64_t arrivals = 0;
  std::int64_t tx = 0;     ///< bytes expected, less bytes delivered
  std::int64_t fewer = 0;  ///< arrivals of later phases that drop out
  std::int64_t more = 0;   ///< arrivals that this phase awaits besides
};
struct MbarrierUpdate {
  bool turned = false;
  const char* code = "P1";
  std::string broken;  ///< the rule that it broke, or nothing
};
/// Applies a change; the phase turns when neither arrivals nor bytes are awaited.
[[nodiscard]] MbarrierUpdate update_mbarrier(std::byte* place, const MbarrierChange& change);

/// Facts about an mbarrier beyond its eight bytes.
struct MbarrierHistory {
  std::uint32_t turns = 0;     ///< phases that are over
  std::uint32_t waited = 0;    ///< the last of them that somebody has waited for
  std::uint32_t credited = 0;  ///< the last phase to which a bulk copy delivered, from 1
  Actor deliverer;             ///< the thread that started that copy
  /// Warps that have arrived or counted bytes here: block and index.
  std::vector<std::pair<std::int64_t, int>> arrivers;
  Knowledge arriving;      ///< what this phase's arrivals carry
  Knowledge completed;     ///< what those of all earlier phases carried
  Knowledge arriving_far;  ///< the same of arrivals from other blocks
  Knowledge completed_far;
};

}  // namespace jute::emulator
