#pragma once
// The state behind a Compiler: where NVRTC lies, and its functions once they are needed.
#include <jute/jit/compile.hpp>

#include <mutex>
#include <string>
#include <vector>

#include "jit/nvrtc.hpp"
#include "jit/nvrtc_search.hpp"

namespace jute {

struct Compiler::Impl {
  Impl(jit::NvrtcPlaces searched, base::LibraryLoader library_loader);

  /// The functions; the first call opens the library.
  ///   throws  no_nvrtc
  [[gnu::visibility("hidden")]] const jit::NvrtcApi& api() const;

  jit::NvrtcPlaces places;
  base::LibraryLoader loader;
  jit::NvrtcFile file;

 private:
  mutable std::once_flag load_once_;
  mutable jit::NvrtcApi api_;

 public:
  mutable std::once_flag version_once;
  mutable std::string version;
  mutable std::once_flag headers_once;
  mutable std::vector<std::string> headers;
};

}  // namespace jute
