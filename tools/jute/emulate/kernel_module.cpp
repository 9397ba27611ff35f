// Reading kernels.
#include "emulate/kernel_module.hpp"

#include <jute/jit/compile.hpp>

#include "files.hpp"

namespace jute::command {

KernelModule read_module(const std::string& path, const ModuleCompiler& compiler) {
  KernelModule module{.path = path, .ptx = read_text(path), .cuda = {}, .kernels = {}};
  if (path.ends_with(".cu")) {
    module.cuda = std::move(module.ptx);
    module.ptx = Compiler(compiler.settings)
                     .ptx({.text = module.cuda,
                           .file = path,
                           .arch = compiler.arch,
                           .options = compiler.options});
  }
  try {
    module.kernels = list_kernels(module.ptx);
  } catch (const Exception& exception) {
    Error error = exception.error();
    error.operand = path + (error.operand.empty() ? "" : ": " + error.operand);
    throw Exception(std::move(error));
  }
  return module;
}

}  // namespace jute::command
