#pragma once
// What the race detector remembers of memory: who touched it last, 16 bytes at a time.
#include "emulator/check/clocks.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jute::emulator {

/// Who touches memory. A block has an actor for each thread, one of each further agent for each
/// warp, and one for each mbarrier: a bulk load's writes are known to whoever has waited for the
/// phase that they complete.
enum class Agent : std::uint8_t {
  thread,
  copy,          ///< cp.async of the warp; its moments are the warp's groups
  store_target,  ///< bulk stores of the warp, as they write; moments: groups
  product,       ///< wgmma of the warp; moments: the products
  store_source,  ///< bulk stores of the warp, as they read
  mbarrier,      ///< bulk loads that complete on it; moments: its phases
};
/// The agents behind it are engines of which it is enough to know that they have finished, where
/// what they have touched is written anew.
inline constexpr Agent kFirstEngine = Agent::product;

/// Who touched some bytes last, and when by the actor's own clock.
struct Touch {
  std::int32_t block = -1;     ///< the actor's, linear; -1: nobody
  std::int32_t by_block = -1;  ///< of the thread that did it or started it
  std::uint32_t moment = 0;
  std::int32_t origin = -1;
  std::uint16_t actor = 0;
  std::uint16_t thread = 0;
  std::uint16_t bytes = 0;  ///< which of the chunk's
  Agent agent = Agent::thread;
  std::uint8_t reach : 2 = 0;  ///< an ordered access or an atomic: its Scope, from 1; 0: neither
  bool makes_barrier : 1 = false;  ///< mbarrier.init
  bool repeats : 1 = false;        ///< a write that leaves the bytes as they were
  /// Not 0: several threads did it. kCrowd: lanes of a warp, all of the bytes; `by_block` holds
  /// them as bits, `actor` and `thread` are lane 0's. Else a row of threads one behind the other,
  /// so many bytes each; `actor` and `thread` are what they would be at the chunk's first byte.
  std::uint8_t each : 4 = 0;
  static constexpr std::uint8_t kCrowd = 15;

  [[nodiscard]] bool is_by(const Touch& other) const {
    return block == other.block && actor == other.actor;
  }
  [[nodiscard]] std::uint32_t lanes() const { return static_cast<std::uint32_t>(by_block); }
  /// Is this one thread among the crowd?
  [[nodiscard]] bool holds(const Touch& one) const {
    const auto lane = static_cast<std::uint16_t>(one.actor - actor);
    return block == one.block && lane < 32 && (lanes() >> lane & 1) != 0;
  }
  /// The touch of one thread of several.
  [[nodiscard]] Touch part(unsigned index, unsigned touched) const {
    Touch one = *this;
    one.each = 0;
    one.by_block = block;
    one.bytes = static_cast<std::uint16_t>(touched);
    one.actor = one.thread = static_cast<std::uint16_t>(thread + index);
    return one;
  }
  /// Calls `visit` with what each thread did that touched some of these bytes.
  template <class Visit>
  void each_thread(std::uint16_t wanted, Visit visit) const {
    if ((bytes & wanted) == 0) return;
    if (each == 0) return visit(*this);
    if (each == kCrowd) {
      for (std::uint32_t rest = lanes(); rest != 0; rest &= rest - 1)
        visit(part(static_cast<unsigned>(std::countr_zero(rest)), bytes));
      return;
    }
    const unsigned mask = (1U << each) - 1;
    for (unsigned at = 0; at < 16; at += each) {
      const unsigned touched = bytes & (mask << at);
      if ((touched & wanted) != 0) visit(part(at / each, touched));
    }
  }
  /// Takes these bytes away from threads for which `accepts` holds; of a crowd only from those that
  /// touched no others.
  template <class Accepts>
  void cut(std::uint16_t wanted, Accepts accepts) {
    unsigned taken = 0;
    std::uint32_t leaving = 0;
    each_thread(wanted, [&](const Touch& one) {
      if (!accepts(one)) return;
      taken |= one.bytes & wanted;
      if (each == kCrowd) leaving |= 1U << (one.actor - actor);
    });
    if (each != kCrowd) {
      bytes = static_cast<std::uint16_t>(bytes & ~taken);
    } else if ((bytes & ~wanted) == 0) {
      by_block = static_cast<std::int32_t>(lanes() & ~leaving);
      if (by_block == 0) bytes = 0;
    }
  }
};
[[nodiscard]] constexpr std::uint8_t reach_of(Scope scope) {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(scope) + 1);
}

/// Touches of one chunk that still count; mostly one.
class Touches {
 public:
  /// Calls `visit` for those of some of these bytes, thread by thread.
  template <class Visit>
  void each(std::uint16_t bytes, Visit visit) const {
    first_.each_thread(bytes, visit);
    for (const Touch& touch : more_) touch.each_thread(bytes, visit);
  }
  /// The same, threads that are kept together as a whole.
  template <class Visit>
  void each_row(std::uint16_t bytes, Visit visit) const {
    if ((first_.bytes & bytes) != 0) visit(first_);
    for (const Touch& touch : more_)
      if ((touch.bytes & bytes) != 0) visit(touch);
  }
  /// The first for which `accepts` holds, threads that are kept together as a whole.
  template <class Accepts>
  [[nodiscard]] Touch* find(Accepts accepts) {
    if (first_.bytes != 0 && accepts(first_)) return &first_;
    for (Touch& touch : more_)
      if (accepts(touch)) return &touch;
    return nullptr;
  }
  /// Makes room where there are many: those go for which `is_over` holds, and at the last those
  /// that are oldest.
  template <class IsOver>
  void make_room(IsOver is_over) {
    constexpr size_t kMany = 16, kMost = 64;
    const size_t count = more_.size();
    if (count != kMany && count != kMany * 2 && count < kMost) return;
    std::erase_if(more_, is_over);
    if (more_.size() >= kMost) more_.erase(more_.begin(), more_.begin() + kMany);
  }
  void add(const Touch& touch) {
    if (first_.bytes == 0) {
      first_ = touch;
    } else {
      more_.push_back(touch);
    }
  }
  /// Takes these bytes away from all touches …
  void cut(std::uint16_t bytes) {
    cut_each([&](Touch& touch) { touch.bytes = static_cast<std::uint16_t>(touch.bytes & ~bytes); });
  }
  /// … or from those for which `accepts` holds, thread by thread.
  template <class Accepts>
  void cut(std::uint16_t bytes, Accepts accepts) {
    cut_each([&](Touch& touch) { touch.cut(bytes, accepts); });
  }

 private:
  template <class Cut>
  void cut_each(Cut cut) {
    const auto is_gone = [&](Touch& touch) {
      cut(touch);
      return touch.bytes == 0;
    };
    std::erase_if(more_, is_gone);
    if (first_.bytes != 0 && is_gone(first_) && !more_.empty()) {
      first_ = more_.back();
      more_.pop_back();
    }
  }

  Touch first_;
  std::vector<Touch> more_;
};

/// The memory of accesses to 16 bytes that lie together.
struct ChunkHistory {
  static constexpr std::uintptr_t kBytes = 16;
  Touches writes;
  Touches reads;
};

}  // namespace jute::emulator
