// Special registers: their values are set when a warp starts.
#include <algorithm>
#include <cstring>

#include "emulator/run/machine.hpp"

namespace jute::emulator {
namespace {

std::uint64_t value(std::int64_t number) { return static_cast<std::uint64_t>(number); }

/// Values of the cluster that the block is in.
std::uint64_t cluster_value(const Block& block, Preset preset) {
  const LaunchSpec& spec = block.launch.spec;
  const Dim3& cluster = spec.cluster;
  const auto& at = block.position;
  const std::int64_t rank = at[0] % cluster.x + cluster.x * (at[1] % cluster.y) +
                            cluster.x * cluster.y * (at[2] % cluster.z);
  switch (preset) {
    case Preset::clusterid_x:
      return value(at[0] / cluster.x);
    case Preset::clusterid_y:
      return value(at[1] / cluster.y);
    case Preset::clusterid_z:
      return value(at[2] / cluster.z);
    case Preset::nclusterid_x:
      return value(spec.grid.x / cluster.x);
    case Preset::nclusterid_y:
      return value(spec.grid.y / cluster.y);
    case Preset::nclusterid_z:
      return value(spec.grid.z / cluster.z);
    case Preset::cluster_ctaid_x:
      return value(at[0] % cluster.x);
    case Preset::cluster_ctaid_y:
      return value(at[1] % cluster.y);
    case Preset::cluster_ctaid_z:
      return value(at[2] % cluster.z);
    case Preset::cluster_nctaid_x:
      return value(cluster.x);
    case Preset::cluster_nctaid_y:
      return value(cluster.y);
    case Preset::cluster_nctaid_z:
      return value(cluster.z);
    case Preset::cluster_ctarank:
      return value(rank);
    case Preset::cluster_nctarank:
      return value(cluster.x * cluster.y * cluster.z);
    case Preset::is_explicit_cluster:
      return cluster.x * cluster.y * cluster.z > 1 ? 1 : 0;
    default:
      return 0;
  }
}

/// Values of the launch and the chip, the same for all threads of a block.
std::uint64_t launch_value(const Block& block, Preset preset) {
  switch (preset) {
    case Preset::nwarpid:
      return block.warps.size();
    case Preset::smid:
      return value(block.linear % std::max(1, block.launch.device.sm_count));
    case Preset::nsmid:
      return value(block.launch.device.sm_count);
    case Preset::gridid:
      return block.launch.grid_id;
    case Preset::dynamic_smem_size:
      return value(block.launch.spec.dynamic_smem_bytes);
    case Preset::total_smem_size:
      return block.shared.size();
    case Preset::grid_workspace_high:
      return block.launch.grid_workspace >> 32;
    case Preset::grid_workspace_low:
      return block.launch.grid_workspace & 0xFFFF'FFFF;
    default:
      return cluster_value(block, preset);
  }
}

/// Values of one thread, its block and the grid.
std::uint64_t thread_value(const Block& block, const Warp& warp, int lane, Preset preset) {
  const LaunchSpec& spec = block.launch.spec;
  const std::int64_t thread = warp.index * kWarpLanes + lane;
  const std::uint32_t bit = 1U << lane;
  const auto& at = block.position;
  switch (preset) {
    case Preset::tid_x:
      return value(thread % spec.block.x);
    case Preset::tid_y:
      return value(thread / spec.block.x % spec.block.y);
    case Preset::tid_z:
      return value(thread / spec.block.x / spec.block.y);
    case Preset::ntid_x:
      return value(spec.block.x);
    case Preset::ntid_y:
      return value(spec.block.y);
    case Preset::ntid_z:
      return value(spec.block.z);
    case Preset::ctaid_x:
      return value(at[0]);
    case Preset::ctaid_y:
      return value(at[1]);
    case Preset::ctaid_z:
      return value(at[2]);
    case Preset::nctaid_x:
      return value(spec.grid.x);
    case Preset::nctaid_y:
      return value(spec.grid.y);
    case Preset::nctaid_z:
      return value(spec.grid.z);
    case Preset::laneid:
      return value(lane);
    case Preset::warpid:
      return value(warp.index);
    case Preset::lanemask_eq:
      return bit;
    case Preset::lanemask_lt:
      return bit - 1;
    case Preset::lanemask_le:
      return (bit - 1) | bit;
    case Preset::lanemask_gt:
      return ~((bit - 1) | bit);
    case Preset::lanemask_ge:
      return ~(bit - 1);
    default:
      return launch_value(block, preset);
  }
}

std::uint64_t preset_value(const Block& block, const Warp& warp, int lane,
                           const PresetValue& wanted) {
  if (wanted.preset == Preset::shared_address) return shared_begin(block.rank) + wanted.offset;
  return thread_value(block, warp, lane, wanted.preset);
}

}  // namespace

void Block::fill_presets(Warp& warp) {
  for (const auto& [wanted, slot] : program.presets) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t value = preset_value(*this, warp, lane, wanted);
      const auto narrow = static_cast<std::uint32_t>(value);
      if (wanted.kind == RegisterClass::b64) {
        std::memcpy(warp.at(slot) + lane * 8, &value, sizeof(value));
      } else if (wanted.kind == RegisterClass::pred) {
        const std::uint32_t all = value != 0 ? kAllLanes : 0;
        std::memcpy(warp.at(slot), &all, sizeof(all));
      } else {
        std::memcpy(warp.at(slot) + lane * 4, &narrow, sizeof(narrow));
      }
    }
  }
}

}  // namespace jute::emulator
