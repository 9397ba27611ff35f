// Registers in flight and registers without a value: who may touch them, and what copies hand on.
#include "emulator/check/register_watch.hpp"

#include "base/format.hpp"
#include "emulator/async/queues.hpp"
#include "emulator/check/pure_choice.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/warp_product.hpp"

#include <algorithm>
#include <bit>

namespace jute::emulator {
namespace {

/// Lanes in which a register of so many bytes is zero.
std::uint32_t zero_lanes(const Warp& warp, Slot slot, int bytes) {
  std::uint32_t zero = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane)
    zero |= static_cast<std::uint32_t>(read_lane(warp, slot, lane, static_cast<size_t>(bytes)) == 0)
            << lane;
  return zero;
}
bool is_product(const Instruction& instruction) { return instruction.run == &run_wgmma; }
}  // namespace

void RegisterWatch::start(size_t register_bytes, bool for_products) {
  is_on_ = for_products;
  retired_ = 0;
  stretch_ = 1;
  causes_.clear();
  choices_.clear();
  marks_.assign(for_products ? register_bytes / 4 : 0, RegisterMark{});
}

void RegisterWatch::poison(const Warp& warp, Slot slot, Poison poisoned, const std::string& what) {
  if (poisoned.lanes != 0) poison(warp, slot, poisoned, PoisonCause{warp.current->origin, what});
}

void RegisterWatch::poison(const Warp& warp, Slot slot, Poison poisoned, const PoisonCause& given) {
  if (poisoned.lanes == 0) return;
  if (!is_on_) {
    is_on_ = true;
    marks_.assign(warp.registers.size() / 4, RegisterMark{});
  }
  auto cause = std::find_if(causes_.begin(), causes_.end(),
                            [&](const PoisonCause& known) { return known.origin == given.origin; });
  if (cause == causes_.end()) cause = causes_.insert(causes_.end(), given);
  mark(slot, poisoned, static_cast<std::uint32_t>(cause - causes_.begin()));
}
void RegisterWatch::mark(Slot slot, Poison poison, std::uint32_t cause) {
  RegisterMark& mark = marks_[slot / 4];
  mark.bytes = static_cast<LaneBytes>((mark.poisoned != 0 ? mark.bytes : 0) | poison.bytes);
  mark.poisoned |= poison.lanes;
  mark.cause = cause;
}

void RegisterWatch::report_use(Warp& warp, Slot slot, std::uint32_t lanes) {
  if (lanes == 0) return;
  Block& block = *warp.block;
  const PoisonCause& cause = causes_[marks_[slot / 4].cause];
  const Actor who = block.actor(warp, std::countr_zero(lanes));
  if (!block.findings.count("M3", who)) return;
  Actor from = who;
  from.origin = cause.origin;
  block.findings.describe("M3", who, "a value is used that comes from a " + cause.what, {from});
}

void RegisterWatch::before(Warp& warp, std::uint32_t pc, std::uint32_t mask, std::uint32_t active) {
  const Instruction& instruction = warp.block->program.code[pc];
  std::uint32_t doubtful = leave_choices(pc, active);
  if (instruction.guard != kNoSlot)
    if (const std::uint32_t lanes = marks_[instruction.guard / 4].poisoned & active; lanes != 0)
      doubtful |= decide(warp, pc, lanes);
  if (mask != 0) {
    if (warp.block->tracks_defined && !is_product(instruction) && warp.async.products > retired_)
      check_products(warp, pc, mask);
    pass_on(warp, pc, mask);
  }
  if (doubtful == 0) return;
  for (const RegisterOperand& operand : warp.block->program.operands_of(pc))
    if (operand.is_write) mark(operand.slot, {doubtful, kWholeLane}, doubt_);
}

// Lanes that are on a way which a value without a value has chosen for them.
std::uint32_t RegisterWatch::leave_choices(std::uint32_t pc, std::uint32_t active) {
  std::uint32_t doubtful = 0;
  for (Choice& choice : choices_) {
    if (pc >= choice.begin && pc < choice.end)
      doubtful |= choice.lanes & active;
    else
      choice.lanes &= ~active;
  }
  if (!choices_.empty())
    std::erase_if(choices_, [](const Choice& each) { return each.lanes == 0; });
  return doubtful;
}

// A guard without a value. Around computation alone it is a selection, of one result or of some;
// whatever else it decides uses it. Returned are lanes in which the instruction's result has no
// value.
std::uint32_t RegisterWatch::decide(Warp& warp, std::uint32_t pc, std::uint32_t lanes) {
  const Program& program = warp.block->program;
  const Instruction& instruction = program.code[pc];
  const std::uint32_t cause = marks_[instruction.guard / 4].cause;
  if (instruction.flow == Flow::plain && instruction.passing != Passing::uses) {
    doubt_ = cause;
    return lanes;
  }
  const std::optional<PureChoice> choice =
      instruction.flow == Flow::branch ? pure_choice(program, pc) : std::nullopt;
  if (!choice) {
    report_use(warp, instruction.guard, lanes);
    return 0;
  }
  doubt_ = cause;
  for (const Slot slot : choice->written) mark(slot, {lanes, kWholeLane}, cause);
  choices_.push_back({pc + 1, choice->end, lanes});
  return 0;
}

