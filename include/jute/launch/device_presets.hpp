#pragma once
// Chips to plan for without having them.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>

#include <span>
#include <string_view>

namespace JUTE_API jute {

/// h200, h100, v100, t4, a100, orin, l40s, rtx5090, …
[[nodiscard]] std::span<const DeviceInfo> device_presets();
/// throws  unknown_name: lists the presets and the nearest one
[[nodiscard]] const DeviceInfo& device_preset(std::string_view name);
/// The chip that stands for an architecture, one for each of known_arches(): the largest preset
/// with its number, to be programmed for exactly that target (`sm_90` stays without what needs
/// `sm_90a`).
///   throws  unknown_name
[[nodiscard]] DeviceInfo preset_for(Arch arch);

}  // namespace jute
