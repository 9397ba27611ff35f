// Modules of PTX, their kernels and variables.
#include "modules.hpp"

#include "call.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace jute::stand_in {

using namespace jute::driver;

namespace {

constexpr int kUsualSmem = 48 * 1024;

/// Does the text begin as an image of machine code, or of several kinds of code together, does?
bool is_binary(const unsigned char* image) {
  constexpr unsigned char kElf[] = {0x7F, 'E', 'L', 'F'};
  constexpr unsigned char kFatbin[] = {0x50, 0xED, 0x55, 0xBA};
  constexpr unsigned char kFatbinWrapper[] = {0xB1, 0x43, 0x62, 0x46};
  return std::memcmp(image, kElf, 4) == 0 || std::memcmp(image, kFatbin, 4) == 0 ||
         std::memcmp(image, kFatbinWrapper, 4) == 0;
}

/// PTX of an architecture with a suffix runs there alone; other PTX on all that are newer.
bool runs_on(const Arch& target, const Arch& chip) {
  return target.suffix == '\0' ? target.number <= chip.number : target == chip;
}

Status load_text(Process& process, ContextState* context, std::string ptx, const JitLog& log,
                 ModuleHandle* handle) {
  auto module = std::make_shared<ModuleState>();
  module->context = context;
  try {
    module->kernels = list_kernels(ptx);
  } catch (const Exception& refusal) {
    log.write(refusal.what());
    throw;
  }
  const Arch chip = process.device().arch;
  for (const PtxKernel& kernel : module->kernels) {
    if (runs_on(kernel.target, chip)) continue;
    const std::string reason = "PTX for " + to_string(kernel.target) + " must not be loaded on " +
                               to_string(chip) + ": choose another --device";
    log.write(reason);
    say("cuModuleLoadData", reason);
    return kNoBinaryForGpu;
  }
  // The emulator shares the variables of equal texts; two modules have theirs each.
  static std::atomic<unsigned> count{0};
  module->ptx = std::move(ptx) + "\n// module " + std::to_string(++count) + "\n";
  const std::vector<PtxKernel> kernels = module->kernels;
  *handle = process.modules.add(std::move(module));
  // A driver compiles all kernels of a module before it has it.
  try {
    FunctionHandle loaded = nullptr;
    for (const PtxKernel& kernel : kernels)
      (void)find_function(process, *handle, kernel.symbol.c_str(), &loaded);
  } catch (const Exception& refusal) {
    log.write(refusal.what());
    (void)unload(process, *handle);
    throw;
  }
  return kSuccess;
}

std::shared_ptr<FunctionState> load_function(Process& process, const ModuleState& module,
                                             const PtxKernel& kernel) {
  Binary binary{.symbol = kernel.symbol,
                .arch = kernel.target,
                .signature = kernel.signature,
                .ptx = module.ptx};
  auto function = std::make_shared<FunctionState>();
  function->declared = kernel;
  function->kernel = process.backend().load(binary);
  function->most_dynamic_smem =
      std::max(0, kUsualSmem - static_cast<int>(kernel.static_smem_bytes));
  return function;
}

}  // namespace

void JitLog::write(const std::string& reason) const {
  if (text == nullptr || capacity == 0) return;
  std::strncpy(text, reason.c_str(), capacity);
  text[capacity - 1] = '\0';
}

Status load_module(Process& process, ContextState* context, const void* image, const JitLog& log,
                   ModuleHandle* module) {
  if (module == nullptr || image == nullptr) return kInvalidValue;
  const auto* const bytes = static_cast<const unsigned char*>(image);
  if (bytes[0] == 0) return kInvalidImage;
  if (is_binary(bytes)) {
    log.write("the stand-in driver must be given PTX: it executes no machine code");
    return kNoBinaryForGpu;
  }
  return load_text(process, context, static_cast<const char*>(image), log, module);
}

Status load_file(Process& process, ContextState* context, const char* path, ModuleHandle* module) {
  if (path == nullptr) return kInvalidValue;
  std::ifstream file(path, std::ios::binary);
  if (!file) return kFileNotFound;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return load_module(process, context, text.c_str(), {}, module);
}

