#pragma once
// Element types of tensor maps as the CUDA driver numbers them.
#include <jute/base/export.hpp>
#include <jute/launch/tensor_map_spec.hpp>

namespace JUTE_API jute {

/// CUtensorMapDataType of the elements. 8-bit floats travel as bytes: a copy does not care, and
/// zero fill is zero.
///   source  CUDA Driver API, cuTensorMapEncodeTiled
[[nodiscard]] int driver_type(const TensorMapSpec& spec);

}  // namespace jute
