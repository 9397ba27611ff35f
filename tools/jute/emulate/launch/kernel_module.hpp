#pragma once
// The files that kernels come from: PTX, or CUDA on its way to PTX.
#include <jute/base/error.hpp>
#include <jute/base/settings.hpp>
#include <jute/emulator/ptx.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jute::command {

struct KernelModule {
  std::string path;
  std::string ptx;
  std::string cuda;  ///< empty for a PTX file
  std::vector<PtxKernel> kernels;
  /// Kernels of templates, by the names that launches give them; CUDA files only.
  std::map<std::string, std::string> symbols;
  /// Why such a kernel could not be made, where the file compiles without.
  std::optional<Error> refused_instance;
};

/// The options that CUDA files are compiled with.
struct ModuleCompiler {
  Settings settings;
  Arch arch;
  std::vector<std::string> options;
};

/// Does the name say that the file holds CUDA: .cu, .cuh, .cuda, .h, .hpp?
[[nodiscard]] bool is_cuda_file(const std::string& path);
/// A CUDA file is compiled, any other is PTX. `kernels` are the names that launches
/// give kernels of the file: template arguments in them make kernels of its templates.
///   throws  bad_file, file_not_found, file_unreadable; no_nvrtc, unsupported
[[nodiscard]] KernelModule read_module(const std::string& path, const ModuleCompiler& compiler,
                                       const std::vector<std::string>& kernels);
/// The kernel that a launch names.
///   throws  unknown_name; bad_file: a template does not compile with these arguments
[[nodiscard]] const PtxKernel& find_kernel(const KernelModule& module, const std::string& name);

}  // namespace jute::command
