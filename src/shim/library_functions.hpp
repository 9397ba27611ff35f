#pragma once
// The functions of cuBLAS that say what a call does not: own declarations, no toolkit. Source:
// cublas_api.h and cublasLt.h, of which 12.0 to 13.1 agree on all of this.
#include <jute/shim/cublas_seen.hpp>

#include <cstddef>

#include "base/library_loader.hpp"

namespace jute::shim {

struct BlasState : base::Functions {
  using Functions::Functions;
  int (*stream)(void* handle, void** stream) = get("cublasGetStream_v2");
  int (*pointer_mode)(void* handle, int* mode) = get("cublasGetPointerMode_v2");
  int (*math_mode)(void* handle, int* mode) = get("cublasGetMathMode");
  int (*sm_target)(void* handle, int* count) = get("cublasGetSmCountTarget");
  /// Since 13.0.
  int (*emulation)(void* handle, int* strategy) = if_there("cublasGetEmulationStrategy");
};
struct LtState : base::Functions {
  using Functions::Functions;
  int (*of_operation)(void* operation, int attribute, void* value, std::size_t bytes,
                      std::size_t* written) = get("cublasLtMatmulDescGetAttribute");
  int (*of_layout)(void* layout, int attribute, void* value, std::size_t bytes,
                   std::size_t* written) = get("cublasLtMatrixLayoutGetAttribute");
};

/// Looked up once for each library.
[[nodiscard]] const BlasState& blas_state(const SeenLibrary& library);
[[nodiscard]] const LtState& lt_state(const SeenLibrary& library);

/// Attributes of cublasLt's objects.
enum LtAttribute : int {
  kLayoutType = 0,
  kLayoutOrder = 1,
  kLayoutRows = 2,
  kLayoutCols = 3,
  kLayoutLd = 4,
  kLayoutBatchCount = 5,
  kLayoutBatchStride = 6,
  kLayoutBatchMode = 8,
  kOperationCompute = 0,
  kOperationScale = 1,
  kOperationPointerMode = 2,
  kOperationTransposeA = 3,
  kOperationTransposeB = 4,
  kOperationTransposeC = 5,
  kOperationFillMode = 6,
  kOperationEpilogue = 7,
  kOperationBias = 8,
  kOperationBiasBatchStride = 10,
  kOperationAux = 11,
  kOperationAuxLd = 12,
  kOperationAuxBatchStride = 13,
  kOperationSmTarget = 15,
  kOperationScaleA = 17,
  kOperationScaleB = 18,
  kOperationScaleC = 19,
  kOperationScaleD = 20,
  kOperationAmaxD = 21,
  kOperationAuxType = 22,
  kOperationAuxScale = 23,
  kOperationAuxAmax = 24,
  kOperationFastAccumulation = 25,
  kOperationBiasType = 26,
  kOperationChunksOfRows = 27,
  kOperationChunksOfCols = 28,
  kOperationScaleModeA = 31,
  kOperationScaleModeB = 32,
  kOperationScaleModeD = 34,
  kOperationOutScaleD = 36,
  kOperationEmulation = 38,
};

}  // namespace jute::shim