Status find_function(Process& process, ModuleHandle handle, const char* name,
                     FunctionHandle* function) {
  if (function == nullptr || name == nullptr) return kInvalidValue;
  const auto module = process.modules.find(handle);
  if (module == nullptr) return kInvalidHandle;
  const auto kernel = std::ranges::find(module->kernels, name, &PtxKernel::symbol);
  if (kernel == module->kernels.end()) return kNotFound;
  {
    const std::lock_guard lock(process.mutex());
    if (const auto known = module->functions.find(name); known != module->functions.end()) {
      *function = known->second.get();
      return kSuccess;
    }
  }
  auto loaded = load_function(process, *module, *kernel);
  loaded->module = handle;
  const std::lock_guard lock(process.mutex());
  const auto [place, is_new] = module->functions.emplace(name, loaded);
  *function = is_new ? process.functions.add(loaded) : place->second.get();
  return kSuccess;
}

Status find_variable(Process& process, ModuleHandle handle, const char* name,
                     DriverAddress* address, size_t* bytes) {
  if (name == nullptr) return kInvalidValue;
  const auto module = process.modules.find(handle);
  if (module == nullptr) return kInvalidHandle;
  if (module->kernels.empty()) return kNotFound;
  // Variables live with their module's kernels, of which one must be loaded.
  FunctionHandle function = nullptr;
  if (const Status status =
          find_function(process, handle, module->kernels.front().symbol.c_str(), &function);
      status != kSuccess)
    return status;
  const auto variable = process.backend().find_variable(function->kernel, name);
  if (!variable) return kNotFound;
  if (address != nullptr) *address = variable->pointer;
  if (bytes != nullptr) *bytes = static_cast<size_t>(variable->bytes);
  return kSuccess;
}

Status unload(Process& process, ModuleHandle handle) {
  const auto module = process.modules.remove(handle);
  if (module == nullptr) return kInvalidHandle;
  process.functions.remove_if(
      [&](const FunctionState& function) { return function.module == handle; });
  return kSuccess;
}

}  // namespace jute::stand_in

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

JitLog log_of(unsigned count, const int* options, void* const* values) {
  JitLog log;
  for (unsigned i = 0; i < count && options != nullptr && values != nullptr; ++i) {
    if (options[i] == kJitErrorLog) log.text = static_cast<char*>(values[i]);
    if (options[i] == kJitErrorLogBytes)
      log.capacity = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(values[i]));
  }
  return log;
}

}  // namespace

JUTE_DRIVER_CALL cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned count,
                                    int* options, void** values) {
  return in_context("cuModuleLoadDataEx", [&](Process& process, ContextState& context) -> Status {
    return load_module(process, &context, image, log_of(count, options, values), module);
  });
}
JUTE_DRIVER_CALL cuModuleLoadData(ModuleHandle* module, const void* image) {
  return in_context("cuModuleLoadData", [&](Process& process, ContextState& context) -> Status {
    return load_module(process, &context, image, {}, module);
  });
}
JUTE_DRIVER_CALL cuModuleLoadFatBinary(ModuleHandle* module, const void* image) {
  return in_context("cuModuleLoadFatBinary",
                    [&](Process& process, ContextState& context) -> Status {
                      return load_module(process, &context, image, {}, module);
                    });
}
JUTE_DRIVER_CALL cuModuleLoad(ModuleHandle* module, const char* path) {
  return in_context("cuModuleLoad", [&](Process& process, ContextState& context) -> Status {
    return load_file(process, &context, path, module);
  });
}
JUTE_DRIVER_CALL cuModuleUnload(ModuleHandle module) {
  return in_context("cuModuleUnload", [&](Process& process, ContextState&) -> Status {
    return unload(process, module);
  });
}
JUTE_DRIVER_CALL cuModuleGetFunction(FunctionHandle* function, ModuleHandle module,
                                     const char* name) {
  return in_context("cuModuleGetFunction", [&](Process& process, ContextState&) -> Status {
    return find_function(process, module, name, function);
  });
}
JUTE_DRIVER_CALL cuModuleGetFunctionCount(unsigned* count, ModuleHandle handle) {
  return in_context("cuModuleGetFunctionCount", [&](Process& process, ContextState&) -> Status {
    const auto module = process.modules.find(handle);
    if (module == nullptr) return kInvalidHandle;
    if (count == nullptr) return kInvalidValue;
    *count = static_cast<unsigned>(module->kernels.size());
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuModuleGetGlobal_v2(DriverAddress* address, size_t* bytes, ModuleHandle module,
                                      const char* name) {
  return in_context("cuModuleGetGlobal", [&](Process& process, ContextState&) -> Status {
    return find_variable(process, module, name, address, bytes);
  });
}
