#pragma once
// Memory that ranks show each other where they are emulators of one process.
#include <jute/launch/communicator.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace jute {
class Backend;
class EmulatorBackend;
class SharedMemory;
}  // namespace jute

namespace jute::ranks {

/// A rank's part of a window between emulators.
struct ShownMemory {
  std::shared_ptr<SharedMemory> bytes, fault;
};

/// The back end as an emulator; null where it is none, or jute is built without. What follows is
/// for those that are.
[[nodiscard]] EmulatorBackend* emulator_of(Backend& backend);
[[nodiscard]] ShownMemory shown_memory(Index bytes, Index rank);
/// Memory of all ranks' emulators in this one's.
[[nodiscard]] std::shared_ptr<const Window> emulated_window(EmulatorBackend& emulator, Index rank,
                                                            const std::vector<ShownMemory>& all);
/// Calls `look` with the seconds that a kernel of the emulator has waited; false ends it.
void when_waiting(EmulatorBackend& emulator, std::function<bool(double)> look);

/// A region's bytes, which come one row behind the other, and its flag: as by a copy engine.
/// `at` is where the window begins.
void land_region(const ShownMemory& window, DevicePointer at, const Region& region,
                 std::span<const std::byte> bytes, Index sender);

/// Kernels that wait see that somebody failed. Nothing where the rank shows no memory.
void raise_fault(const ShownMemory& window);
/// The first rank whose flag in a window is behind the own one; -1: none is.
[[nodiscard]] Index missing_rank(const SharedMemory& window, Index rank, Index ranks);

}  // namespace jute::ranks
