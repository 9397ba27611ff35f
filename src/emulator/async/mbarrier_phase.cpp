// Phases of an mbarrier: its word, what ends one, and who is told.
#include <algorithm>
#include <cstring>
#include <functional>

#include "base/format.hpp"
#include "emulator/async/mbarrier.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

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

}  // namespace jute::emulator
