#include "fake_nvrtc.hpp"

#include <algorithm>

namespace jute::test {
namespace {

int status_of(const char* call) {
  const auto found = fake_nvrtc().status.find(call);
  return found == fake_nvrtc().status.end() ? 0 : found->second;
}

int copy_text(const char* call, const std::string& text, char* target) {
  std::copy(text.begin(), text.end(), target);
  return status_of(call);
}

const char* error_string(int status) {
  if (!fake_nvrtc().has_error_string) return nullptr;
  return status == jit::kNvrtcCompilation ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OTHER";
}
int version(int* major, int* minor) {
  *major = fake_nvrtc().major;
  *minor = fake_nvrtc().minor;
  return status_of("nvrtcVersion");
}
int num_archs(int* count) {
  *count = 2;
  return status_of("nvrtcGetNumSupportedArchs");
}
int archs(int* numbers) {
  numbers[0] = 80;
  numbers[1] = 90;
  return status_of("nvrtcGetSupportedArchs");
}
int create(jit::NvrtcProgram* program, const char*, const char*, int, const char* const*,
           const char* const*) {
  static char token;
  *program = reinterpret_cast<jit::NvrtcProgram>(&token);
  if (status_of("nvrtcCreateProgram") == 0) ++fake_nvrtc().created;
  return status_of("nvrtcCreateProgram");
}
int destroy(jit::NvrtcProgram* program) {
  *program = nullptr;
  ++fake_nvrtc().destroyed;
  return status_of("nvrtcDestroyProgram");
}
int compile(jit::NvrtcProgram, int count, const char* const* options) {
  ++fake_nvrtc().compiled;
  fake_nvrtc().options.assign(options, options + count);
  return status_of("nvrtcCompileProgram");
}
int ptx_size(jit::NvrtcProgram, size_t* size) {
  *size = fake_nvrtc().ptx.size() + 1;
  return status_of("nvrtcGetPTXSize");
}
int ptx(jit::NvrtcProgram, char* text) { return copy_text("nvrtcGetPTX", fake_nvrtc().ptx, text); }
int cubin_size(jit::NvrtcProgram, size_t* size) {
  *size = fake_nvrtc().cubin.size();
  return status_of("nvrtcGetCUBINSize");
}
int cubin(jit::NvrtcProgram, char* text) {
  return copy_text("nvrtcGetCUBIN", fake_nvrtc().cubin, text);
}
int log_size(jit::NvrtcProgram, size_t* size) {
  *size = fake_nvrtc().log.size() + 1;
  return status_of("nvrtcGetProgramLogSize");
}
int log(jit::NvrtcProgram, char* text) {
  return copy_text("nvrtcGetProgramLog", fake_nvrtc().log, text);
}

int add_name(jit::NvrtcProgram, const char*) { return status_of("nvrtcAddNameExpression"); }
int lowered_name(jit::NvrtcProgram, const char* expression, const char** symbol) {
  *symbol = expression;
  return status_of("nvrtcGetLoweredName");
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

FakeNvrtc& fake_nvrtc() {
  static FakeNvrtc fake;
  return fake;
}

base::LibraryLoader fake_loader(const std::string& missing) {
  const std::map<std::string, void*> functions{
      {"nvrtcGetErrorString", address(error_string)},
      {"nvrtcVersion", address(version)},
      {"nvrtcGetNumSupportedArchs", address(num_archs)},
      {"nvrtcGetSupportedArchs", address(archs)},
      {"nvrtcCreateProgram", address(create)},
      {"nvrtcDestroyProgram", address(destroy)},
      {"nvrtcCompileProgram", address(compile)},
      {"nvrtcGetPTXSize", address(ptx_size)},
      {"nvrtcGetPTX", address(ptx)},
      {"nvrtcGetCUBINSize", address(cubin_size)},
      {"nvrtcGetCUBIN", address(cubin)},
      {"nvrtcGetProgramLogSize", address(log_size)},
      {"nvrtcGetProgramLog", address(log)},
      {"nvrtcAddNameExpression", address(add_name)},
      {"nvrtcGetLoweredName", address(lowered_name)},
  };
  base::LibraryLoader loader;
  loader.open = [](const std::string&) {
    static char library;
    return static_cast<void*>(&library);
  };
  loader.symbol = [functions, missing](void*, const char* name) -> void* {
    if (name == missing) return nullptr;
    const auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
  };
  loader.error = [] { return std::string("the loader's reason"); };
  loader.path_of = [](void*) { return std::string("/proc/self/exe"); };
  return loader;
}

}  // namespace jute::test
