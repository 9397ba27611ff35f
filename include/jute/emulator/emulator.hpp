#pragma once
// The emulator back end: executes PTX on the CPU and checks it while it runs.
#include <jute/base/export.hpp>
#include <jute/emulator/profile.hpp>
#include <jute/emulator/report.hpp>
#include <jute/emulator/texture.hpp>
#include <jute/launch/backend.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace JUTE_API jute {

enum class Check : std::uint8_t {
  none,    ///< bounds and alignment only: what would crash the process is always refused
  memory,  ///< and uninitialised reads, never-written outputs
  full,    ///< and races, barrier protocol, proxies
};

/// In which order warps run, and when asynchronous work (cp.async, bulk copies, wgmma) lands.
enum class Schedule : std::uint8_t {
  fixed,   ///< warps in order; work lands when it is issued
  random,  ///< everything by the seed: turns of any length, work piece by piece
  late,    ///< work lands when a wait demands it, or when nobody could go on without it
  early,   ///< work lands when it is issued, and whoever waits for it runs at once
};

struct EmulatorOptions {
  DeviceInfo device;  ///< the chip to stand for; an empty name gives an H200
  Check check = Check::memory;
  Schedule schedule = Schedule::fixed;
  std::uint64_t seed = 0;
  int threads = 0;  ///< CPU threads; 0: as many as the machine has
  /// Blocks that are on the chip at a time; 0: one for each of its multiprocessors. A wait for a
  /// block that cannot start is a deadlock (P12).
  int resident_blocks = 0;
  /// A block that executes more counts as endless and is given up (P12).
  Index warp_instructions_per_block = Index{1} << 32;
  /// Bytes of all live allocations together; more is refused (out_of_memory).
  Index memory_bytes = Index{1} << 42;
  bool profiles = false;  ///< keep a LaunchProfile of each launch, at some cost
  /// Called whenever blocks of a launch have ended, by any of the emulator's threads.
  std::function<void(Index done, Index all)> on_block{};
  /// Called some ten times a second while a launch runs, by the thread that launches. What it
  /// throws ends the launch, which throws it.
  std::function<void()> on_pause{};
};

/// A `__device__` or `__constant__` variable of a loaded module: copy_in sets it.
struct DeviceVariable {
  DevicePointer pointer = 0;
  Index bytes = 0;
};

/// Bytes that emulators of several ranks have in their memories together, each rank in a thread of
/// its own. What a rank writes there is another's to read once a flag of system scope lies between
/// (R11, R12).
class SharedMemory;
/// Zeros.
[[nodiscard]] std::shared_ptr<SharedMemory> make_shared_memory(Index bytes, Index owner);
/// The host's hand on a word of 4 bytes.
void write_word(SharedMemory& memory, Index at, std::uint32_t value);
[[nodiscard]] std::uint32_t read_word(const SharedMemory& memory, Index at);

/// Puts bytes there that another rank's copy engine brings, and a word behind them: kernels
/// that have seen the word by ld.acquire.sys may read the bytes (R11, R12).
void land(SharedMemory& memory, Index at, std::span<const std::byte> bytes, Index sender);
void land_flag(SharedMemory& memory, Index at, std::uint32_t value, Index sender);

class EmulatorBackend : public Backend {
 public:
  /// Findings of every launch since the last call, which empties them. Waits for running launches.
  [[nodiscard]] virtual Report take_report() = 0;
  /// The profiles of every launch since the last call, which empties them; none unless options ask.
  [[nodiscard]] virtual std::vector<LaunchProfile> take_profiles() = 0;
  /// The variable of this name, as the PTX text spells it, in the kernel's module. Kernels that are
  /// loaded from the same text at the same time share their module.
  [[nodiscard]] virtual std::optional<DeviceVariable> find_variable(const Kernel& kernel,
                                                                    std::string_view name) = 0;
  /// Bytes within the chip's memory, in the stream's order. What was never written stays so.
  ///   throws  out_of_range: either place reaches beyond its memory
  virtual void copy(DevicePointer target, DevicePointer source, Index bytes,
                    Stream stream = {}) = 0;
  /// A texture or surface object over memory at `base`, as kernels take it: a 64-bit argument.
  ///   throws  illegal_config: a rule of TextureSpec; out_of_range: it reaches beyond the memory
  [[nodiscard]] virtual std::uint64_t make_texture(const TextureSpec& spec, DevicePointer base) = 0;
  /// Shared bytes in this chip's memory, which is that of a rank; `free` takes them out again.
  [[nodiscard]] virtual DevicePointer map(std::shared_ptr<SharedMemory> memory, Index rank) = 0;
  /// Called every now and then while all that runs of a launch looks at memory in vain, where some
  /// is shared, with the seconds since it did so first. False: it is a deadlock. Without it
  /// launches wait for 30 seconds.
  virtual void when_waiting(std::function<bool(double seconds)> keeps_waiting) = 0;
};

[[nodiscard]] std::unique_ptr<EmulatorBackend> open_emulator(const EmulatorOptions& options = {});

}  // namespace jute
