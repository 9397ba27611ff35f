#pragma once
// Where this process finds NVRTC: one that is loaded already, a wheel's, else where jute looks.
#include <jute/base/settings.hpp>

namespace jute::python {

/// The environment's settings; where they name no NVRTC, with what jute._nvrtc has found.
[[nodiscard]] Settings settings_here();

}  // namespace jute::python
