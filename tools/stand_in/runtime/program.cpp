// Keeps what a program registers before it begins: fat binaries, and names of kernels and
// variables.
#include "runtime/program.hpp"

#include <iostream>
#include <map>
#include <mutex>
#include <set>

#include "runtime/fat_binary.hpp"

namespace jute::stand_in {
namespace {

/// One translation unit's code.
struct Unit {
  const void* wrapper = nullptr;
  CUmodule module = nullptr;
  int status = 0;
  bool is_loaded = false;
};
struct Named {
  Unit* unit;
  std::string name;
};

struct Program {
  std::recursive_mutex mutex;
  std::map<const void*, Named> kernels, variables;
};
/// Destructors of the program unregister behind everything else.
Program& program() {
  static auto* all = new Program;
  return *all;
}

int load(Unit& unit) {
  if (unit.is_loaded) return unit.status;
  unit.is_loaded = true;
  unit.status = kNoKernelImage;
  std::string lacking;
  for (const std::string& ptx : ptx_of(unit.wrapper, lacking))
    if (unit.status = cuModuleLoadData(&unit.module, ptx.c_str()); unit.status == 0) return 0;
  if (!lacking.empty()) say("a program's code", lacking);
  return unit.status;
}

int found(const std::map<const void*, Named>& all, const void* host, int lacking, const auto& ask) {
  const std::lock_guard guard(program().mutex);
  const auto one = all.find(host);
  if (one == all.end()) return lacking;
  if (const int status = load(*one->second.unit); status != 0) return status;
  return ask(one->second);
}

thread_local int error_of_thread = 0;

struct Shape {
  unsigned x, y, z;
};
/// What stands between <<< and >>>, until the launch takes it.
struct Configuration {
  Shape grid, block;
  std::size_t smem_bytes;
  CUstream stream;
};
thread_local Configuration configuration;

}  // namespace

void say(const char* call, const std::string& reason) {
  static std::mutex mutex;
  static auto* said = new std::set<std::string>;
  const std::lock_guard guard(mutex);
  const std::string text = std::string("jute: ") + call + ": " + reason + "\n";
  if (said->insert(text).second) std::cerr << text << std::flush;
}

int refuse(const char* call) {
  say(call, "cudaErrorNotSupported: jute's stand-in runtime does not have this function");
  return noted(kUnsupported);
}

int noted(int status) {
  if (status != 0 && status != kNotReady) error_of_thread = status;
  return status;
}

int last_error(bool forgets) {
  const int last = error_of_thread;
  if (forgets) error_of_thread = 0;
  return last;
}

int open() {
  CUcontext context = nullptr;
  if (cuCtxGetCurrent(&context) == 0 && context != nullptr) return 0;
  if (const int status = cuInit(0); status != 0) return status;
  if (const int status = cuDevicePrimaryCtxRetain(&context, 0); status != 0) return status;
  return cuCtxSetCurrent(context);
}

int kernel_of(const void* host, CUfunction* kernel) {
  return found(program().kernels, host, kInvalidFunction, [&](const Named& named) {
    return cuModuleGetFunction(kernel, named.unit->module, named.name.c_str());
  });
}

int variable_of(const void* host, CUdeviceptr* address, std::size_t* bytes) {
  return found(program().variables, host, kInvalidSymbol, [&](const Named& named) {
    return cuModuleGetGlobal_v2(address, bytes, named.unit->module, named.name.c_str());
  });
}

}  // namespace jute::stand_in

using namespace jute::stand_in;

extern "C" __attribute__((visibility("default"))) void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(new Unit{wrapper});
}
extern "C" __attribute__((visibility("default"))) void __cudaRegisterFatBinaryEnd(void** /*unit*/) {
}
extern "C" __attribute__((visibility("default"))) void __cudaUnregisterFatBinary(void** unit) {
  const std::lock_guard guard(program().mutex);
  const auto is_its = [&](const auto& one) {
    return one.second.unit == reinterpret_cast<Unit*>(unit);
  };
  std::erase_if(program().kernels, is_its);
  std::erase_if(program().variables, is_its);
  delete reinterpret_cast<Unit*>(unit);
}
extern "C" __attribute__((visibility("default"))) void __cudaRegisterFunction(
    void** unit, const void* host, char* /*device_function*/, const char* name, int /*threads*/,
    void*, void*, void*, void*, int*) {
  const std::lock_guard guard(program().mutex);
  program().kernels[host] = {reinterpret_cast<Unit*>(unit), name};
}
extern "C" __attribute__((visibility("default"))) void __cudaRegisterVar(
    void** unit, void* host, char* /*device_address*/, const char* name, int /*is_external*/,
    std::size_t, int /*is_constant*/, int /*is_global*/) {
  const std::lock_guard guard(program().mutex);
  program().variables[host] = {reinterpret_cast<Unit*>(unit), name};
}
extern "C" __attribute__((visibility("default"))) char __cudaInitModule(void** /*unit*/) {
  return 1;
}

