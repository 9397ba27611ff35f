#pragma once
// The functions of cuBLASLt and cuBLAS that a race calls: own declarations, no toolkit. Source:
// cuBLAS documentation; cublasLt.h and cublas_api.h of 12.0 to 13.x agree on all of it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "race/device/gpu.hpp"

namespace jute::bench {

using BlasStatus = int;  ///< cublasStatus_t; 0 is success
using LtHandle = struct LtContext*;
using LtOperation = struct LtOperationState*;
using LtMatrix = struct LtMatrixState*;
using LtPreference = struct LtPreferenceState*;
using BlasHandle = struct BlasContext*;
using BlasStream = void*;

/// cublasLtMatmulAlgo_t.
struct LtAlgorithm {
  std::uint64_t data[8] = {};
  bool operator==(const LtAlgorithm&) const = default;
};
/// cublasLtMatmulHeuristicResult_t.
struct LtChoice {
  LtAlgorithm algorithm;
  size_t workspace_bytes = 0;
  BlasStatus state = 0;
  float waves = 0;
  int reserved[4] = {};
};

/// cudaDataType.
enum BlasType : int {
  kBlasF32 = 0,
  kBlasF64 = 1,
  kBlasF16 = 2,
  kBlasS8 = 3,
  kBlasU8 = 8,
  kBlasS32 = 10,
  kBlasBf16 = 14,
  kBlasE4m3 = 28,
  kBlasE5m2 = 29,
};
/// cublasComputeType_t.
enum BlasCompute : int {
  kCompute16F = 64,
  kCompute32F = 68,
  kCompute64F = 70,
  kCompute32I = 72,
  kComputeTf32 = 77,
};
enum BlasOperation : int { kNoTranspose = 0, kTranspose = 1 };

/// Attributes of cublasLt's objects.
enum LtAttribute : int {
  kLayoutBatchCount = 5,
  kLayoutBatchStride = 6,
  kOperationTransposeA = 3,
  kOperationTransposeB = 4,
  kOperationEpilogue = 7,
  kOperationBias = 8,
  kOperationBiasBatchStride = 10,
  kOperationAux = 11,
  kOperationAuxLd = 12,
  kOperationAuxBatchStride = 13,
  kOperationScaleA = 17,
  kOperationScaleB = 18,
  kOperationScaleD = 20,
  kOperationAmaxD = 21,
  kOperationAuxType = 22,
  kOperationFastAccumulation = 25,
  kOperationBiasType = 26,
  kPreferenceWorkspaceBytes = 1,
  kAlgorithmId = 0,
  kAlgorithmTile = 1,
  kAlgorithmSplits = 2,
  kAlgorithmStages = 6,
};
inline constexpr int kDefaultAlgorithm = -1;  ///< CUBLAS_GEMM_DEFAULT

struct LtApi : SharedLibrary {
  explicit LtApi(SharedLibrary library) : SharedLibrary(std::move(library)) {}

