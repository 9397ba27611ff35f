#pragma once
// Where NVRTC may lie on this machine.
#include "jit/nvrtc.hpp"

#include <string>
#include <vector>

namespace jute::jit {

struct NvrtcPlaces {
  std::string library;      ///< a file, or a folder that holds it; when given, nothing else counts
  std::string cuda_home;    ///< a toolkit
  std::string virtual_env;  ///< a Python environment that may hold the wheel
  std::vector<std::string> toolkits = {"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda"};
  /// Folders whose `.venv` is the project's own; by default those above this program.
  std::vector<std::string> project_folders = folders_above_this_program();

  /// From the folder of the program or library that this code is part of, up to the root. Folders
  /// that another user could have written are left out.
  [[nodiscard]] static std::vector<std::string> folders_above_this_program();
};

struct NvrtcFile {
  std::string path;      ///< canonical
  std::string build_id;  ///< tells one build from another; empty when the file has none
};

/// The first library of this machine's kind in, in this order: `library`; CUDA_HOME; the toolkits,
/// newest first; the wheels (`nvidia/cu*/lib`, `nvidia/cuda_nvrtc/lib`) of the project's own and of
/// the active environment; the loader's own path. One older than 12.8 is passed over. Nothing is
/// loaded, except by the last, and where a file's name does not tell 12.8 from an older 12.
///   throws  no_nvrtc: lists what is too old, every folder looked at, and how to install it
[[nodiscard]] NvrtcFile find_nvrtc(const NvrtcPlaces& places, const base::LibraryLoader& loader);

}  // namespace jute::jit
