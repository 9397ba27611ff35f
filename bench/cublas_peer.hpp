#pragma once
// cuBLASLt as a contestant.
#include "operand_sets.hpp"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace jute::bench {

/// The candidates that cuBLASLt's heuristic offers for a case; the first is what a caller gets by
/// default. float32 never runs on tensor cores, 8-bit floats accumulate fast.
class CublasPeer {
 public:
  CublasPeer();
  ~CublasPeer();
  CublasPeer(const CublasPeer&) = delete;
  CublasPeer& operator=(const CublasPeer&) = delete;

  /// Asks for up to `candidates`. Returns how many there are; 0: the library cannot do the case.
  [[nodiscard]] int prepare(const Case& bench_case, int candidates);
  /// throws  launch_failed
  void launch(int candidate, const OperandSets& sets, int set, cudaStream_t stream) const;
  [[nodiscard]] static std::string version();

 private:
  void clear();
  void describe(const Case& bench_case);
  [[nodiscard]] cublasLtMatrixLayout_t matrix(cudaDataType_t type, Index rows, Index cols, Index ld,
                                              Index batch, Index batch_stride);

  cublasLtHandle_t handle_ = nullptr;
  void* workspace_ = nullptr;
  void* one_ = nullptr;  // device scale of 8-bit floats
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t first_ = nullptr, second_ = nullptr, result_ = nullptr;
  std::vector<cublasLtMatmulHeuristicResult_t> candidates_;
  alignas(8) unsigned char alpha_[8], beta_[8];
};

}  // namespace jute::bench
