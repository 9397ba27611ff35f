// Runs one warp: groups of lanes that move together, split at branches and join where they meet.
#include "emulator/async/queues.hpp"
#include "emulator/check/instruction_counter.hpp"
#include "emulator/check/unset_registers.hpp"
#include "emulator/run/call_frame.hpp"
#include "emulator/run/lane_groups.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

// A group that loops this often while others of its warp could run lets them.
constexpr std::uint32_t kPatience = 2048;
constexpr int kTurn = 1 << 16;
constexpr int kLeastTurn = 512;  // enough to look at what is polled: else it counts as progress

class Interpreter {
 public:
  explicit Interpreter(Warp& warp)
      : warp_(warp), block_(*warp.block), program_(block_.program), code_(program_.code.data()) {}

  bool run() {
    const Index before = block_.findings.counters.warp_instructions;
    budget_ = kTurn;
    if (block_.launch.options.schedule == Schedule::random)
      budget_ = kLeastTurn + static_cast<int>(block_.random() % kLeastTurn);
    const bool counts = block_.launch.counter != nullptr;
    warp_.found_nothing_new = warp_.yields = false;
    for (LaneGroup& each : warp_.groups) each.rests = false;
    while (!warp_.is_done() && budget_ > 0 && left() >= 0 && !warp_.found_nothing_new &&
           !warp_.yields && !block_.aborted) {
      merge_groups(warp_.groups);
      const int next = pick_group(warp_.groups);
      if (next < 0) break;
      const auto run =
          counts ? &Interpreter::run_fragment<true> : &Interpreter::run_fragment<false>;
      (this->*run)(static_cast<size_t>(next));
      --budget_;  // a jump that ends its fragment is no free one
    }
    return block_.findings.counters.warp_instructions != before;
  }

 private:
  template <bool counts>
  void run_fragment(size_t index) {
    warp_.running = index;
    const bool is_alone = warp_.groups.size() == 1;
    const std::uint32_t stop = is_alone ? kNoStop : next_join(warp_.groups, index);
    std::uint32_t pc = group().pc;
    const std::uint32_t active = group().mask;
    const Index most = left();
    Index executed = 0;
    leave_ = false;
    if (is_alone) group().loops = 0;
    while (pc < stop && !leave_) {
      const Instruction& instruction = code_[pc];
      warp_.current = &instruction;
      std::uint32_t mask = active;
      if (instruction.guard != kNoSlot) {
        const std::uint32_t guard = read_predicate(warp_, instruction.guard);
        mask &= instruction.guard_negated ? ~guard : guard;
      }
      ++executed;
      if constexpr (counts) block_.launch.counter->count(warp_, pc, mask);
      if (instruction.tracks_unset && block_.tracks_defined) [[unlikely]]
        check_unset(warp_, pc, mask, active);
      if (warp_.watch.is_on()) [[unlikely]]
        warp_.watch.before(warp_, pc, mask, active);
      if (instruction.flow == Flow::plain) {
        if (mask != 0) instruction.run(warp_, instruction, mask);
        ++pc;
        continue;
      }
      group().pc = pc;
      const std::uint32_t from = pc;
      control(instruction, mask);
      if (leave_) break;
      pc = group().pc;
      if (pc <= from) {
        budget_ -= static_cast<int>(from - pc) + 1;
        if (budget_ <= 0 || executed > most) break;
        if (!is_alone && ++group().loops % kPatience == 0) {
          ++group().fatigue;
          break;
        }
      }
    }
    if (!leave_) group().pc = pc;
    block_.findings.counters.warp_instructions += executed;
    block_.executed += executed;
  }

  // Instructions that a block may still execute; a jump back and the end of a fragment ask. Only
  // the code itself, from its begin to its end, is longer than a block may overrun.
  [[nodiscard]] Index left() const {
    return block_.launch.options.warp_instructions_per_block - block_.executed;
  }
  [[nodiscard]] LaneGroup& group() { return warp_.groups[warp_.running]; }

  // Leaves group().pc at the next instruction, or sets leave_ after changing the groups.
  void control(const Instruction& instruction, std::uint32_t mask) {
    if (mask == 0) {
      ++group().pc;
      return;
    }
    switch (instruction.flow) {
      case Flow::plain:
        break;
      case Flow::branch:
        return branch(instruction.target, mask);
      case Flow::table:
        return table(instruction, mask);
      case Flow::call:
        return call(instruction, mask);
      case Flow::pointer_call:
        return pointer_call(instruction, mask);
      case Flow::ret:
        return leave_function(mask);
      case Flow::exit:
        return exit(mask);
      case Flow::collective:
        return collective(instruction, mask);
      case Flow::barrier:
        return barrier(instruction, mask);
      case Flow::polling:
        return poll(instruction, mask);
      case Flow::product_wait:
        return wait_for_products(instruction, mask);
      case Flow::cluster_wait:
        return wait_for_cluster();
      case Flow::trap:
        return trap(mask);
    }
  }

