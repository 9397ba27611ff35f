#pragma once
// Libraries that programs of others are started with, and where they lie.
#include <string>

namespace jute::command {

/// The folder that has a file: where the build leaves it, where it is installed, or beside Python's
/// module.   example  folder_beside("stand_in", "libcuda.so.1", "jute_stand_in")
///   throws  no_gpu: it is in none; what to build is told
[[nodiscard]] std::string folder_beside(const std::string& folder, const std::string& file,
                                        const std::string& target);

}  // namespace jute::command