// A mov hands an accumulator on, now its state and later its value. All else must wait.
void RegisterWatch::check_products(Warp& warp, std::uint32_t pc, std::uint32_t mask) {
  Block& block = *warp.block;
  const Program& program = block.program;
  const Instruction& instruction = program.code[pc];
  const bool moves = instruction.passing == Passing::moves;
  const bool hands_on = moves && is_register(instruction.src[0]) &&
                        is_in_flight(marks_[instruction.src[0] / 4].product);
  const auto refuse = [&](const RegisterOperand& operand, const char* what) {
    block.find("R7", warp, std::countr_zero(mask), [&] {
      return base::format("{} {} while a wgmma {}: wgmma.wait_group must come first",
                          program.register_names[static_cast<size_t>(operand.reg)],
                          operand.is_write ? "is written" : "is read", what);
    });
  };
  for (const RegisterOperand& operand : program.operands_of(pc)) {
    const RegisterMark& mark = marks_[operand.slot / 4];
    if (is_in_flight(mark.product) && mark.owner == operand.reg &&
        !(operand.is_write ? hands_on : moves))
      refuse(operand, "may still accumulate into it");
    if (operand.is_write && is_in_flight(mark.reader) && mark.read_as == operand.reg)
      refuse(operand, "may still read it as A");
  }
}

std::uint32_t RegisterWatch::poisoned_lanes(const Warp& warp,
                                            const Instruction& instruction) const {
  const auto& src = instruction.src;
  std::uint32_t any = 0;
  for (const Slot slot : src) any |= poisoned_source(slot);
  if (any == 0) return 0;
  const std::uint32_t a = poisoned_source(src[0]), b = poisoned_source(src[1]);
  const int bytes = warp.block->program.byte_passings[instruction.extra].source_bytes;
  switch (instruction.passing) {
    case Passing::selects: {
      const std::uint32_t chosen = read_predicate(warp, src[2]);
      return (a & chosen) | (b & ~chosen) | poisoned_source(src[2]);
    }
    case Passing::conjoins:
      return any & (read_predicate(warp, src[0]) | a) & (read_predicate(warp, src[1]) | b);
    case Passing::disjoins:
      return any & ~(read_predicate(warp, src[0]) & ~a) & ~(read_predicate(warp, src[1]) & ~b);
    case Passing::conjoins_words:
    case Passing::multiplies: {
      const std::uint32_t decided =
          (zero_lanes(warp, src[0], bytes) & ~a) | (zero_lanes(warp, src[1], bytes) & ~b);
      return ((a | b) & ~decided) | poisoned_source(src[2]);
    }
    case Passing::cancels:
      return src[0] == src[1] ? 0 : any;
    default:
      return any;
  }
}
LaneBytes RegisterWatch::poisoned_result_bytes(const Warp& warp,
                                               const Instruction& instruction) const {
  const BytePassing& passing = warp.block->program.byte_passings[instruction.extra];
  const bool hands_on =
      instruction.passing == Passing::moves || instruction.passing == Passing::selects;
  LaneBytes result = 0;
  for (size_t i = 0; i < instruction.src.size(); ++i) {
    if (poisoned_source(instruction.src[i]) == 0) continue;
    const LaneBytes bytes = marks_[instruction.src[i] / 4].bytes;
    result |= hands_on && i < 2 ? bytes : passing.of(i, bytes);
  }
  return result;
}
std::uint32_t RegisterWatch::cause_of(const Instruction& instruction) const {
  for (const Slot slot : instruction.src)
    if (poisoned_source(slot) != 0) return marks_[slot / 4].cause;
  return 0;
}

