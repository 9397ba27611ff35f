// Assigns slots of the register file: registers that are never alive together share one, so that a
// warp's file stays in cache however many registers the PTX names.
#include "emulator/decode/decode.hpp"

#include <algorithm>
#include <array>
#include <queue>

namespace jute::emulator {
namespace {

using Bits = std::vector<std::uint64_t>;

struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<size_t> next;
  Bits reads;  ///< before any write
  Bits writes;
  Bits live_in;
  Bits live_out;
};

struct Interval {
  std::uint32_t begin = 0xFFFFFFFFU;
  std::uint32_t end = 0;
  int reg = 0;
};

std::uint32_t slot_bytes(RegisterClass kind) {
  return kind == RegisterClass::pred ? 4
                                     : static_cast<std::uint32_t>(lane_bytes(kind)) * kWarpLanes;
}

class Liveness {
 public:
  Liveness(const Program& program, const FunctionRegisters& registers)
      : program_(program), registers_(registers), words_((registers.kinds.size() + 63) / 64) {
    find_blocks();
    scan_uses();
    solve();
  }

  [[nodiscard]] std::vector<Interval> intervals() const {
    std::vector<Interval> result(registers_.kinds.size());
    for (size_t reg = 0; reg < result.size(); ++reg) result[reg].reg = static_cast<int>(reg);
    const auto extend = [&](size_t reg, std::uint32_t at) {
      result[reg].begin = std::min(result[reg].begin, at);
      result[reg].end = std::max(result[reg].end, at);
    };
    for (const RegisterUse& use : registers_.uses)
      extend(static_cast<size_t>(use.reg), use.instruction);
    for (const BasicBlock& block : blocks_) {
      for_each(block.live_in, [&](size_t reg) { extend(reg, block.begin); });
      for_each(block.live_out, [&](size_t reg) { extend(reg, block.end - 1); });
    }
    return result;
  }
  [[nodiscard]] std::vector<bool> unset_at_entry() const {
    std::vector<bool> result(registers_.kinds.size(), false);
    if (!blocks_.empty()) for_each(blocks_[0].live_in, [&](size_t reg) { result[reg] = true; });
    return result;
  }

 private:
  template <class F>
  static void for_each(const Bits& bits, F f) {
    for (size_t word = 0; word < bits.size(); ++word)
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
        f(word * 64 + static_cast<size_t>(__builtin_ctzll(rest)));
  }

  static bool ends_block(Flow flow) {
    return flow == Flow::branch || flow == Flow::table || flow == Flow::ret || flow == Flow::exit;
  }
  void find_blocks() {
    const std::uint32_t begin = registers_.begin;
    const size_t size = registers_.end - begin;
    std::vector<bool> leads(size + 1, false);
    leads[0] = true;
    for (size_t i = 0; i < size; ++i) {
      const Instruction& instruction = program_.code[begin + i];
      if (!ends_block(instruction.flow)) continue;
      leads[i + 1] = true;
      if (instruction.flow == Flow::branch) leads[instruction.target - begin] = true;
      if (instruction.flow == Flow::table)
        for (const std::uint32_t target : program_.use_of<BranchTargets>(instruction))
          leads[target - begin] = true;
    }
    block_of_.assign(size + 1, 0);
    for (size_t i = 0; i < size; ++i) {
      if (leads[i]) {
        blocks_.emplace_back();
        blocks_.back().begin = begin + static_cast<std::uint32_t>(i);
      }
      blocks_.back().end = begin + static_cast<std::uint32_t>(i) + 1;
      block_of_[i] = blocks_.size() - 1;
    }
    for (size_t b = 0; b < blocks_.size(); ++b) connect(b);
  }
  void connect(size_t index) {
    BasicBlock& block = blocks_[index];
    for (Bits* bits : {&block.reads, &block.writes, &block.live_in, &block.live_out})
      bits->assign(words_, 0);
    const Instruction& last = program_.code[block.end - 1];
    const bool falls_through = !ends_block(last.flow) || last.guard != kNoSlot;
    if (falls_through && index + 1 < blocks_.size()) block.next.push_back(index + 1);
    const auto follow = [&](std::uint32_t target) {
      block.next.push_back(block_of_[target - registers_.begin]);
    };
    if (last.flow == Flow::branch) follow(last.target);
    if (last.flow == Flow::table)
      for (const std::uint32_t target : program_.use_of<BranchTargets>(last)) follow(target);
  }

