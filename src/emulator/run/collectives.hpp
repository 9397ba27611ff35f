#pragma once
// Instructions by which lanes look at each other, ask where they are, or order what they have done.
#include "emulator/decode/program.hpp"

#include <cstdint>

namespace jute::emulator {

// collectives.cpp, video.cpp
void run_shuffle(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_vote(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_ballot(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_match(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_reduce(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_video(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_active_mask(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_elect(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_set_registers(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_nothing(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Instruction::extra of a proxy fence: what it covers.
inline constexpr std::uint32_t kAllMemory = 0, kOnlyGlobal = 1, kOnlyBlock = 2, kOnlyCluster = 3;
void run_proxy_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_map_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_meet(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_init_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_clock(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_yield(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// cluster.cpp
void run_map_address(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_get_rank(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// system_calls.cpp
void run_system_call(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

}  // namespace jute::emulator
