#pragma once
// Memory as lanes reach it: where their bytes lie, what is known of these, and the instructions
// that move and change them.
#include "emulator/decode/program.hpp"
#include "emulator/run/lane_registers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace jute::emulator {

struct Warp;

/// Facts about a byte of memory; bit 0: it may be read.
inline constexpr std::byte kNeverWritten{0};
inline constexpr std::byte kWritten{1};
inline constexpr std::byte kOnItsWay{2};  ///< an asynchronous copy is still writing it

enum class AccessKind : std::uint8_t {
  load,
  store,
  store_by_value,  ///< a store whose caller tells the race detector what it changes
  atomic,
  copy,
};
/// Where each lane's bytes lie in host memory. Lanes that must not touch memory point at poison
/// (loads) or at bytes that nobody reads (stores), so that loops need no test.
struct Resolved {
  std::uint32_t ok = 0;
  std::uint32_t global = 0;  ///< of them, lanes that point into global memory
  bool tracks_defined = false;
  std::array<std::byte*, kWarpLanes> data;
  std::array<std::byte*, kWarpLanes> defined;
};
void resolve(Warp& warp, const MemoryAccess& access, int bytes, std::uint32_t mask, AccessKind kind,
             Resolved& result);
struct AccessSize {
  int bytes = 0;
  int alignment = 0;
};
/// The same for accesses whose alignment is not their size.
void resolve_aligned(Warp& warp, const MemoryAccess& access, const AccessSize& size,
                     std::uint32_t mask, AccessKind kind, Resolved& result);
using Addresses = std::array<std::uint64_t, kWarpLanes>;
/// The addresses of an access's lanes …
[[nodiscard]] Addresses gather_addresses(const Warp& warp, const MemoryAccess& access);
/// … and an access to others, of which `access` says all but where they lie.
void resolve_at(Warp& warp, const MemoryAccess& access, const Addresses& addresses,
                const AccessSize& size, std::uint32_t mask, AccessKind kind, Resolved& result);
/// Where a generic address points.
[[nodiscard]] Space space_of(std::uint64_t generic);
/// "shared"
[[nodiscard]] const char* space_name(Space space);
/// Was every byte written that lanes touch?
[[nodiscard]] bool is_all_written(const Resolved& where, int bytes);
/// Reports bytes that were never written or are on their way, where an instruction uses them …
void check_defined(Warp& warp, const MemoryAccess& access, int bytes, const Resolved& where);
/// … or of lanes that only load them: these are returned, for the value that `needed` bytes from
/// `first` on make.
struct LoadedPart {
  int first = 0;
  int bytes = 0;
  std::uint32_t needed = 0xFFFF;  ///< one bit a byte, from the access's first
};
[[nodiscard]] std::uint32_t undefined_lanes(Warp& warp, const Resolved& where,
                                            const LoadedPart& part);
/// Bytes of the part that some of these lanes found never written, from its first on.
[[nodiscard]] LaneBytes undefined_bytes(const Resolved& where, const LoadedPart& part,
                                        std::uint32_t lanes);
/// "load of 4 bytes of shared memory whose byte 0 was never written"
[[nodiscard]] std::string describe_undefined(const MemoryAccess& access, int bytes);
/// Marks bytes as written.
void set_defined(int bytes, const Resolved& where);
void load_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void store_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// atomics.cpp
void run_atomic(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
[[nodiscard]] int atomic_bytes(AtomicUse::Type type);
/// The element that a bulk reduction makes: it keeps subnormals.
[[nodiscard]] std::uint64_t reduced_value(AtomicUse::Operation operation, AtomicUse::Type type,
                                          std::uint64_t old, std::uint64_t operand);

// stack.cpp
void run_alloca(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_stack_save(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_stack_restore(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
