#pragma once
// One decoded instruction and the registers that it works on. Kept small: the lane functions, which
// take long to compile, depend on nothing else.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace jute::emulator {

/// Storage of a register: predicates are one bit a lane.
enum class RegisterClass : std::uint8_t { pred, b16, b32, b64, b128 };

[[nodiscard]] constexpr int lane_bytes(RegisterClass kind) {
  return kind == RegisterClass::pred ? 0 : 1 << static_cast<int>(kind);
}
/// The register that holds so many bytes a lane; of none a predicate.
[[nodiscard]] constexpr RegisterClass class_of_bytes(int bytes) {
  return bytes == 0   ? RegisterClass::pred
         : bytes <= 2 ? RegisterClass::b16
         : bytes == 4 ? RegisterClass::b32
         : bytes == 8 ? RegisterClass::b64
                      : RegisterClass::b128;
}

inline constexpr int kWarpLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFFU;

/// The lanes of a mask, from the lowest on: `for (const int lane : lanes_of(mask))`.
struct LanesOf {
  struct Place {
    std::uint32_t rest;
    int operator*() const { return std::countr_zero(rest); }
    void operator++() { rest &= rest - 1; }
    bool operator!=(const Place& other) const { return rest != other.rest; }
  };
  std::uint32_t mask;
  [[nodiscard]] Place begin() const { return {mask}; }
  [[nodiscard]] Place end() const { return {0}; }
};
[[nodiscard]] constexpr LanesOf lanes_of(std::uint32_t mask) { return {mask}; }

/// Byte offset of 32 consecutive lanes (of one 32-bit mask for a predicate): in the warp's register
/// file or, with the top bit set, in the program's pool of constants.
using Slot = std::uint32_t;
inline constexpr Slot kConstantBit = 0x80000000U;
inline constexpr Slot kNoSlot = 0x7FFFFFFFU;
[[nodiscard]] constexpr bool is_register(Slot slot) {
  return slot != kNoSlot && (slot & kConstantBit) == 0;
}

/// The part of a warp that lane functions see: the register file and the constants.
struct LaneState {
  std::array<std::byte*, 2> bases{};
  [[nodiscard]] std::byte* at(Slot slot) const {
    return bases[slot >> 31] + (slot & ~kConstantBit);
  }
};

struct Instruction;
/// Executes one instruction for the lanes of `mask`, which is never empty.
using LaneFunction = void (*)(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

/// How the instruction after this one is found.
enum class Flow : std::uint8_t {
  plain,   ///< the next one
  branch,  ///< target for lanes that pass the guard
  table,   ///< brx.idx through Program::tables
  call,
  pointer_call,  ///< through a PointerCall
  ret,
  exit,
  collective,    ///< plain, once every lane that the instruction names has arrived
  barrier,       ///< waits for other warps
  product_wait,  ///< collective; goes on when the whole warpgroup has issued what it waits for
  polling,       ///< plain, but may find nothing new: other warps get a turn
  cluster_wait,  ///< until every thread of the cluster has arrived
  trap,
};

/// The way of an instruction with values that it should not look at: those that were never written,
/// or are still being computed.
enum class Passing : std::uint8_t {
  uses,            ///< it depends on them
  computes,        ///< its result is of the same kind
  moves,           ///< its result is the value itself
  selects,         ///< selp: only the chosen one counts
  conjoins,        ///< and of predicates: a false one decides
  conjoins_words,  ///< and of words: a zero decides
  disjoins,        ///< or of predicates: a true one decides
  multiplies,      ///< a product of integers: a zero decides it
  cancels,         ///< a word and itself: the result is zero whatever it holds
};

struct Instruction {
  LaneFunction run = nullptr;
  std::array<Slot, 4> src{};
  Slot dst = kNoSlot;
  Slot guard = kNoSlot;
  std::uint32_t extra = 0;   ///< index into the table of the instruction's kind; of a lane
                             ///< function: into Program::byte_passings
  std::uint32_t target = 0;  ///< branch, call: instruction index
  std::uint64_t bits = 0;    ///< an immediate that is the same for all lanes
  Flow flow = Flow::plain;
  bool guard_negated = false;
  Passing passing = Passing::uses;
  bool tracks_unset = false;  ///< reads or writes a register that may be unset
  std::int32_t origin = 0;    ///< index into Program::origins
};

}  // namespace jute::emulator
