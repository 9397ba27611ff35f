// mbarrier objects: their state lives in the eight bytes of shared memory that the program gives.
#include "emulator/async/mbarrier.hpp"

#include "base/format.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

namespace jute::emulator {
namespace {

using MbarrierKind = MbarrierUse::Kind;

/// One lane's operation on one barrier.
class LaneOperation {
 public:
  LaneOperation(Warp& warp, const MbarrierUse& use, int lane, std::byte* place)
      : warp_(warp), use_(use), lane_(lane), place_(place), owner_(*warp.block) {
    for (const auto& block : warp.block->cluster->blocks) {
      const std::byte* const begin = block->shared.data();
      if (place < begin || place >= begin + block->shared.size()) continue;
      owner_ = *block;
      offset_ = static_cast<std::uint64_t>(place - begin);
    }
  }

  void run() {
    std::uint64_t word;
    std::memcpy(&word, place_, sizeof(word));
    before_ = word;
    switch (use_.kind) {
      case MbarrierKind::init:
        return initialise();
      case MbarrierKind::invalidate:
        return write(0);
      case MbarrierKind::arrive:
      case MbarrierKind::arrive_drop:
        note_arriver();
        return arrive();
      case MbarrierKind::expect_tx:
        note_arriver();
        return update({.tx = bytes()});
      case MbarrierKind::complete_tx:
        return update({.tx = -bytes()});
      case MbarrierKind::test_wait:
        return wait();
      case MbarrierKind::pending_count:
        return;
      case MbarrierKind::arrive_on_copies:
        note_arriver();
        if (!use_.is_no_increment) update({.more = 1});
        return arrive_after_copies(warp_, {lane_, &owner_.get(), offset_});
    }
  }
  [[nodiscard]] bool answer() const { return answer_; }

 private:
  void initialise() {
    const std::int64_t count = static_cast<std::int64_t>(operand(use_.count, 4));
    constexpr std::int64_t kMostArrivals = (1 << 20) - 1;
    if (count < 1 || count > kMostArrivals) {
      report(base::format("an mbarrier awaits 1 to 2^20-1 arrivals, not {}", count));
      return;
    }
    write(pack_mbarrier({true, count, count, 0, 0}));
    owner_.get().mbarriers[offset_] = {};
  }
  void note_arriver() {
    auto& arrivers = owner_.get().mbarriers[offset_].arrivers;
    const std::pair<std::int64_t, int> self{warp_.block->linear, warp_.index};
    if (std::find(arrivers.begin(), arrivers.end(), self) == arrivers.end())
      arrivers.push_back(self);
  }
  void arrive() {
    const auto count =
        use_.count == kNoSlot ? 1 : static_cast<std::int64_t>(operand(use_.count, 4));
    const std::int64_t tx = use_.bytes == kNoSlot ? 0 : bytes();
    if (use_.result != kNoSlot) write_result(before_, 8);
    // Expected bytes count before the arrival, so that it cannot end the phase early.
    if (tx != 0) update({.tx = tx});
    leave();
    update({.arrivals = count, .fewer = use_.drops ? count : 0});
  }
  void wait() {
    const MbarrierState state = unpack_mbarrier(before_);
    if (!state.is_live) return report("a wait on an mbarrier that was never initialised");
    const std::uint64_t phase = operand(use_.phase, use_.has_parity ? 4 : 8);
    const int awaited =
        use_.has_parity ? static_cast<int>(phase & 1) : unpack_mbarrier(phase).phase;
    answer_ = state.phase != awaited;
    MbarrierHistory& history = owner_.get().mbarriers[offset_];
    if (answer_) history.waited = history.turns;
    if (RaceDetector* races = warp_.block->races.get(); races != nullptr && answer_)
      races->learn_phase(warp_, offset_, history, use_.scope);
    warp_.groups[warp_.running].poll.phase = {offset_, awaited};
  }
  void leave() {
    RaceDetector* const races = warp_.block->races.get();
    if (races == nullptr) return;
    const bool is_near = &owner_.get() == warp_.block;
    MbarrierHistory& history = owner_.get().mbarriers[offset_];
    Knowledge& arriving = is_near ? history.arriving : history.arriving_far;
    if (!use_.releases) return races->leave_relaxed(warp_, arriving, use_.scope);
    if (is_near || use_.scope >= Scope::cluster) return races->leave(warp_, 1U << lane_, arriving);
    races->leave_reads(warp_, 1U << lane_, arriving, use_.scope);
  }
  void update(const MbarrierChange& change) {
    change_mbarrier(owner_, offset_, change, *warp_.block, warp_.block->actor(warp_, lane_));
  }
  void report(const std::string& text) {
    warp_.block->find("P1", warp_, lane_, [&] { return text; });
  }
  [[nodiscard]] std::uint64_t operand(Slot slot, size_t bytes) const {
    return read_lane(warp_, slot, lane_, bytes);
  }
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(operand(use_.bytes, 4));
  }
  void write(std::uint64_t word) { std::memcpy(place_, &word, sizeof(word)); }
  void write_result(std::uint64_t value, size_t bytes) {
    std::memcpy(warp_.at(use_.result) + static_cast<size_t>(lane_) * bytes, &value, bytes);
  }

  Warp& warp_;
  const MbarrierUse& use_;
  int lane_;
  std::byte* place_;
  std::reference_wrapper<Block> owner_;
  std::uint64_t offset_ = 0;
  std::uint64_t before_ = 0;
  bool answer_ = false;
};

void count_pending(Warp& warp, const MbarrierUse& use, std::uint32_t mask) {
  for (const size_t lane : lanes_of(mask)) {
    std::uint64_t word;
    std::memcpy(&word, warp.at(use.phase) + lane * 8, sizeof(word));
    const auto pending = static_cast<std::uint32_t>(unpack_mbarrier(word).pending);
    std::memcpy(warp.at(use.result) + lane * 4, &pending, sizeof(pending));
  }
}

}  // namespace

void run_mbarrier(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MbarrierUse& use = warp.block->program.use_of<MbarrierUse>(instruction);
  if (use.kind == MbarrierKind::pending_count) return count_pending(warp, use, mask);
  Resolved where;
  // Operations on the object never race with each other, only with what makes or ends it.
  const bool makes = use.kind == MbarrierKind::init || use.kind == MbarrierKind::invalidate;
  resolve(warp, use.access, 8, mask, makes ? AccessKind::store : AccessKind::load, where);
  std::uint32_t answers = 0;
  for (const int lane : lanes_of(where.ok)) {
    LaneOperation operation(warp, use, lane, where.data[static_cast<size_t>(lane)]);
    operation.run();
    answers |= static_cast<std::uint32_t>(operation.answer()) << lane;
  }
  for (size_t lane = 0; where.tracks_defined && lane < kWarpLanes; ++lane)
    if (((where.ok >> lane) & 1) != 0 && where.defined[lane] != nullptr)
      std::memset(where.defined[lane], 1, 8);
  if (use.kind != MbarrierKind::test_wait) {
    ++warp.effects;
    warp.found_nothing_new = false;
    maybe_yield(warp);
    return;
  }
  write_predicate(warp, use.result, answers, mask);
  if ((answers & mask) == mask) {
    ++warp.effects;
    warp.found_nothing_new = false;
  } else {
    note_poll(warp, instruction, answers);
  }
}

}  // namespace jute::emulator
