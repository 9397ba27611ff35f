#pragma once
// Where parts of CUDA may lie on this machine: NVRTC, and the headers that kernels include.
#include <filesystem>
#include <string>
#include <vector>

namespace jute::jit {

struct NvrtcPlaces {
  std::string library;      ///< a file, or a folder that holds it; when given, nothing else counts
  std::string cuda_home;    ///< a toolkit
  std::string virtual_env;  ///< a Python environment that may hold the wheels
  std::vector<std::string> toolkits = {"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda"};
  /// Folders whose `.venv` is the project's own; by default those above this program.
  std::vector<std::string> project_folders = folders_above_this_program();
  /// A Python environment that lay beside jute's sources when jute was built, and looked at last:
  /// what is installed, and programs linked with it, lie below no project.
  std::string built_beside = environment_built_beside();

  /// From the folder of the program or library that this code is part of, up to the root. Folders
  /// that another user could have written are left out.
  [[nodiscard]] static std::vector<std::string> folders_above_this_program();
  /// Empty where there was none, or where another user could have written it since.
  [[nodiscard]] static std::string environment_built_beside();
};

/// Existing paths that match a pattern with `*` in its last component only, newest version first.
[[nodiscard]] std::vector<std::filesystem::path> matches(const std::filesystem::path& pattern);
/// The numbers in a text, so that cuda-13.0 comes after cuda-9.2.
[[nodiscard]] std::vector<int> numbers_in(const std::string& text);

/// The toolkits that are there, in the order in which they are looked at.
[[nodiscard]] std::vector<std::filesystem::path> toolkits_in(const NvrtcPlaces& places);
/// The Python environments likewise, but for the one that jute was built beside.
[[nodiscard]] std::vector<std::filesystem::path> environments_in(const NvrtcPlaces& places);
/// The folders of an environment that wheels of CUDA unpack to: `nvidia/cu13`, `nvidia`.
[[nodiscard]] std::vector<std::filesystem::path> wheels_in(
    const std::filesystem::path& environment);

/// All places, there or not, in the order in which they are looked at.
[[nodiscard]] std::vector<std::string> described(const NvrtcPlaces& places);

}  // namespace jute::jit
