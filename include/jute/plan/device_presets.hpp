#pragma once
// Chips to plan for without having them.
#include <jute/launch/device_info.hpp>

#include <span>
#include <string_view>

namespace jute {

/// h200, h100, a100, l40s, rtx4090, rtx5090, t4, …
[[nodiscard]] std::span<const DeviceInfo> device_presets();
/// throws  unknown_name: lists the presets and the nearest one
[[nodiscard]] const DeviceInfo& device_preset(std::string_view name);
/// The preset that stands for an architecture: the largest chip with it.
///   throws  unknown_name
[[nodiscard]] const DeviceInfo& preset_for(Arch arch);

}  // namespace jute
