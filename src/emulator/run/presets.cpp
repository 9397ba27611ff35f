// Special registers: their values are set when a warp starts.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/run/machine.hpp"

namespace jute::emulator {
namespace {

using At = PresetPlace;

// The fields that most of them follow from.
const Dim3& threads(At at) { return at.block.launch.spec.block; }
const Dim3& grid(At at) { return at.block.launch.spec.grid; }
const Dim3& cluster(At at) { return at.block.launch.spec.cluster; }
std::int64_t cluster_size(At at) { return cluster(at).x * cluster(at).y * cluster(at).z; }
std::int64_t thread(At at) { return at.warp.index * kWarpLanes + at.lane; }
std::int64_t position(At at, size_t axis) { return at.block.position[axis]; }
std::uint32_t bit(At at) { return 1U << at.lane; }

template <auto value>
std::uint64_t of(At at) {
  return static_cast<std::uint64_t>(value(at));
}

// clang-format off
constexpr std::array kPresets{
    PresetRow{"%tid.x", of<[](At at) { return thread(at) % threads(at).x; }>},
    PresetRow{"%tid.y", of<[](At at) { return thread(at) / threads(at).x % threads(at).y; }>},
    PresetRow{"%tid.z", of<[](At at) { return thread(at) / threads(at).x / threads(at).y; }>},
    PresetRow{"%ntid.x", of<[](At at) { return threads(at).x; }>},
    PresetRow{"%ntid.y", of<[](At at) { return threads(at).y; }>},
    PresetRow{"%ntid.z", of<[](At at) { return threads(at).z; }>},
    PresetRow{"%ctaid.x", of<[](At at) { return position(at, 0); }>},
    PresetRow{"%ctaid.y", of<[](At at) { return position(at, 1); }>},
    PresetRow{"%ctaid.z", of<[](At at) { return position(at, 2); }>},
    PresetRow{"%nctaid.x", of<[](At at) { return grid(at).x; }>},
    PresetRow{"%nctaid.y", of<[](At at) { return grid(at).y; }>},
    PresetRow{"%nctaid.z", of<[](At at) { return grid(at).z; }>},
    PresetRow{"%laneid", of<[](At at) { return at.lane; }>},
    PresetRow{"%warpid", of<[](At at) { return at.warp.index; }>},
    PresetRow{"%nwarpid", of<[](At at) { return at.block.warps.size(); }>},
    PresetRow{"%smid", of<[](At at) { return at.block.linear % std::max(1, at.block.launch.device.sm_count); }>},
    PresetRow{"%nsmid", of<[](At at) { return at.block.launch.device.sm_count; }>},
    PresetRow{"%gridid", of<[](At at) { return at.block.launch.grid_id; }>, RegisterClass::b64},
    PresetRow{"%lanemask_eq", of<bit>},
    PresetRow{"%lanemask_le", of<[](At at) { return (bit(at) - 1) | bit(at); }>},
    PresetRow{"%lanemask_lt", of<[](At at) { return bit(at) - 1; }>},
    PresetRow{"%lanemask_ge", of<[](At at) { return ~(bit(at) - 1); }>},
    PresetRow{"%lanemask_gt", of<[](At at) { return ~((bit(at) - 1) | bit(at)); }>},
    PresetRow{"%dynamic_smem_size", of<[](At at) { return at.block.launch.spec.dynamic_smem_bytes; }>},
    PresetRow{"%total_smem_size", of<[](At at) { return at.block.shared.size(); }>},
    PresetRow{"%clusterid.x", of<[](At at) { return position(at, 0) / cluster(at).x; }>},
    PresetRow{"%clusterid.y", of<[](At at) { return position(at, 1) / cluster(at).y; }>},
    PresetRow{"%clusterid.z", of<[](At at) { return position(at, 2) / cluster(at).z; }>},
    PresetRow{"%nclusterid.x", of<[](At at) { return grid(at).x / cluster(at).x; }>},
    PresetRow{"%nclusterid.y", of<[](At at) { return grid(at).y / cluster(at).y; }>},
    PresetRow{"%nclusterid.z", of<[](At at) { return grid(at).z / cluster(at).z; }>},
    PresetRow{"%cluster_ctaid.x", of<[](At at) { return position(at, 0) % cluster(at).x; }>},
    PresetRow{"%cluster_ctaid.y", of<[](At at) { return position(at, 1) % cluster(at).y; }>},
    PresetRow{"%cluster_ctaid.z", of<[](At at) { return position(at, 2) % cluster(at).z; }>},
    PresetRow{"%cluster_nctaid.x", of<[](At at) { return cluster(at).x; }>},
    PresetRow{"%cluster_nctaid.y", of<[](At at) { return cluster(at).y; }>},
    PresetRow{"%cluster_nctaid.z", of<[](At at) { return cluster(at).z; }>},
    PresetRow{"%cluster_ctarank", of<[](At at) { return at.block.rank; }>},
    PresetRow{"%cluster_nctarank", of<cluster_size>},
    PresetRow{"%is_explicit_cluster", of<[](At at) { return 1 < cluster_size(at); }>, RegisterClass::pred},
    // The counter of grid.sync in a cooperative launch; 0 elsewhere.
    PresetRow{"%envreg1", of<[](At at) { return (at.block.launch.grid_workspace >> 32); }>},
    PresetRow{"%envreg2", of<[](At at) { return at.block.launch.grid_workspace & 0xFFFF'FFFF; }>},
};
// clang-format on

}  // namespace

const PresetRow* find_preset(std::string_view name) {
  const auto* const row = std::ranges::find(kPresets, name, &PresetRow::name);
  return row == kPresets.end() ? nullptr : row;
}

void Block::fill_presets(Warp& warp) {
  for (const auto& [wanted, slot] : program.presets) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t value = wanted.row == nullptr ? shared_begin(rank) + wanted.offset
                                                        : wanted.row->value({*this, warp, lane});
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
