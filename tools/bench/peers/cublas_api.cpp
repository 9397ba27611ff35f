// Finds cuBLASLt and cuBLAS and fills their tables.
#include "bench/peers/cublas_api.hpp"

#include <jute/base/refuse.hpp>

#include <array>
#include <filesystem>

#include "race/device/gpu.hpp"

namespace jute::bench {
namespace {

namespace fs = std::filesystem;

std::optional<BlasApi> open_blas(const std::string& path) {
  auto library = SharedLibrary::open(path);
  if (!library) return std::nullopt;
  BlasApi api(*std::move(library));
  return api.missing().empty() ? std::optional(std::move(api)) : std::nullopt;
}

std::optional<Cublas> open_both(const std::string& lt_path) {
  auto library = SharedLibrary::open(lt_path);
  if (!library) return std::nullopt;
  LtApi lt(*std::move(library));
  if (!lt.missing().empty()) return std::nullopt;
  // Beside it, or by the loader where that is how the first was found. It needs a libcublasLt of
  // its own version, which is open already.
  std::string blas_path = lt_path;
  blas_path.replace(blas_path.rfind("libcublasLt"), 11, "libcublas");
  return Cublas{std::move(lt), open_blas(blas_path)};
}

void add_if_there(std::vector<std::string>& folders, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) folders.push_back(folder.string());
}

void add_toolkit(std::vector<std::string>& folders, const std::string& toolkit) {
  if (toolkit.empty()) return;
  add_if_there(folders, fs::path(toolkit) / "lib64");
  add_if_there(folders, fs::path(toolkit) / "lib");
}

/// `lib/python3.12/site-packages/nvidia/{cu13,cublas}/lib` of an environment.
void add_wheels(std::vector<std::string>& folders, const std::string& environment) {
  std::error_code ignored;
  if (environment.empty()) return;
  for (const auto& entry : fs::directory_iterator(fs::path(environment) / "lib", ignored))
    for (const char* wheel : {"cu13", "cublas"})
      add_if_there(folders, entry.path() / "site-packages" / "nvidia" / wheel / "lib");
}

}  // namespace

void LtApi::require(const char* call, BlasStatus status) const {
  if (status == 0) return;
  refuse(ErrorCode::launch_failed, call, status_name(status), "the call must succeed");
}

std::vector<std::string> cublas_folders(const CublasPlaces& places) {
  std::vector<std::string> folders;
  if (!places.library.empty()) {
    const fs::path given(places.library);
    add_if_there(folders, fs::is_directory(given) ? given : given.parent_path());
    return folders;
  }
  add_toolkit(folders, places.cuda_home);
  for (const std::string& toolkit : places.toolkits) add_toolkit(folders, toolkit);
  add_wheels(folders, places.virtual_env);
  return folders;
}

std::optional<Cublas> find_cublas(const CublasPlaces& places) {
  constexpr std::array<const char*, 2> kNames{"libcublasLt.so.13", "libcublasLt.so.12"};
  for (const std::string& folder : cublas_folders(places))
    for (const char* name : kNames)
      if (auto found = open_both((fs::path(folder) / name).string())) return found;
  if (!places.library.empty()) return std::nullopt;
  for (const char* name : kNames)
    if (auto found = open_both(name)) return found;
  return std::nullopt;
}

}  // namespace jute::bench
