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

constexpr int kCountBits = 20;
constexpr std::uint64_t kCountMask = (1U << kCountBits) - 1;
constexpr int kTxBits = 21;
constexpr std::uint64_t kTxMask = (1U << kTxBits) - 1;
constexpr std::int64_t kMostTx = kCountMask;
constexpr std::uint64_t kLiveMark = std::uint64_t{1} << 62;

}  // namespace

MbarrierState unpack_mbarrier(std::uint64_t word) {
  MbarrierState state;
  state.is_live = (word & kLiveMark) != 0 && (word >> 61 & 1) == 0;
  state.pending = static_cast<std::int64_t>(word & kCountMask);
  state.expected = static_cast<std::int64_t>(word >> kCountBits & kCountMask);
  const auto tx = static_cast<std::int64_t>(word >> (2 * kCountBits) & kTxMask);
  state.tx = tx > kMostTx ? tx - (std::int64_t{1} << kTxBits) : tx;
  state.phase = static_cast<int>(word >> 63);
  return state;
}
std::uint64_t pack_mbarrier(const MbarrierState& state) {
  return (static_cast<std::uint64_t>(state.pending) & kCountMask) |
         (static_cast<std::uint64_t>(state.expected) & kCountMask) << kCountBits |
         (static_cast<std::uint64_t>(state.tx) & kTxMask) << (2 * kCountBits) |
         (state.is_live ? kLiveMark : 0) | static_cast<std::uint64_t>(state.phase) << 63;
}

MbarrierUpdate update_mbarrier(std::byte* place, const MbarrierChange& change) {
  std::uint64_t word;
  std::memcpy(&word, place, sizeof(word));
  MbarrierState state = unpack_mbarrier(word);
  if (!state.is_live)
    return {false, "P1", "the mbarrier was never initialised, or was invalidated"};
  MbarrierUpdate update;
  if (change.arrivals > state.pending)
    update.broken = base::format("{} arrivals at an mbarrier that awaits {} more in this phase",
                                 change.arrivals, state.pending);
  state.tx += change.tx;
  if (state.tx > kMostTx || state.tx < -kMostTx)
    update.broken =
        base::format("the mbarrier's pending bytes reach {}, beyond +-(2^20-1)", state.tx);
  state.expected -= change.fewer;
  state.pending += change.more - std::min(change.arrivals, state.pending);
  if (state.pending == 0 && state.tx == 0) {
    state.phase ^= 1;
    state.pending = state.expected;
    update.turned = true;
  } else if (state.pending == 0 && state.tx < 0) {
    update.code = "P2";
    update.broken = base::format(
        "all arrivals of the phase are there, and copies have delivered {} bytes more "
        "than they were said to: expect_tx must count what is copied",
        -state.tx);
  }
  word = pack_mbarrier(state);
  std::memcpy(place, &word, sizeof(word));
  return update;
}

void change_mbarrier(Block& owner, std::uint64_t offset, const MbarrierChange& change,
                     Block& finder, const Actor& who) {
  const MbarrierUpdate update = update_mbarrier(owner.shared.data() + offset, change);
  if (update.turned) {
    MbarrierHistory& history = owner.mbarriers[offset];
    ++history.turns;
    history.completed.join(history.arriving);
    history.arriving.clear();
    history.completed_far.join(history.arriving_far);
    history.arriving_far.clear();
  }
  if (update.broken.empty()) return;
  finder.find(update.code, who,
              [&] { return base::format("{} (shared offset {})", update.broken, offset); });
}

void credit_mbarrier(const BulkCopy& copy, Index bytes) {
  Block& owner = *copy.owner;
  if (copy.barrier % 8 != 0 || copy.barrier + 8 > owner.shared.size()) {
    copy.block->find("M1", copy.who, [&] {
      return base::format(
          "a bulk copy credits an mbarrier at shared offset {}; the block has {} "
          "bytes of shared memory",
          copy.barrier, owner.shared.size());
    });
    return;
  }
  MbarrierHistory& history = owner.mbarriers[copy.barrier];
  if (history.turns != copy.phase) {
    copy.block->find("P2", copy.who, [&] {
      return base::format(
          "{} bytes arrive in a later phase of the mbarrier at shared offset {} than they were "
          "started in: the phase ended without them. expect_tx must count all the bytes of a "
          "phase, and come no later than the last arrival",
          bytes, copy.barrier);
    });
  }
  history.credited = history.turns + 1;
  history.deliverer = copy.who;
  change_mbarrier(owner, copy.barrier, {.tx = -bytes}, *copy.block, copy.who);
}

namespace {

using Kind = MbarrierUse::Kind;

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
      case Kind::init:
        return initialise();
      case Kind::invalidate:
        return write(0);
      case Kind::arrive:
      case Kind::arrive_drop:
        note_arriver();
        return arrive();
      case Kind::expect_tx:
        note_arriver();
        return update({.tx = bytes()});
      case Kind::complete_tx:
        return update({.tx = -bytes()});
      case Kind::test_wait:
        return wait();
      case Kind::pending_count:
        return;
      case Kind::arrive_on_copies:
        note_arriver();
        if (!use_.is_no_increment) update({.more = 1});
        return arrive_after_copies(warp_, {lane_, &owner_.get(), offset_});
    }
  }
  [[nodiscard]] bool answer() const { return answer_; }

 private:
  void initialise() {
    const std::int64_t count = static_cast<std::int64_t>(operand(use_.count, 4));
    if (count < 1 || count > static_cast<std::int64_t>(kCountMask)) {
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
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    std::uint64_t word;
    std::memcpy(&word, warp.at(use.phase) + lane * 8, sizeof(word));
    const auto pending = static_cast<std::uint32_t>(unpack_mbarrier(word).pending);
    std::memcpy(warp.at(use.result) + lane * 4, &pending, sizeof(pending));
  }
}

}  // namespace

void run_mbarrier(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const MbarrierUse& use = warp.block->program.mbarriers[instruction.extra];
  if (use.kind == Kind::pending_count) return count_pending(warp, use, mask);
  Resolved where;
  // Operations on the object never race with each other, only with what makes or ends it.
  const bool makes = use.kind == Kind::init || use.kind == Kind::invalidate;
  resolve(warp, use.access, 8, mask, makes ? AccessKind::store : AccessKind::load, where);
  std::uint32_t answers = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if (((where.ok >> lane) & 1) == 0) continue;
    LaneOperation operation(warp, use, lane, where.data[static_cast<size_t>(lane)]);
    operation.run();
    answers |= static_cast<std::uint32_t>(operation.answer()) << lane;
  }
  for (size_t lane = 0; where.tracks_defined && lane < kWarpLanes; ++lane)
    if (((where.ok >> lane) & 1) != 0 && where.defined[lane] != nullptr)
      std::memset(where.defined[lane], 1, 8);
  if (use.kind != Kind::test_wait) {
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