  void branch(std::uint32_t target, std::uint32_t taken) {
    LaneGroup& self = group();
    if (taken == self.mask) {
      self.pc = target;
    } else {
      split(taken, target, self.pc + 1);
    }
  }
  void split(std::uint32_t taken, std::uint32_t target, std::uint32_t next) {
    LaneGroup other = group();
    other.mask = taken;
    other.pc = target;
    group().mask &= ~taken;
    group().pc = next;
    warp_.groups.push_back(std::move(other));
    leave_ = true;
  }

  // Lanes that want the same go together, to where `place` puts them, which is false where that is
  // no place; the others go on.
  template <class Wanted, class Place>
  void part(std::uint32_t mask, Wanted&& wanted, Place&& place) {
    const LaneGroup before = group();
    std::vector<LaneGroup> parts;
    for (std::uint32_t rest = mask; rest != 0; rest &= ~parts.back().mask) {
      const int lane = std::countr_zero(rest);
      LaneGroup part = before;
      part.mask = 0;
      for (int other = lane; other < kWarpLanes; ++other)
        if ((rest >> other & 1) != 0 && wanted(other) == wanted(lane)) part.mask |= 1U << other;
      leave_ = true;
      if (!place(part, wanted(lane), lane)) {
        block_.aborted = true;
        return;
      }
      parts.push_back(std::move(part));
    }
    if (mask != before.mask) {
      parts.push_back(before);
      parts.back().mask &= ~mask;
      ++parts.back().pc;
    }
    warp_.groups.erase(warp_.groups.begin() + static_cast<std::ptrdiff_t>(warp_.running));
    for (LaneGroup& each : parts) warp_.groups.push_back(std::move(each));
    leave_ = true;
  }
  void table(const Instruction& instruction, std::uint32_t mask) {
    const std::vector<std::uint32_t>& targets = program_.use_of<BranchTargets>(instruction);
    const auto wanted = [&](int lane) { return read_word(warp_, instruction.src[0], lane); };
    part(mask, wanted, [&](LaneGroup& part, std::uint32_t entry, int lane) {
      if (entry < targets.size()) {
        part.pc = targets[entry];
        return true;
      }
      block_.find("X2", warp_, lane, [&] {
        return base::format("brx.idx takes entry {} of a table of {}", entry, targets.size());
      });
      return false;
    });
  }

  void call(const Instruction& instruction, std::uint32_t mask) {
    copy_call_frame(warp_, program_.use_of<Call>(instruction).arguments, mask);
    const std::uint32_t next = group().pc;
    if (mask != group().mask) {
      split(mask, instruction.target, next + 1);
      warp_.groups.back().returns.push_back({next, instruction.extra, instruction.target});
      return;
    }
    group().returns.push_back({next, instruction.extra, instruction.target});
    group().pc = instruction.target;
    leave_ = warp_.groups.size() > 1;
  }
  void pointer_call(const Instruction& instruction, std::uint32_t mask) {
    const PointerCall& use = program_.use_of<PointerCall>(instruction);
    const auto wanted = [&](int lane) { return read_lane(warp_, instruction.src[0], lane, 8); };
    part(mask, wanted, [&](LaneGroup& part, std::uint64_t address, int lane) {
      const auto target = use.targets.find(address);
      if (target == use.targets.end() || std::ranges::find(part.returns, target->second.pc,
                                                           &Return::begin) != part.returns.end()) {
        refuse_pointer(lane, address);
        return false;
      }
      copy_call_frame(warp_, program_.all<Call>()[target->second.call].arguments, part.mask);
      part.returns.push_back({part.pc, target->second.call, target->second.pc});
      part.pc = target->second.pc;
      return true;
    });
  }
  void refuse_pointer(int lane, std::uint64_t address) {
    block_.find("X2", warp_, lane, [&] {
      return base::format(
          "a call through the pointer {:#x}: it must be the address of a function that takes and "
          "gives what the call does, and that has returned",
          address);
    });
  }

