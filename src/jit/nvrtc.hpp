#pragma once
// The functions of NVRTC that jute calls, behind a table that tests fill with their own.
#include <cstddef>
#include <string>
#include <utility>

#include "base/library_loader.hpp"

namespace jute::jit {

struct NvrtcProgramState;
/// Opaque to us: a program between its creation and its destruction.
using NvrtcProgram = NvrtcProgramState*;

/// nvrtcResult values that are told apart. Source: NVRTC documentation, error handling.
enum NvrtcResult : int {
  kNvrtcSuccess = 0,
  kNvrtcOutOfMemory = 1,
  kNvrtcInvalidOption = 5,
  kNvrtcCompilation = 6,
};

/// Source: NVRTC documentation, one entry for each function of the same name.
struct NvrtcApi : base::Functions {
  explicit NvrtcApi(base::Functions functions = {}) : base::Functions(std::move(functions)) {}

  const char* (*error_string)(int result) = get("nvrtcGetErrorString");
  int (*version)(int* major, int* minor) = get("nvrtcVersion");
  int (*num_supported_archs)(int* count) = get("nvrtcGetNumSupportedArchs");
  int (*supported_archs)(int* archs) = get("nvrtcGetSupportedArchs");
  int (*create_program)(NvrtcProgram* program, const char* text, const char* name, int header_count,
                        const char* const* headers,
                        const char* const* header_names) = get("nvrtcCreateProgram");
  int (*destroy_program)(NvrtcProgram* program) = get("nvrtcDestroyProgram");
  int (*compile_program)(NvrtcProgram program, int count,
                         const char* const* options) = get("nvrtcCompileProgram");
  int (*ptx_size)(NvrtcProgram program, size_t* size) = get("nvrtcGetPTXSize");
  int (*ptx)(NvrtcProgram program, char* ptx) = get("nvrtcGetPTX");
  int (*cubin_size)(NvrtcProgram program, size_t* size) = get("nvrtcGetCUBINSize");
  int (*cubin)(NvrtcProgram program, char* cubin) = get("nvrtcGetCUBIN");
  int (*log_size)(NvrtcProgram program, size_t* size) = get("nvrtcGetProgramLogSize");
  int (*log)(NvrtcProgram program, char* log) = get("nvrtcGetProgramLog");
  int (*add_name)(NvrtcProgram program, const char* expression) = get("nvrtcAddNameExpression");
  int (*lowered_name)(NvrtcProgram program, const char* expression,
                      const char** symbol) = get("nvrtcGetLoweredName");
  bool leaves_signals = false;  ///< to the host, while it compiles: host_signals.hpp
};

/// Opens the library and fills the table. It stays loaded for the life of the process: NVRTC does
/// not support being unloaded.
///   throws  no_nvrtc: it does not open, or lacks functions (all are named)
[[nodiscard]] NvrtcApi load_nvrtc(const std::string& path, const base::LibraryLoader& loader);

}  // namespace jute::jit
