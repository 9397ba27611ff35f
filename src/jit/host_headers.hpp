#pragma once
// What NVRTC is given for headers that only a host has, and for a text's own headers.
#include <jute/program/device_code.hpp>

#include <string>
#include <vector>

namespace jute::jit {

/// The folders of includes among options: `-Ia`, `-I a`, `--include-path=a`.
[[nodiscard]] std::vector<std::string> include_folders(const std::vector<std::string>& options);

/// Finds what a text includes in quotes: beside the file, or by a name without a folder in one of
/// the folders.
[[nodiscard]] HeaderReader header_reader(std::vector<std::string> folders);

/// Stand-ins (src/jit/host_headers/README.md) for what no folder has, and for what only the host
/// can use of that which `included` names.
[[nodiscard]] std::vector<CudaHeader> stand_ins(const std::vector<std::string>& included,
                                                const std::vector<std::string>& folders);
/// The one that is included before each text.
inline constexpr const char* kPrelude = "prelude.h";

}  // namespace jute::jit
