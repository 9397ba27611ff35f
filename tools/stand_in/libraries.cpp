// Libraries and their kernels: modules that no context owns, and functions under another name.
#include "call.hpp"
#include "modules.hpp"

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

JUTE_DRIVER_CALL cuLibraryLoadData(ModuleHandle* library, const void* image, int* /*jit_options*/,
                                   void** /*jit_values*/, unsigned /*jit_count*/, int* /*options*/,
                                   void** /*values*/, unsigned /*count*/) {
  return after_init("cuLibraryLoadData", [&](Process& process) -> Status {
    return load_module(process, nullptr, image, {}, library);
  });
}
JUTE_DRIVER_CALL cuLibraryLoadFromFile(ModuleHandle* library, const char* path,
                                       int* /*jit_options*/, void** /*jit_values*/,
                                       unsigned /*jit_count*/, int* /*options*/, void** /*values*/,
                                       unsigned /*count*/) {
  return after_init("cuLibraryLoadFromFile", [&](Process& process) -> Status {
    return load_file(process, nullptr, path, library);
  });
}
JUTE_DRIVER_CALL cuLibraryUnload(ModuleHandle library) {
  return after_init("cuLibraryUnload",
                    [&](Process& process) -> Status { return unload(process, library); });
}
JUTE_DRIVER_CALL cuLibraryGetKernel(FunctionHandle* kernel, ModuleHandle library,
                                    const char* name) {
  return after_init("cuLibraryGetKernel", [&](Process& process) -> Status {
    return find_function(process, library, name, kernel);
  });
}
JUTE_DRIVER_CALL cuLibraryGetModule(ModuleHandle* module, ModuleHandle library) {
  return after_init("cuLibraryGetModule", [&](Process& process) -> Status {
    if (module == nullptr) return kInvalidValue;
    if (process.modules.find(library) == nullptr) return kInvalidHandle;
    *module = library;
    return kSuccess;
  });
}
JUTE_DRIVER_CALL cuLibraryGetGlobal(DriverAddress* address, size_t* bytes, ModuleHandle library,
                                    const char* name) {
  return in_context("cuLibraryGetGlobal", [&](Process& process, ContextState&) -> Status {
    return find_variable(process, library, name, address, bytes);
  });
}
JUTE_DRIVER_CALL cuKernelGetFunction(FunctionHandle* function, FunctionHandle kernel) {
  return in_context("cuKernelGetFunction", [&](Process& process, ContextState&) -> Status {
    if (function == nullptr) return kInvalidValue;
    if (process.functions.find(kernel) == nullptr) return kInvalidHandle;
    *function = kernel;
    return kSuccess;
  });
}
