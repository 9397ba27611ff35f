#pragma once
// Where NVRTC may lie on this machine.
#include <string>
#include <utility>

#include "jit/cuda_places.hpp"
#include "jit/nvrtc.hpp"

namespace jute::jit {

/// Older releases know neither every architecture nor every instruction that kernels use.
inline constexpr std::pair kOldestRelease{12, 8};

struct NvrtcFile {
  std::string path;      ///< canonical
  std::string build_id;  ///< tells one build from another; empty when the file has none
};

/// The first library of this machine's kind in, in this order: `library`; CUDA_HOME; the toolkits,
/// newest first; the wheels (`nvidia/cu*/lib`, `nvidia/cuda_nvrtc/lib`) of the project's own and of
/// the active environment; the loader's own path; the environment that jute was built beside. One
/// older than 12.8 is passed over. Nothing is
/// loaded, except by the loader's path, and where a file's name does not tell 12.8 from an
/// older 12.
///   throws  no_nvrtc: lists what is too old, every folder looked at, and how to install it
[[nodiscard]] NvrtcFile find_nvrtc(const NvrtcPlaces& places, const base::LibraryLoader& loader);

}  // namespace jute::jit
