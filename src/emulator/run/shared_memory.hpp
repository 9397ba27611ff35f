#pragma once
// Memory that emulators of several ranks have in common, and what orders its accesses: flags of
// system scope, launch by launch.
#include "emulator/run/global_memory.hpp"

#include <jute/emulator/emulator.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace jute::emulator {

struct GlobalHistory;
struct MemoryAccess;
struct Resolved;
struct Warp;

/// Launches by machine that lie behind: all of them up to this one.
using LaunchClock = std::map<std::uint64_t, std::uint64_t>;

/// Who touched something, and in which of its launches.
struct RankTouch {
  std::uint64_t machine = 0, launch = 0;
  Index rank = 0;
};

}  // namespace jute::emulator

namespace jute {

class SharedMemory {
 public:
  SharedMemory(Index bytes, Index owner);

  struct Flag {
    emulator::RankTouch by;
    emulator::LaunchClock known;
    bool is_system = false;
  };
  struct Chunk {
    std::vector<emulator::RankTouch> writes, reads;
  };
  static constexpr Index kChunkBytes = 16;

  emulator::HostBytes data;
  Index bytes, owner;
  bool has_left = false;                         ///< the owner maps it no more
  std::map<Index, Flag> flags;                   ///< by where they lie: ordered stores
  std::map<Index, Chunk> chunks;                 ///< that launches have touched
  std::set<std::uint64_t> mapped;                ///< machines
  std::map<Index, emulator::RankTouch> engines;  ///< by ranks: copies and words of theirs so far
};

}  // namespace jute

namespace jute::emulator {

/// Held by whoever touches flags, and what is known of shared memory.
[[nodiscard]] std::mutex& shared_memory_mutex();

/// A machine's side of all memory that it shares.
class RankWatch {
 public:
  RankWatch();
  void map(std::shared_ptr<SharedMemory> memory, DevicePointer at, Index rank);
  void unmap(DevicePointer at);
  [[nodiscard]] bool is_on() const { return !mapped_.empty(); }

  void begin_launch() { ++known_[machine_]; }
  /// An ordered store or load of lanes of a warp; the mutex is held, and findings are looked for.
  void publish(const Warp& warp, const MemoryAccess& access, const Resolved& where);
  void observe(const Warp& warp, const MemoryAccess& access, const Resolved& where);
  /// Compares a launch's accesses with others'; then they are remembered.
  [[nodiscard]] std::vector<Finding> end_launch(const GlobalHistory& history,
                                                const std::string& kernel);

 private:
  struct Mapped {
    std::shared_ptr<SharedMemory> memory;
    Index rank = 0;
  };
  struct Place {
    SharedMemory* memory = nullptr;
    Index at = 0, rank = 0;
  };
  [[nodiscard]] Place place_of(const std::byte* data) const;
  [[nodiscard]] bool lies_behind(const RankTouch& touch) const;
  void end_chunk(SharedMemory& memory, Index rank, Index at, bool writes, bool reads,
                 const std::string& kernel, std::vector<Finding>& findings);

  std::uint64_t machine_;
  LaunchClock known_;
  std::map<DevicePointer, Mapped> mapped_;
};

}  // namespace jute::emulator