  void leave_function(std::uint32_t mask) {
    if (group().returns.empty()) return exit(mask);
    const auto [site, call, begin] = group().returns.back();
    copy_call_frame(warp_, program_.all<Call>()[call].results, mask);
    if (mask != group().mask) {
      split(mask, site + 1, group().pc + 1);
      warp_.groups.back().returns.pop_back();
      return;
    }
    group().returns.pop_back();
    group().pc = site + 1;
    leave_ = warp_.groups.size() > 1;
  }

  void exit(std::uint32_t mask) {
    finish_copies(warp_, mask);
    warp_.live &= ~mask;
    block_.live_threads -= std::popcount(mask);
    group().mask &= ~mask;
    ++group().pc;
    if (group().mask == 0)
      warp_.groups.erase(warp_.groups.begin() + static_cast<std::ptrdiff_t>(warp_.running));
    leave_ = true;
    recheck_barriers(block_);
    recheck_cluster(block_);
  }

  // Lanes that the instruction names; without a member mask, all that have not exited.
  [[nodiscard]] std::uint32_t members(const Instruction& instruction, std::uint32_t mask) const {
    if (instruction.src[3] == kNoSlot) return warp_.live;
    std::array<std::uint32_t, kWarpLanes> named;
    std::memcpy(named.data(), warp_.at(instruction.src[3]), sizeof(named));
    std::uint32_t all = 0;
    for (const size_t lane : lanes_of(mask)) all |= named[lane];
    return all & warp_.live;
  }
  void collective(const Instruction& instruction, std::uint32_t mask) {
    const std::uint32_t missing = members(instruction, mask) & ~mask;
    if ((missing & ~group().mask) != 0 && !group().forced) {
      group().wait = Wait::convergence;
      leave_ = true;
      return;
    }
    if (missing != 0) {
      block_.find("P10", warp_, std::countr_zero(mask), [&] {
        return base::format(
            "lanes {:#010x} execute this instruction, lanes {:#010x} that it needs "
            "do not",
            mask, missing);
      });
    }
    group().forced = false;
    if (block_.races) block_.races->converge(warp_);
    instruction.run(warp_, instruction, mask);
    if (block_.races) block_.races->converge(warp_);
    ++group().pc;
  }

  void barrier(const Instruction& instruction, std::uint32_t mask) {
    const bool aligned = program_.use_of<BarrierUse>(instruction).is_aligned;
    const std::uint32_t elsewhere = warp_.live & ~mask;
    if (aligned && (elsewhere & ~group().mask) != 0 && !group().forced) {
      group().wait = Wait::convergence;
      leave_ = true;
      return;
    }
    if (aligned && elsewhere != 0) {
      block_.find("P4", warp_, std::countr_zero(mask), [&] {
        return base::format(
            "lanes {:#010x} of a warp reach an aligned barrier, lanes {:#010x} do "
            "not",
            mask, elsewhere);
      });
    }
    group().forced = false;
    if (mask != group().mask) {
      // Lanes that the guard keeps out go on alone.
      split(group().mask & ~mask, group().pc + 1, group().pc);
    }
    leave_ = true;
    arrive_at_barrier(warp_, group(), instruction, mask);
  }

  void wait_for_cluster() {
    if (block_.cluster->phase != warp_.cluster_phase) {
      leave_cluster_barrier(warp_);
      ++group().pc;
      return;
    }
    group().wait = Wait::cluster;
    leave_ = true;
  }

  void poll(const Instruction& instruction, std::uint32_t mask) {
    ++group().pc;
    instruction.run(warp_, instruction, mask);
    leave_ = warp_.found_nothing_new || warp_.yields || block_.aborted;
    if (warp_.found_nothing_new) rest();
  }
  // Lanes of a warp go on without each other: the turn ends where all that can run poll in vain.
  void rest() {
    group().rests = true;
    warp_.found_nothing_new = all_rest(warp_.groups);
  }

  void wait_for_products(const Instruction& instruction, std::uint32_t mask) {
    if (!are_products_issued(warp_, instruction)) {
      rest();
      leave_ = true;
      return;
    }
    collective(instruction, mask);
  }
  void trap(std::uint32_t mask) {
    block_.find("X1", warp_, std::countr_zero(mask), [&] { return describe_trap(block_.launch); });
    block_.aborted = leave_ = true;
  }

  Warp& warp_;
  Block& block_;
  const Program& program_;
  const Instruction* code_;
  bool leave_ = false;
  int budget_ = 0;
};

}  // namespace

bool run_warp(Warp& warp) { return Interpreter(warp).run(); }

void maybe_yield(Warp& warp) {
  Block& block = *warp.block;
  if (block.launch.options.schedule == Schedule::random) warp.yields = block.random() % 4 == 0;
}

}  // namespace jute::emulator
