#pragma once
// A TensorMapSpec as the driver's 128 bytes.
#include <jute/launch/signature.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include "device/context.hpp"

namespace jute::device {

/// throws  illegal_tensor_map; unsupported: the driver has no tensor maps; driver_failed
[[nodiscard]] EncodedTensorMap encode_tensor_map(const Context& context, const TensorMapSpec& spec,
                                                 DevicePointer base);

}  // namespace jute::device
