// Clusters: their blocks start together, wait for each other and see each other's shared memory.
#include "emulator/run/barriers.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/machine.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace jute::emulator {

std::int64_t block_of_cluster(const LaunchSpec& spec, std::int64_t cluster, std::int64_t rank) {
  const Dim3& size = spec.cluster;
  const Dim3& grid = spec.grid;
  const std::int64_t wide = grid.x / size.x;
  const std::int64_t high = grid.y / size.y;
  const std::int64_t x = cluster % wide * size.x + rank % size.x;
  const std::int64_t y = cluster / wide % high * size.y + rank / size.x % size.y;
  const std::int64_t z = cluster / wide / high * size.z + rank / size.x / size.y;
  return x + grid.x * (y + grid.y * z);
}

void Cluster::start(std::int64_t linear) {
  arrived = 0;
  phase = 0;
  serial = 0;
  arriving = completed = {};
  leading_offsets.start();
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i]->start(
        block_of_cluster(blocks[i]->launch.spec, linear, static_cast<std::int64_t>(i)));
}

bool Cluster::is_finished() const {
  for (const auto& block : blocks)
    if (!block->is_finished()) return false;
  return true;
}

namespace {

void open_if_complete(Cluster& cluster) {
  int live = 0;
  for (const auto& block : cluster.blocks) live += block->live_threads;
  if (cluster.arrived == 0 || cluster.arrived < live) return;
  cluster.arrived = 0;
  ++cluster.phase;
  cluster.completed = std::exchange(cluster.arriving, {});
  for (const auto& block : cluster.blocks) {
    for (Warp& warp : block->warps) {
      for (LaneGroup& group : warp.groups) {
        if (group.wait != Wait::cluster) continue;
        group.wait = Wait::none;
        ++group.pc;
        leave_cluster_barrier(warp);
      }
    }
  }
}

}  // namespace

void recheck_cluster(Block& block) {
  if (block.cluster != nullptr) open_if_complete(*block.cluster);
}
// Instruction::bits: 1 where the arrival is relaxed.
void run_cluster_arrive(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  Cluster& cluster = *warp.block->cluster;
  ++warp.effects;
  warp.cluster_phase = cluster.phase;
  if (RaceDetector* races = warp.block->races.get()) {
    if (instruction.bits == 0) races->leave(warp, mask, cluster.arriving);
    if (instruction.bits != 0) races->leave_relaxed(warp, cluster.arriving, Scope::cluster);
  }
  cluster.arrived += std::popcount(mask);
  open_if_complete(cluster);
}
void leave_cluster_barrier(Warp& warp) {
  if (warp.block->races) warp.block->races->learn(warp, warp.block->cluster->completed);
}

// Instruction::bits: bytes of an address, 4 for the shared space, 8 for generic addresses.
void run_map_address(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const auto bytes = static_cast<size_t>(instruction.bits);
  for (const int lane : lanes_of(mask)) {
    const std::uint64_t address = read_lane(lanes, instruction.src[0], lane, bytes);
    const std::uint32_t rank = read_word(lanes, instruction.src[1], lane);
    const std::uint64_t window = bytes == 8 ? address / kWindowBytes * kWindowBytes : 0;
    const std::uint64_t mapped = window | (address & kSharedOffsetMask) |
                                 static_cast<std::uint64_t>(rank) << kSharedRankShift;
    write_lane(lanes, instruction.dst, lane, mapped, bytes);
  }
}
void run_get_rank(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  const auto bytes = static_cast<size_t>(instruction.bits);
  for (const int lane : lanes_of(mask))
    write_word(lanes, instruction.dst, lane,
               read_lane(lanes, instruction.src[0], lane, bytes) >> kSharedRankShift & 0xFF);
}

}  // namespace jute::emulator
