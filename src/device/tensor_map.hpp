#pragma once
// A TensorMapSpec as the driver's 128 bytes.
#include <jute/launch/signature.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include "device/context.hpp"

namespace jute::device {

/// The driver's own verdict on any spec of rank 1 to 5, whatever check() says of it.
///   throws  unsupported: the driver has no tensor maps
[[nodiscard]] Status encode_unchecked(const DriverContext& context, const TensorMapSpec& spec,
                                      DevicePointer base, EncodedTensorMap& map);

/// throws  illegal_tensor_map; unsupported: the driver has no tensor maps; driver_failed
[[nodiscard]] EncodedTensorMap encode_tensor_map(const DriverContext& context,
                                                 const TensorMapSpec& spec, DevicePointer base);

}  // namespace jute::device
