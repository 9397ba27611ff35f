#pragma once
// A problem's own kernels as files that `jute emulate` runs and judges.
#include <string>

#include "options/build_options.hpp"

namespace jute::command {

/// Writes into a folder, which is made: each kernel as .cu and .ptx, random A and B, the expected D
/// with its bound, and launch.json over them. Returns the path of launch.json.
///   throws  what planning and compiling throw; unwritable
[[nodiscard]] std::string write_gemm_launch(const BuildOptions& options, const std::string& folder,
                                            const Session& session);

}  // namespace jute::command
