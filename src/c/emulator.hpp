#pragma once
// What of the C interface is the emulator's. The one file behind it sees whether there is one.
#include <jute/jute.h>
#include <jute/base/settings.hpp>
#include <jute/launch/backend.hpp>

#include <memory>

namespace jute::c {

/// throws  no_gpu: jute was built without the emulator; unknown_name: no such chip
[[nodiscard]] std::unique_ptr<Backend> opened_emulator(const jute_context_options& given,
                                                       const Settings& settings);

}  // namespace jute::c