  size_t (*version)() = get("cublasLtGetVersion");
  const char* (*status_name)(BlasStatus status) = get("cublasLtGetStatusName");
  BlasStatus (*create)(LtHandle* handle) = get("cublasLtCreate");
  BlasStatus (*destroy)(LtHandle handle) = get("cublasLtDestroy");
  BlasStatus (*operation_create)(LtOperation* operation, int compute,
                                 int scale) = get("cublasLtMatmulDescCreate");
  BlasStatus (*operation_destroy)(LtOperation operation) = get("cublasLtMatmulDescDestroy");
  BlasStatus (*operation_set)(LtOperation operation, int attribute, const void* value,
                              size_t bytes) = get("cublasLtMatmulDescSetAttribute");
  BlasStatus (*matrix_create)(LtMatrix* matrix, int type, std::uint64_t rows, std::uint64_t cols,
                              std::int64_t ld) = get("cublasLtMatrixLayoutCreate");
  BlasStatus (*matrix_destroy)(LtMatrix matrix) = get("cublasLtMatrixLayoutDestroy");
  BlasStatus (*matrix_set)(LtMatrix matrix, int attribute, const void* value,
                           size_t bytes) = get("cublasLtMatrixLayoutSetAttribute");
  BlasStatus (*preference_create)(LtPreference* preference) = get("cublasLtMatmulPreferenceCreate");
  BlasStatus (*preference_destroy)(LtPreference preference) =
      get("cublasLtMatmulPreferenceDestroy");
  BlasStatus (*preference_set)(LtPreference preference, int attribute, const void* value,
                               size_t bytes) = get("cublasLtMatmulPreferenceSetAttribute");
  BlasStatus (*heuristic)(LtHandle handle, LtOperation operation, LtMatrix a, LtMatrix b,
                          LtMatrix c, LtMatrix d, LtPreference preference, int most,
                          LtChoice* choices, int* found) = get("cublasLtMatmulAlgoGetHeuristic");
  BlasStatus (*algorithm_get)(const LtAlgorithm* algorithm, int attribute, void* value,
                              size_t bytes,
                              size_t* written) = get("cublasLtMatmulAlgoConfigGetAttribute");
  BlasStatus (*matmul)(LtHandle handle, LtOperation operation, const void* alpha, const void* a,
                       LtMatrix a_layout, const void* b, LtMatrix b_layout, const void* beta,
                       const void* c, LtMatrix c_layout, void* d, LtMatrix d_layout,
                       const LtAlgorithm* algorithm, void* workspace, size_t workspace_bytes,
                       BlasStream stream) = get("cublasLtMatmul");

  /// throws  launch_failed: `call` and the status' name
  void require(const char* call, BlasStatus status) const;
};

struct BlasApi : SharedLibrary {
  explicit BlasApi(SharedLibrary library) : SharedLibrary(std::move(library)) {}

  BlasStatus (*create)(BlasHandle* handle) = get("cublasCreate_v2");
  BlasStatus (*destroy)(BlasHandle handle) = get("cublasDestroy_v2");
  BlasStatus (*set_stream)(BlasHandle handle, BlasStream stream) = get("cublasSetStream_v2");
  BlasStatus (*set_workspace)(BlasHandle handle, void* workspace,
                              size_t bytes) = get("cublasSetWorkspace_v2");
  BlasStatus (*gemm)(BlasHandle handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                     const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                     const void* beta, void* c, int c_type, int ldc, int compute,
                     int algorithm) = get("cublasGemmEx");
  BlasStatus (*gemm_strided)(BlasHandle handle, int op_a, int op_b, int m, int n, int k,
                             const void* alpha, const void* a, int a_type, int lda,
                             long long a_stride, const void* b, int b_type, int ldb,
                             long long b_stride, const void* beta, void* c, int c_type, int ldc,
                             long long c_stride, int batch, int compute,
                             int algorithm) = get("cublasGemmStridedBatchedEx");
};

/// Where the libraries may lie.
struct CublasPlaces {
  std::string library;      ///< a folder, or libcublasLt itself; when given, nothing else counts
  std::string cuda_home;    ///< a toolkit
  std::string virtual_env;  ///< a Python environment that may hold the wheel
  std::vector<std::string> toolkits = {"/usr/local/cuda", "/opt/cuda"};
};
/// The folders that exist of those where the libraries may lie: toolkits before wheels. Empty for
/// the loader's own path.
[[nodiscard]] std::vector<std::string> cublas_folders(const CublasPlaces& places);

/// Both libraries of one folder; cuBLAS may lack.
struct Cublas {
  LtApi lt;
  std::optional<BlasApi> blas;
};
/// The first of libcublasLt.so.13, libcublasLt.so.12 that opens, folder by folder, and then by the
/// loader's own path.
[[nodiscard]] std::optional<Cublas> find_cublas(const CublasPlaces& places);

}  // namespace jute::bench
