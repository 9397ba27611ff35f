#pragma once
// JSON as the command prints it.
#include <jute/base/json_value.hpp>
#include <jute/launch/launch_spec.hpp>

namespace jute::command {

using jute::to_json;

/// [x, y, z]
[[nodiscard]] inline Json to_json(const Dim3& extents) {
  return Json::array({extents.x, extents.y, extents.z});
}

}  // namespace jute::command
