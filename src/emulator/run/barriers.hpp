#pragma once
// Where warps meet: named barriers of a block, the barrier of a cluster, mbarriers in shared
// memory.
#include "emulator/async/mbarrier.hpp"
#include "emulator/check/clocks.hpp"
#include "emulator/decode/program.hpp"

#include <cstdint>

namespace jute::emulator {

struct Block;
class BulkCopy;
struct LaneGroup;
struct Warp;

/// One of the sixteen named barriers of a block.
struct Barrier {
  int arrived = 0;
  int expected = 0;  ///< threads; 0 while nobody waits, -1: every live thread
  int any = 0, all = 1, count = 0;
  Knowledge carried;  ///< from those who have arrived; only where races are looked for
};

// barrier.cpp
/// A barrier instruction's operands. Index: Instruction::extra into Program::barriers.
void arrive_at_barrier(Warp& warp, LaneGroup& group, const Instruction& instruction,
                       std::uint32_t mask);
/// Opens barriers whose last missing threads have exited.
void recheck_barriers(Block& block);

// cluster.cpp
/// A warp goes on behind the cluster's barrier.
void leave_cluster_barrier(Warp& warp);
/// Opens the cluster's barrier if the threads that are left have all arrived.
void recheck_cluster(Block& block);
void run_cluster_arrive(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// mbarrier.cpp
void run_mbarrier(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Changes the mbarrier at `offset` of the owner's shared memory; `finder` reports what is wrong
/// with it to `who`.
void change_mbarrier(Block& owner, std::uint64_t offset, const MbarrierChange& change,
                     Block& finder, const Actor& who);
/// Bytes of a bulk load have landed.
void credit_mbarrier(const BulkCopy& copy, Index bytes);

}  // namespace jute::emulator