// Arithmetic hands poison on; what looks at values otherwise uses them. Stores, shuffles and
// accumulators look after themselves.
void RegisterWatch::pass_on(Warp& warp, std::uint32_t pc, std::uint32_t mask) {
  const Program& program = warp.block->program;
  const Instruction& instruction = program.code[pc];
  const bool computes = instruction.passing != Passing::uses;
  const bool has_poison = !causes_.empty();
  const bool looks = instruction.passing != Passing::moves && !is_product(instruction);
  Poison poison;
  std::uint32_t cause = 0;
  RegisterMark handed;
  handed.written = stretch_;
  handed.is_constant = instruction.passing == Passing::moves && !is_register(instruction.src[0]);
  if (instruction.passing == Passing::moves && is_register(instruction.src[0])) {
    handed = marks_[instruction.src[0] / 4];
    handed.reader = handed.read = 0;
  }
  if (has_poison && computes) {
    poison.lanes = poisoned_lanes(warp, instruction) & mask;
    if (poison.lanes != 0) poison.bytes = poisoned_result_bytes(warp, instruction);
    if (poison.bytes == 0) poison.lanes = 0;
    if (poison.lanes != 0) cause = cause_of(instruction);
  }
  for (const RegisterOperand& operand : program.operands_of(pc)) {
    RegisterMark& mark = marks_[operand.slot / 4];
    if (!operand.is_write) {
      if (looks) mark.read = stretch_;
      if (!has_poison || computes || operand.is_data || operand.slot == instruction.guard) continue;
      std::uint32_t used = mark.poisoned & mask;
      if (operand.only_if != kNoSlot) used &= read_predicate(warp, operand.only_if);
      report_use(warp, operand.slot, used);
      continue;
    }
    if (is_product(instruction)) continue;
    // A shuffle's source may be its result: it looks after both.
    const bool keeps = instruction.run == &run_shuffle && operand.slot == instruction.dst;
    const std::uint32_t kept = mark.poisoned & (keeps ? kAllLanes : ~mask);
    const LaneBytes kept_bytes = kept != 0 ? mark.bytes : LaneBytes{0};
    const std::uint32_t old_cause = mark.cause;
    mark = handed;
    mark.owner = operand.reg;
    mark.poisoned = kept | poison.lanes;
    mark.bytes = kept_bytes | poison.bytes;
    mark.cause = poison.lanes != 0 ? cause : old_cause;
    follow_product(warp, handed.product, operand.slot, handed.index);
  }
}

void RegisterWatch::shuffle(Slot from, Slot to, const std::array<int, kWarpLanes>& lanes,
                            std::uint32_t mask) {
  if (!is_register(from) || !is_register(to)) return;
  const RegisterMark source = marks_[from / 4];
  std::uint32_t poison = 0;
  for (size_t lane = 0; lane < kWarpLanes; ++lane)
    poison |= (source.poisoned >> lanes[lane] & 1) << lane;
  marks_[to / 4].poisoned &= ~mask;
  if ((poison & mask) != 0) this->mark(to, {poison & mask, source.bytes}, source.cause);
}

void RegisterWatch::issue(Warp& warp, std::uint32_t pc, const WgmmaUse& use, WarpProduct& product) {
  Block& block = *warp.block;
  const Program& program = block.program;
  const auto lane = std::countr_zero(warp.live);
  const auto refuse = [&](Slot slot, const char* text) {
    if (!block.tracks_defined) return;
    std::string name = "a register";
    for (const RegisterOperand& operand : program.operands_of(pc))
      if (operand.slot == slot) name = program.register_names[static_cast<size_t>(operand.reg)];
    block.find("R7", warp, lane, [&] { return base::format("{} {}", name, text); });
  };
  constexpr const char* kNoFence =
      "was written by the thread and no wgmma.fence lies between that and this wgmma";
  constexpr const char* kConstantWithoutFence =
      "was given a constant and no wgmma.fence lies between that and this wgmma: where the source "
      "sets it before the fence, the compiler has moved the constant behind it, and "
      "asm volatile(\"\" : \"+f\"(d[i]) :: \"memory\") in front of the fence keeps it there";
  constexpr const char* kReadWithoutFence =
      "was read by the thread and no wgmma.fence lies between that and this wgmma";
  if (use.a_descriptor == kNoSlot) {
    for (const Slot slot : use.a_slots) {
      if (!is_register(slot)) continue;
      RegisterMark& mark = marks_[slot / 4];
      if (is_in_flight(mark.product))
        refuse(slot, "is read as A while an earlier wgmma may still accumulate into it");
      if (mark.written == stretch_)
        refuse(slot, mark.is_constant ? kConstantWithoutFence : kNoFence);
      mark.reader = product.number();
    }
  }
  for (size_t i = 0; i < use.d_slots.size(); ++i) {
    RegisterMark& mark = marks_[use.d_slots[i] / 4];
    if (product.keeps_d() && mark.written == stretch_)
      refuse(use.d_slots[i], mark.is_constant ? kConstantWithoutFence : kNoFence);
    if (mark.read == stretch_) refuse(use.d_slots[i], kReadWithoutFence);
    if (is_in_flight(mark.product) && mark.index != i)
      refuse(use.d_slots[i],
             "is accumulated into in another place of D than an earlier wgmma, "
             "which may still write it: wgmma.wait_group must come first");
    if (mark.product > warp.async.finished_products)
      product.take_later(i, mark.product, mark.index);
    mark = RegisterMark{};
    mark.product = product.number();
    mark.index = static_cast<std::uint16_t>(i);
  }
  for (const RegisterOperand& operand : program.operands_of(pc)) {
    RegisterMark& mark = marks_[operand.slot / 4];
    (mark.product == product.number() ? mark.owner : mark.read_as) = operand.reg;
  }
}

}  // namespace jute::emulator
