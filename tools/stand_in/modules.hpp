#pragma once
// Loading of PTX, and what modules and libraries have in common.
#include "process.hpp"

namespace jute::stand_in {

/// Where a program wants to read why its image was not loaded.
struct JitLog {
  char* text = nullptr;
  size_t capacity = 0;
  void write(const std::string& reason) const;
};

/// Loads PTX text; machine code is for a GPU, and refused as one of another chip would be.
device::Status load_module(Process& process, device::ContextState* context, const void* image,
                           const JitLog& log, device::ModuleHandle* module);
device::Status load_file(Process& process, device::ContextState* context, const char* path,
                         device::ModuleHandle* module);
/// throws  what Backend::load throws
device::Status find_function(Process& process, device::ModuleHandle module, const char* name,
                             device::FunctionHandle* function);
device::Status find_variable(Process& process, device::ModuleHandle module, const char* name,
                             device::DriverAddress* address, size_t* bytes);
device::Status unload(Process& process, device::ModuleHandle module);

}  // namespace jute::stand_in