extern "C" __attribute__((visibility("default"))) unsigned __cudaPushCallConfiguration(
    Shape grid, Shape block, std::size_t smem_bytes, CUstream stream) {
  configuration = {grid, block, smem_bytes, stream};
  return 0;
}
JUTE_RUNTIME_CALL __cudaPopCallConfiguration(Shape* grid, Shape* block, std::size_t* smem_bytes,
                                             CUstream* stream) {
  *grid = configuration.grid, *block = configuration.block;
  *smem_bytes = configuration.smem_bytes, *stream = configuration.stream;
  return 0;
}

namespace {

int launch(CUfunction kernel, const Shape& grid, const Shape& block, void** parameters,
           std::size_t smem_bytes, CUstream stream) {
  const CUlaunchConfig config{{grid.x, grid.y, grid.z},
                              {block.x, block.y, block.z},
                              static_cast<unsigned>(smem_bytes),
                              stream,
                              nullptr,
                              0};
  return cuLaunchKernelEx(&config, kernel, parameters, nullptr);
}

/// As the runtime's structure has it: bytes of shared memory are a size_t.
struct LaunchConfig {
  Shape grid, block;
  std::size_t smem_bytes;
  CUstream stream;
  void* attributes;
  unsigned attribute_count;
};

}  // namespace

JUTE_RUNTIME_CALL __cudaGetKernel(CUfunction* kernel, const void* host) {
  return in_device([&] { return kernel_of(host, kernel); });
}
JUTE_RUNTIME_CALL __cudaLaunchKernel(CUfunction kernel, Shape grid, Shape block, void** parameters,
                                     std::size_t smem_bytes, CUstream stream) {
  return in_device([&] { return launch(kernel, grid, block, parameters, smem_bytes, stream); });
}
JUTE_RUNTIME_CALL cudaLaunchKernel(const void* host, Shape grid, Shape block, void** parameters,
                                   std::size_t smem_bytes, CUstream stream) {
  return with_kernel(host, [&](CUfunction kernel) {
    return launch(kernel, grid, block, parameters, smem_bytes, stream);
  });
}
JUTE_RUNTIME_CALL cudaLaunchKernelExC(const LaunchConfig* config, const void* host,
                                      void** parameters) {
  return with_kernel(host, [&](CUfunction kernel) {
    const CUlaunchConfig made{{config->grid.x, config->grid.y, config->grid.z},
                              {config->block.x, config->block.y, config->block.z},
                              static_cast<unsigned>(config->smem_bytes),
                              config->stream,
                              config->attributes,
                              config->attribute_count};
    return cuLaunchKernelEx(&made, kernel, parameters, nullptr);
  });
}
JUTE_RUNTIME_CALL cudaLaunchCooperativeKernel(const void* host, Shape grid, Shape block,
                                              void** parameters, std::size_t smem_bytes,
                                              CUstream stream) {
  return with_kernel(host, [&](CUfunction kernel) {
    return cuLaunchCooperativeKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     static_cast<unsigned>(smem_bytes), stream, parameters);
  });
}
JUTE_RUNTIME_CALL cudaFuncSetAttribute(const void* host, int attribute, int value) {
  return with_kernel(
      host, [&](CUfunction kernel) { return cuFuncSetAttribute(kernel, attribute, value); });
}
JUTE_RUNTIME_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* host, int threads, std::size_t smem_bytes, unsigned flags) {
  return with_kernel(host, [&](CUfunction kernel) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, smem_bytes,
                                                                flags);
  });
}
JUTE_RUNTIME_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host,
                                                                int threads,
                                                                std::size_t smem_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, smem_bytes,
                                                                0);
}
