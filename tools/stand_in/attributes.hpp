#pragma once
// What the emulated chip answers when a program asks for an attribute.
// Source: CUDA Driver API, CUdevice_attribute; CUDA C++ Programming Guide, compute capabilities.
#include <jute/launch/device_info.hpp>

#include <optional>

namespace jute::stand_in {

/// Nothing for a number that is no attribute; 0 of what the chip does not offer here.
[[nodiscard]] std::optional<int> attribute_of(const DeviceInfo& device, int attribute);

}  // namespace jute::stand_in
