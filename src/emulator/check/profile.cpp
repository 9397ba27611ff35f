// Sums and occupancy of profiles.
#include <jute/emulator/profile.hpp>

#include <algorithm>
#include <array>

namespace jute {
namespace {

// Source: CUDA C++ Programming Guide, technical specifications by compute capability.
struct BlockLimit {
  int arch, blocks;
};
constexpr std::array<BlockLimit, 8> kBlockLimits{
    {{70, 32}, {75, 16}, {80, 32}, {86, 16}, {87, 16}, {89, 24}, {90, 32}, {120, 24}}};

int most_blocks(int arch) {
  int blocks = 32;
  for (const BlockLimit& row : kBlockLimits)
    if (row.arch <= arch) blocks = row.blocks;
  return blocks;
}

// The system keeps so much shared memory for each block, from compute capability 8.0 on.
constexpr Index kReservedBytes = 1024;
constexpr int kWarpThreads = 32;

}  // namespace

InstructionCounts& InstructionCounts::operator+=(const InstructionCounts& other) {
  warps += other.warps;
  threads += other.threads;
  global_bytes += other.global_bytes;
  shared_bytes += other.shared_bytes;
  local_bytes += other.local_bytes;
  parameter_bytes += other.parameter_bytes;
  global_requests += other.global_requests;
  global_sectors += other.global_sectors;
  least_sectors += other.least_sectors;
  wavefronts += other.wavefronts;
  least_wavefronts += other.least_wavefronts;
  tensor_flops += other.tensor_flops;
  return *this;
}

InstructionCounts sum_of(const LaunchProfile& profile) {
  InstructionCounts sum;
  for (const InstructionProfile& each : profile.instructions) sum += each.counts;
  return sum;
}

Occupancy occupancy_of(const LaunchSpec& spec, Index static_smem_bytes, const DeviceInfo& device) {
  const Index threads = spec.block.x * spec.block.y * spec.block.z;
  const Index warps = std::max<Index>(1, (threads + kWarpThreads - 1) / kWarpThreads);
  const Index reserved = device.arch.number >= 80 ? kReservedBytes : 0;
  const Index bytes = static_smem_bytes + spec.dynamic_smem_bytes + reserved;
  const Index by_threads = device.threads_per_sm / (warps * kWarpThreads);
  const Index by_smem = bytes > reserved ? device.smem_bytes_per_sm / bytes : device.threads_per_sm;
  const Index by_blocks = most_blocks(device.arch.number);
  Occupancy result;
  result.blocks = static_cast<int>(std::min({by_threads, by_smem, by_blocks}));
  result.warps = static_cast<int>(result.blocks * warps);
  result.most_warps = device.threads_per_sm / kWarpThreads;
  result.limit = "threads";
  if (by_smem < by_threads) result.limit = "shared memory";
  if (by_blocks < std::min(by_threads, by_smem)) result.limit = "blocks";
  return result;
}

}  // namespace jute
