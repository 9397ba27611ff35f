#pragma once
// The files that kernels come from: PTX, or CUDA on its way to PTX.
#include <jute/base/settings.hpp>
#include <jute/emulator/ptx.hpp>

#include <map>
#include <string>
#include <vector>

#include "emulate/launch_file.hpp"

namespace jute::command {

struct KernelModule {
  std::string path;
  std::string ptx;
  std::string cuda;  ///< empty for a PTX file
  std::vector<PtxKernel> kernels;
};

/// What CUDA files are compiled with.
struct ModuleCompiler {
  Settings settings;
  Arch arch;
  std::vector<std::string> options;
};

/// A path that ends in .cu is compiled, any other is PTX.
///   throws  bad_file, file_not_found, file_unreadable; no_nvrtc, unsupported
[[nodiscard]] KernelModule read_module(const std::string& path, const ModuleCompiler& compiler);

}  // namespace jute::command
