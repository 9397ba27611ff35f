#pragma once
// Launches as a launch file.
#include "emulate/launch/launch_file.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

/// What read_launch_file reads of a file at `path`, from whose folder it names others. These are
/// launches of the command line, which has no words for tensor maps and textures.
[[nodiscard]] Json launch_json(const LaunchFile& file, const std::string& path);

}  // namespace jute::command
