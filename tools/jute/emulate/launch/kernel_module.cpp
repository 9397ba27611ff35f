// Reading kernels.
#include "emulate/launch/kernel_module.hpp"

#include <jute/base/retold.hpp>
#include <jute/emulator/kernel_name.hpp>
#include <jute/jit/compile.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "files/files.hpp"

namespace jute::command {

namespace {

/// `scale<float>`, but not `void scale<float>(float*)`, which only what is there already can match.
bool is_instance(const std::string& name) {
  return name.find('<') != std::string::npos && name.find('(') == std::string::npos;
}

/// The module's PTX. A name with template arguments may also be short for a kernel that the file
/// instantiates, so a file that does not compile with it is compiled without.
void compile(KernelModule& module, const Compiler& compiler, CudaText cuda) {
  try {
    CudaPtx made = compiler.instantiate(cuda);
    module.ptx = std::move(made.text);
    for (size_t i = 0; i < cuda.instances.size(); ++i)
      module.symbols[cuda.instances[i]] = made.symbols[i];
  } catch (const Exception& exception) {
    if (cuda.instances.empty() || exception.error().code != ErrorCode::bad_file) throw;
    module.refused_instance = exception.error();
    cuda.instances.clear();
    module.ptx = compiler.ptx(cuda);
  }
}

}  // namespace

bool is_cuda_file(const std::string& path) {
  static constexpr std::array<std::string_view, 5> kSuffixes{".cu", ".cuh", ".cuda", ".h", ".hpp"};
  return std::ranges::any_of(kSuffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

KernelModule read_module(const std::string& path, const ModuleCompiler& compiler,
                         const std::vector<std::string>& kernels) {
  KernelModule module;
  module.path = path;
  module.ptx = read_text(path);
  if (is_cuda_file(path)) {
    module.cuda = std::move(module.ptx);
    CudaText cuda{
        .text = module.cuda, .file = path, .arch = compiler.arch, .options = compiler.options};
    for (const std::string& kernel : std::set(kernels.begin(), kernels.end()))
      if (is_instance(kernel)) cuda.instances.push_back(kernel);
    compile(module, Compiler(compiler.settings), std::move(cuda));
  }
  module.kernels = retold(
      [&] { return list_kernels(module.ptx); },
      [&](Error& error) { error.operand.insert(0, path + (error.operand.empty() ? "" : ": ")); });
  return module;
}

const PtxKernel& find_kernel(const KernelModule& module, const std::string& name) {
  const auto instance = module.symbols.find(name);
  try {
    return jute::find_kernel(module.kernels,
                             instance == module.symbols.end() ? name : instance->second);
  } catch (const Exception&) {
    if (module.refused_instance && is_instance(name)) throw Exception(*module.refused_instance);
    throw;
  }
}

}  // namespace jute::command
