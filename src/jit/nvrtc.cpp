// Opens NVRTC and fills the table of its functions.
#include "jit/nvrtc.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "jit/host_signals.hpp"

namespace jute::jit {
namespace {

/// NVRTC opens its built-in headers by file name alone, which finds them only on the loader's path.
/// A library of that name that is open already is found first.
void open_builtins(const std::string& path, const base::LibraryLoader& loader) {
  std::error_code ignored;
  const auto folder = std::filesystem::path(path).parent_path();
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with("libnvrtc-builtins.so.")) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  for (const std::string& file : files) (void)loader.open(file);
}

}  // namespace

NvrtcApi load_nvrtc(const std::string& path, const base::LibraryLoader& loader) {
  open_builtins(path, loader);
  void* library = loader.open(path);
  if (library == nullptr)
    jute::refuse(ErrorCode::no_nvrtc, "nvrtc", path, "the library must open: " + loader.error());
  NvrtcApi api(base::Functions(library, loader));
  if (!api.missing().empty())
    jute::refuse(ErrorCode::no_nvrtc, "nvrtc", path,
                 "the library must be NVRTC 11.2 or later; it lacks " + joined(api.missing()));
  api.leaves_signals =
      leave_signals_to_host(reinterpret_cast<const void*>(api.compile_program), "nvrtc");
  return api;
}

}  // namespace jute::jit