  // Reads of an instruction count before its writes.
  void scan_uses() {
    std::vector<RegisterUse> uses = registers_.uses;
    std::stable_sort(uses.begin(), uses.end(), [](const RegisterUse& a, const RegisterUse& b) {
      return a.instruction != b.instruction ? a.instruction < b.instruction
                                            : a.is_write < b.is_write;
    });
    for (const RegisterUse& use : uses) {
      BasicBlock& block = blocks_[block_of_[use.instruction - registers_.begin]];
      const size_t word = static_cast<size_t>(use.reg) / 64;
      const std::uint64_t bit = std::uint64_t{1} << (use.reg % 64);
      if (use.is_kill) {
        block.writes[word] |= bit;
      } else if ((block.writes[word] & bit) == 0) {
        block.reads[word] |= bit;
      }
    }
  }
  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = blocks_.size(); b-- > 0;) changed |= update(blocks_[b]);
    }
  }
  bool update(BasicBlock& block) {
    bool changed = false;
    for (size_t word = 0; word < words_; ++word) {
      std::uint64_t out = block.live_out[word];
      for (const size_t next : block.next) out |= blocks_[next].live_in[word];
      const std::uint64_t in = block.reads[word] | (out & ~block.writes[word]);
      changed |= in != block.live_in[word];
      block.live_out[word] = out;
      block.live_in[word] = in;
    }
    return changed;
  }

  const Program& program_;
  const FunctionRegisters& registers_;
  size_t words_;
  std::vector<BasicBlock> blocks_;
  std::vector<size_t> block_of_;
};

// Beyond this the bit sets of the analysis grow out of hand; every register gets its own slot.
constexpr size_t kMostWork = size_t{1} << 33;

}  // namespace

std::uint32_t assign_slots(const Program& program, FunctionRegisters& registers,
                           std::uint32_t first_byte) {
  const size_t count = registers.kinds.size();
  registers.slots.assign(count, 0);
  registers.set_masks.assign(count, kNoSlot);
  std::uint32_t next = (first_byte + 63) / 64 * 64;
  const bool shares = count * (registers.end - registers.begin) < kMostWork;
  std::vector<Interval> intervals(count);
  if (shares) {
    const Liveness liveness(program, registers);
    intervals = liveness.intervals();
    const std::vector<bool> unset = liveness.unset_at_entry();
    for (size_t reg = 0; reg < count; ++reg) {
      if (!unset[reg]) continue;
      registers.set_masks[reg] = 0;
      intervals[reg].begin = registers.begin;
      intervals[reg].end = registers.end;
    }
  } else {
    for (size_t reg = 0; reg < count; ++reg)
      intervals[reg] = {registers.begin, registers.end, static_cast<int>(reg)};
  }
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.reg < b.reg;
  });
  using Ending = std::pair<std::uint32_t, int>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> active;
  std::array<std::vector<Slot>, 5> unused;
  for (const Interval& interval : intervals) {
    if (interval.begin > interval.end) continue;  // never used
    while (!active.empty() && active.top().first < interval.begin) {
      const auto done = static_cast<size_t>(active.top().second);
      unused[static_cast<size_t>(registers.kinds[done])].push_back(registers.slots[done]);
      active.pop();
    }
    const auto reg = static_cast<size_t>(interval.reg);
    std::vector<Slot>& reusable = unused[static_cast<size_t>(registers.kinds[reg])];
    if (!reusable.empty()) {
      registers.slots[reg] = reusable.back();
      reusable.pop_back();
    } else {
      const std::uint32_t bytes = slot_bytes(registers.kinds[reg]);
      if (bytes >= 64) next = (next + 63) / 64 * 64;
      registers.slots[reg] = next;
      next += bytes;
    }
    active.emplace(interval.end, interval.reg);
  }
  return next;
}

}  // namespace jute::emulator
