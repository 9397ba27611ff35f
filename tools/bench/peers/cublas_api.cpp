// Finds cuBLASLt and cuBLAS and fills their tables.
#include "bench/peers/cublas_api.hpp"

#include <jute/base/error.hpp>

#include <array>
#include <filesystem>

#include "race/device/gpu.hpp"

namespace jute::bench {
namespace {

namespace fs = std::filesystem;

void bind_all(SharedLibrary& library, LtApi& api) {
  library.bind(api.version, "cublasLtGetVersion");
  library.bind(api.status_name, "cublasLtGetStatusName");
  library.bind(api.create, "cublasLtCreate");
  library.bind(api.destroy, "cublasLtDestroy");
  library.bind(api.operation_create, "cublasLtMatmulDescCreate");
  library.bind(api.operation_destroy, "cublasLtMatmulDescDestroy");
  library.bind(api.operation_set, "cublasLtMatmulDescSetAttribute");
  library.bind(api.matrix_create, "cublasLtMatrixLayoutCreate");
  library.bind(api.matrix_destroy, "cublasLtMatrixLayoutDestroy");
  library.bind(api.matrix_set, "cublasLtMatrixLayoutSetAttribute");
  library.bind(api.preference_create, "cublasLtMatmulPreferenceCreate");
  library.bind(api.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  library.bind(api.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  library.bind(api.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  library.bind(api.algorithm_get, "cublasLtMatmulAlgoConfigGetAttribute");
  library.bind(api.matmul, "cublasLtMatmul");
}

void bind_all(SharedLibrary& library, BlasApi& api) {
  library.bind(api.create, "cublasCreate_v2");
  library.bind(api.destroy, "cublasDestroy_v2");
  library.bind(api.set_stream, "cublasSetStream_v2");
  library.bind(api.set_workspace, "cublasSetWorkspace_v2");
  library.bind(api.gemm, "cublasGemmEx");
  library.bind(api.gemm_strided, "cublasGemmStridedBatchedEx");
}

std::optional<BlasApi> open_blas(const std::string& path) {
  auto library = SharedLibrary::open(path);
  if (!library) return std::nullopt;
  BlasApi api;
  bind_all(*library, api);
  return library->missing().empty() ? std::optional(api) : std::nullopt;
}

std::optional<Cublas> open_both(const std::string& lt_path) {
  auto library = SharedLibrary::open(lt_path);
  if (!library) return std::nullopt;
  Cublas found;
  bind_all(*library, found.lt);
  if (!library->missing().empty()) return std::nullopt;
  found.path = library->path();
  // Beside it, or by the loader where that is how the first was found. It needs a libcublasLt of
  // its own version, which is open already.
  std::string blas_path = lt_path;
  blas_path.replace(blas_path.rfind("libcublasLt"), 11, "libcublas");
  found.blas = open_blas(blas_path);
  return found;
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
  throw Exception({.code = ErrorCode::launch_failed,
                   .operand = call,
                   .value = status_name(status),
                   .violated_rules = {"the call must succeed"}});
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
