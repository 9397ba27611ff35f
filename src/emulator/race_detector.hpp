#pragma once
// Finds accesses of one place that nothing orders: happens-before by vector clocks over warps.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace jute::emulator {

struct Block;
struct Warp;
struct Resolved;
enum class AccessKind : std::uint8_t;

/// What each warp of a block knows of the others: the last moment of each that it has synchronised
/// with.
using Clocks = std::vector<std::uint32_t>;

/// Who touched a word last, and when by its own clock.
struct Touch {
  std::int32_t block = -1;  ///< linear; -1 nobody
  std::uint16_t warp = 0;
  std::uint8_t lane = 0;
  std::uint8_t bytes = 0;  ///< which of the word's four
  std::uint32_t clock = 0;
  std::uint32_t convergence = 0;  ///< how often the warp's lanes had met
  std::int32_t origin = -1;
  std::uint64_t moment = 0;  ///< of the whole launch
  bool is_strong = false;
};
struct WordHistory {
  Touch write;
  Touch read;
};

/// Global memory's history, shared by the blocks of a launch, which run on one thread.
struct GlobalHistory {
  static constexpr std::uintptr_t kPageBytes = 4096;
  using Page = std::vector<WordHistory>;
  std::unordered_map<std::uintptr_t, Page> pages;
  std::uint64_t moment = 0;
  /// When each block last published what it wrote, and last looked at what others published. Blocks
  /// that did both in this order count as synchronised: this may miss a race, it never invents one.
  std::unordered_map<std::int32_t, std::uint64_t> released;
  std::unordered_map<std::int32_t, std::uint64_t> acquired;
};

class RaceDetector {
 public:
  RaceDetector(Block& block, GlobalHistory& global) : block_(&block), global_(&global) {}

  void start(size_t warps, size_t shared_bytes);
  /// Lanes of `where.ok` touch `bytes` each. Two strong accesses (atomic, volatile, ordered) of one
  /// place never race.
  void access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind, bool is_strong);
  /// release or acquire at the place of every lane.
  void release_at(const Warp& warp, const Resolved& where);
  void acquire_at(const Warp& warp, const Resolved& where);
  /// Lanes of a warp meet: bar.warp.sync, shfl and their like.
  void converge(const Warp& warp);
  /// A warp publishes what it did to a barrier, or to the place that an atomic changes …
  void release(const Warp& warp, std::uint64_t place);
  /// … and another learns it there.
  void acquire(const Warp& warp, std::uint64_t place);
  /// Forgets what a barrier that has opened carried.
  void reset(std::uint64_t place) { published_.erase(place); }
  /// Fences and ordered accesses order blocks.
  void release_globally();
  void acquire_globally();

 private:
  void touch(const Warp& warp, Touch now, bool writes, WordHistory& word, const char* space);
  [[nodiscard]] bool is_ordered(const Touch& before, const Warp& warp, int lane) const;
  void report(const Touch& before, const Warp& warp, int lane, const std::string& text);

  Block* block_;
  GlobalHistory* global_;
  std::vector<Clocks> clocks_;               ///< by warp
  std::vector<std::uint32_t> convergences_;  ///< by warp
  std::vector<WordHistory> shared_;          ///< by word
  std::unordered_map<std::uint64_t, Clocks> published_;
};

}  // namespace jute::emulator
