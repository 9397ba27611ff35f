// cuBLASLt as a contestant. The library thinks in columns: it is asked for the transposed D, so its
// first operand is B and its second is A.
#include "cublas_peer.hpp"

#include "gpu_timing.hpp"

#include <array>
#include <cstring>

namespace jute::bench {
namespace {

constexpr size_t kWorkspaceBytes = size_t{64} << 20;

void require(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Exception(
      {.code = ErrorCode::launch_failed, .operand = call, .value = cublasLtGetStatusName(status)});
}

struct TypeRow {
  std::string_view dtype;
  cudaDataType_t input, output, scale;
  cublasComputeType_t compute;
};
// clang-format off
constexpr std::array<TypeRow, 7> kTypes{{
  {"bf16",   CUDA_R_16BF,    CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
  {"f16",    CUDA_R_16F,     CUDA_R_16F,  CUDA_R_32F, CUBLAS_COMPUTE_32F},
  {"tf32",   CUDA_R_32F,     CUDA_R_32F,  CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
  {"f32",    CUDA_R_32F,     CUDA_R_32F,  CUDA_R_32F, CUBLAS_COMPUTE_32F},
  {"f64",    CUDA_R_64F,     CUDA_R_64F,  CUDA_R_64F, CUBLAS_COMPUTE_64F},
  {"f8e4m3", CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
  {"s8",     CUDA_R_8I,      CUDA_R_32I,  CUDA_R_32I, CUBLAS_COMPUTE_32I},
}};
// clang-format on

const TypeRow& row_of(const std::string& dtype) {
  for (const TypeRow& row : kTypes)
    if (row.dtype == dtype) return row;
  throw Exception({.code = ErrorCode::unknown_name, .operand = "dtype", .value = dtype});
}

template <class Value>
void set_scales(Value one, unsigned char (&alpha)[8], unsigned char (&beta)[8]) {
  const Value zero = 0;
  std::memcpy(alpha, &one, sizeof one);
  std::memcpy(beta, &zero, sizeof zero);
}

}  // namespace

CublasPeer::CublasPeer() {
  require(cublasLtCreate(&handle_), "cublasLtCreate");
  bench::require(cudaMalloc(&workspace_, kWorkspaceBytes), "cudaMalloc");
  bench::require(cudaMalloc(&one_, sizeof(float)), "cudaMalloc");
  const float one = 1.0f;
  bench::require(cudaMemcpy(one_, &one, sizeof one, cudaMemcpyHostToDevice), "cudaMemcpy");
}

CublasPeer::~CublasPeer() {
  clear();
  cudaFree(one_);
  cudaFree(workspace_);
  cublasLtDestroy(handle_);
}

std::string CublasPeer::version() { return std::to_string(cublasLtGetVersion()); }

void CublasPeer::clear() {
  if (operation_ != nullptr) cublasLtMatmulDescDestroy(operation_);
  for (cublasLtMatrixLayout_t* layout : {&first_, &second_, &result_}) {
    if (*layout != nullptr) cublasLtMatrixLayoutDestroy(*layout);
    *layout = nullptr;
  }
  operation_ = nullptr;
  candidates_.clear();
}

cublasLtMatrixLayout_t CublasPeer::matrix(cudaDataType_t type, Index rows, Index cols, Index ld,
                                          Index batch, Index batch_stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  require(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(cols), ld),
          "cublasLtMatrixLayoutCreate");
  if (batch <= 1) return layout;
  const auto count = static_cast<std::int32_t>(batch);
  cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                   sizeof count);
  cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                   &batch_stride, sizeof batch_stride);
  return layout;
}

void CublasPeer::describe(const Case& c) {
  const TypeRow& types = row_of(c.dtype);
  require(cublasLtMatmulDescCreate(&operation_, types.compute, types.scale),
          "cublasLtMatmulDescCreate");
  const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
    require(cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof value),
            "cublasLtMatmulDescSetAttribute");
  };
  // A row-major matrix is, in columns, its own transpose.
  set(CUBLASLT_MATMUL_DESC_TRANSA, c.order_b == Order::row ? CUBLAS_OP_N : CUBLAS_OP_T);
  set(CUBLASLT_MATMUL_DESC_TRANSB, c.order_a == Order::row ? CUBLAS_OP_N : CUBLAS_OP_T);
  if (types.input == CUDA_R_8F_E4M3) {
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, one_);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, one_);
    set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  }
  const auto in = types.input;
  first_ = c.order_b == Order::row ? matrix(in, c.n, c.k, c.n, c.batch, c.n * c.k)
                                   : matrix(in, c.k, c.n, c.k, c.batch, c.n * c.k);
  second_ = c.order_a == Order::row ? matrix(in, c.k, c.m, c.k, c.batch, c.m * c.k)
                                    : matrix(in, c.m, c.k, c.m, c.batch, c.m * c.k);
  result_ = matrix(types.output, c.n, c.m, c.n, c.batch, c.m * c.n);
  if (types.scale == CUDA_R_64F)
    set_scales(1.0, alpha_, beta_);
  else if (types.scale == CUDA_R_32I)
    set_scales(std::int32_t{1}, alpha_, beta_);
  else
    set_scales(1.0f, alpha_, beta_);
}

int CublasPeer::prepare(const Case& bench_case, int candidates) {
  clear();
  describe(bench_case);
  for (const size_t bytes : {kWorkspaceBytes, kWorkspaceBytes / 2, size_t{0}}) {
    cublasLtMatmulPreference_t preference = nullptr;
    require(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &bytes, sizeof bytes);
    candidates_.resize(static_cast<size_t>(candidates));
    int found = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle_, operation_, first_, second_, result_, result_,
                                       preference, candidates, candidates_.data(), &found);
    cublasLtMatmulPreferenceDestroy(preference);
    candidates_.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<size_t>(found) : 0);
    if (!candidates_.empty()) break;
  }
  return static_cast<int>(candidates_.size());
}

void CublasPeer::launch(int candidate, const OperandSets& sets, int set,
                        cudaStream_t stream) const {
  const auto address = [](DevicePointer pointer) { return reinterpret_cast<void*>(pointer); };
  void* const d = address(sets.d(set));
  require(cublasLtMatmul(handle_, operation_, alpha_, address(sets.b(set)), first_,
                         address(sets.a(set)), second_, beta_, d, result_, d, result_,
                         &candidates_[static_cast<size_t>(candidate)].algo, workspace_,
                         kWorkspaceBytes, stream),
          "cublasLtMatmul");
}

}  // namespace jute::bench
