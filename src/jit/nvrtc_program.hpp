#pragma once
// One program of NVRTC, and what is asked before there is one.
#include <jute/base/arch.hpp>
#include <jute/program/device_code.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "jit/nvrtc.hpp"

namespace jute::jit {

[[nodiscard]] std::string status_name(const NvrtcApi& api, int status);
/// throws  compile_failed or out_of_memory, unless the call succeeded
void require(const NvrtcApi& api, const char* call, int status);
/// throws  unsupported: this NVRTC does not know the architecture
void check_architecture(const NvrtcApi& api, Arch arch);
/// Options that change no output. From 12.9 on NVRTC keeps what it compiles wherever a driver is
/// installed, and then answers without the log that registers and spills are read from.
///   source  NVRTC user guide, Caching
void add_call_options(const NvrtcApi& api, std::vector<std::string>& options);

/// From creation to destruction.
class NvrtcSession {
 public:
  /// A header of `headers` goes before one of its name in a folder.
  NvrtcSession(const NvrtcApi& api, const std::string& text, const std::string& file,
               const std::vector<CudaHeader>& headers = {});
  ~NvrtcSession();
  NvrtcSession(const NvrtcSession&) = delete;
  NvrtcSession& operator=(const NvrtcSession&) = delete;

  /// Before compiling: a kernel of a template by its C++ name.
  void want(const std::string& instance);
  /// After compiling: the symbol of what was wanted.
  [[nodiscard]] std::string symbol(const std::string& instance) const;
  /// The status of nvrtcCompileProgram.
  [[nodiscard]] int compile(const std::vector<std::string>& options);
  [[nodiscard]] std::string log() const;
  [[nodiscard]] std::string ptx() const;
  [[nodiscard]] std::vector<std::byte> cubin() const;

 private:
  template <class SizeCall, class TextCall>
  [[nodiscard]] std::string read(const std::string& call, SizeCall size_call,
                                 TextCall text_call) const;

  const NvrtcApi& api_;
  NvrtcProgram program_ = nullptr;
};

}  // namespace jute::jit
