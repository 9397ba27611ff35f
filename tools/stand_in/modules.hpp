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
driver::Status load_module(Process& process, driver::ContextState* context, const void* image,
                           const JitLog& log, driver::ModuleHandle* module);
driver::Status load_file(Process& process, driver::ContextState* context, const char* path,
                         driver::ModuleHandle* module);
/// throws  what Backend::load throws
driver::Status find_function(Process& process, driver::ModuleHandle module, const char* name,
                             driver::FunctionHandle* function);
driver::Status find_variable(Process& process, driver::ModuleHandle module, const char* name,
                             driver::DriverAddress* address, size_t* bytes);
driver::Status unload(Process& process, driver::ModuleHandle module);

}  // namespace jute::stand_in
