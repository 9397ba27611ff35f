#pragma once
// Arguments of a launch file as the bytes of a kernel's parameters.
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>
#include <jute/launch/backend.hpp>

#include <map>
#include <string>

#include "emulate/launch/launch_file.hpp"

namespace jute::command {

/// Where named memory lies.
struct MemoryPlace {
  DevicePointer address = 0;
  Index bytes = 0;
};
using MemoryPlaces = std::map<std::string, MemoryPlace>;

/// The memory and types that arguments are turned into bytes with.
struct ArgumentContext {
  const std::string& file;  ///< the launch file, for messages
  const MemoryPlaces& places;
  EmulatorBackend& backend;  ///< makes tensor maps and textures
};

/// The kernel's parameters filled by the launch's arguments: one for each, or of a structure its
/// fields one after the other.
///   throws  bad_file: at the argument that does not fit its parameter, with the rule
[[nodiscard]] ArgumentBlock argument_block(const NamedLaunch& launch, const PtxKernel& kernel,
                                           const ArgumentContext& context);

}  // namespace jute::command
