#pragma once
// What is known of a warp's registers beside their values: which of them asynchronous products
// still use, and which hold something that was never written. Findings come on use, not on copies.
#include "emulator/decode/byte_passing.hpp"
#include "emulator/decode/instruction.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace jute::emulator {

struct Warp;
struct WgmmaUse;
class WarpProduct;

struct RegisterMark {
  std::uint32_t product = 0;   ///< the product that writes it as D, by number; 0: none
  std::uint16_t index = 0;     ///< which of D's registers
  std::int32_t owner = -1;     ///< the PTX register that the product named or that a mov copied to
  std::uint32_t reader = 0;    ///< the last product that reads it as A
  std::int32_t read_as = -1;   ///< the PTX register that this one named
  std::uint32_t written = 0;   ///< the stretch between two wgmma.fence in which a thread wrote it
  bool is_constant = false;    ///< what it wrote, or moved, was a constant
  std::uint32_t read = 0;      ///< the stretch in which one read it, by more than a mov
  std::uint32_t poisoned = 0;  ///< lanes whose value was never written
  LaneBytes bytes = 0;         ///< which bytes of it, in some of those lanes
  std::uint32_t cause = 0;     ///< where such a value came from, an index of causes
};

/// Lanes without a value, and the bytes of theirs that have none.
struct Poison {
  std::uint32_t lanes = 0;
  LaneBytes bytes = 0;
};

/// Where values without a value come from.
struct PoisonCause {
  std::int32_t origin = -1;  ///< of the instruction
  std::string what;
  bool is_register = false;  ///< that was never set, not memory
};

class RegisterWatch {
 public:
  /// For products every register is watched, otherwise only once something is poisoned.
  void start(size_t register_bytes, bool for_products);
  [[nodiscard]] bool is_on() const { return is_on_; }

  /// Before an instruction is executed by the lanes of `mask`, out of those of `active`: what it
  /// must not touch, and what it passes on.
  void before(Warp& warp, std::uint32_t pc, std::uint32_t mask, std::uint32_t active);
  /// Lanes of a register hold what was never written; `what` describes it.
  void poison(const Warp& warp, Slot slot, Poison poison, const std::string& what);
  /// The same of a register that another instruction than the current one has read.
  void poison(const Warp& warp, Slot slot, Poison poison, const PoisonCause& cause);
  [[nodiscard]] std::uint32_t poisoned(Slot slot) const {
    return is_on_ ? marks_[slot / 4].poisoned : 0;
  }
  [[nodiscard]] LaneBytes poisoned_bytes(Slot slot) const {
    return poisoned(slot) == 0 ? LaneBytes{0} : marks_[slot / 4].bytes;
  }
  [[nodiscard]] const PoisonCause& cause_of(Slot slot) const {
    return causes_[marks_[slot / 4].cause];
  }
  /// A shuffle: each lane takes over what is known of another.
  void shuffle(Slot from, Slot to, const std::array<int, kWarpLanes>& lanes, std::uint32_t mask);
  /// Reports what poisoned lanes of a register are used for.
  void report_use(Warp& warp, Slot slot, std::uint32_t lanes);

  /// wgmma.fence: what threads wrote before it products may use.
  void fence() { ++stretch_; }
  /// A product is issued: are its registers ready? They are its own from now on.
  void issue(Warp& warp, std::uint32_t pc, const WgmmaUse& use, WarpProduct& product);
  /// Products up to this number lie behind a wgmma.wait_group.
  void retire(std::uint32_t number) { retired_ = number; }
  /// Does the register still wait for D's register `index` of that product?
  [[nodiscard]] bool still_awaits(Slot slot, std::uint32_t number, std::uint16_t index) const {
    if (!is_on_) return true;
    const RegisterMark& mark = marks_[slot / 4];
    return mark.product == number && mark.index == index;
  }

 private:
  [[nodiscard]] bool is_in_flight(std::uint32_t product) const { return product > retired_; }
  /// Lanes in which a guard without a value has decided, from `begin` to `end`.
  struct Choice {
    std::uint32_t begin = 0, end = 0, lanes = 0;
  };
  [[nodiscard]] std::uint32_t leave_choices(std::uint32_t pc, std::uint32_t active);
  [[nodiscard]] std::uint32_t decide(Warp& warp, std::uint32_t pc, std::uint32_t lanes);
  void check_products(Warp& warp, std::uint32_t pc, std::uint32_t mask);
  void pass_on(Warp& warp, std::uint32_t pc, std::uint32_t mask);
  [[nodiscard]] std::uint32_t poisoned_lanes(const Warp& warp,
                                             const Instruction& instruction) const;
  [[nodiscard]] LaneBytes poisoned_result_bytes(const Warp& warp,
                                                const Instruction& instruction) const;
  [[nodiscard]] std::uint32_t cause_of(const Instruction& instruction) const;
  [[nodiscard]] std::uint32_t poisoned_source(Slot slot) const {
    return slot == kNoSlot || (slot & kConstantBit) != 0 ? 0 : marks_[slot / 4].poisoned;
  }
  void mark(Slot slot, Poison poison, std::uint32_t cause);

  bool is_on_ = false;
  std::uint32_t retired_ = 0;
  std::uint32_t stretch_ = 1;
  std::vector<RegisterMark> marks_;  ///< by slot / 4
  std::vector<PoisonCause> causes_;
  std::vector<Choice> choices_;
  std::uint32_t doubt_ = 0;  ///< why guards without a value have none, an index of causes
};

}  // namespace jute::emulator
