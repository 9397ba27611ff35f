// A libcublas.so.13 whose products are calls of cublasLtMatmul, as the real one's are.
#include <utility>

#include "lt.hpp"

namespace {

struct Handle {
  void *lt = nullptr, *stream = nullptr;
  int pointer_mode = 0, math_mode = 0, sms = 0, strategy = 0;
};

struct Operand {
  const void* at;
  int type;
  std::int64_t ld, stride;
};

int multiply(Handle* handle, int op_a, int op_b, std::int64_t m, std::int64_t n, std::int64_t k,
             const void* alpha, Operand a, Operand b, const void* beta, Operand c,
             std::int64_t batch, int compute) {
  if (handle == nullptr) return kNotInitialised;
  if (m < 0 || n < 0 || k < 0 || batch < 0 || op_a < 0 || op_a > 2 || op_b < 0 || op_b > 2 ||
      a.ld < (op_a == 0 ? m : k) || b.ld < (op_b == 0 ? k : n) || c.ld < m)
    return kInvalidValue;
  if (m == 0 || n == 0 || batch == 0) return kOk;
  const int scale = compute == 64 ? 2 : compute == 70 ? 1 : compute == 72 ? 10 : 0;
  Described operation{{compute, scale, handle->pointer_mode, op_a, op_b}};
  operation[kFill] = 2;
  operation[kEpilogue] = 1;
  const auto layout = [&](const Operand& operand, int op, std::int64_t rows, std::int64_t cols) {
    if (op != 0) std::swap(rows, cols);
    return Described{{operand.type, 0, rows, cols, operand.ld, batch, operand.stride}};
  };
  Described of_a = layout(a, op_a, m, k), of_b = layout(b, op_b, k, n), of_c = layout(c, 0, m, n);
  return cublasLtMatmul(handle->lt, &operation, alpha, a.at, &of_a, b.at, &of_b, beta, c.at, &of_c,
                        const_cast<void*>(c.at), &of_c, nullptr, nullptr, 0, handle->stream);
}

}  // namespace

// clang-format off
#define GEMM(NAME, INT, TYPE, COMPUTE)                                                                              \
  int NAME(Handle* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a, INT lda,      \
           const void* b, INT ldb, const void* beta, void* c, INT ldc) {                                            \
    return multiply(handle, op_a, op_b, m, n, k, alpha, {a, TYPE, lda, 0}, {b, TYPE, ldb, 0}, beta,                 \
                    {c, TYPE, ldc, 0}, 1, COMPUTE);                                                                 \
  }
#define GEMM_EX(NAME, INT)                                                                                          \
  int NAME(Handle* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a, int a_type,   \
           INT lda, const void* b, int b_type, INT ldb, const void* beta, void* c, int c_type, INT ldc, int compute,\
           int) {                                                                                                   \
    return multiply(handle, op_a, op_b, m, n, k, alpha, {a, a_type, lda, 0}, {b, b_type, ldb, 0}, beta,             \
                    {c, c_type, ldc, 0}, 1, compute);                                                               \
  }
#define STATE(NAME, TYPE, MEMBER)                                                       \
  int cublasSet##NAME(Handle* handle, TYPE value) {                                     \
    return handle == nullptr ? kNotInitialised : (handle->MEMBER = value, kOk);         \
  }                                                                                     \
  int cublasGet##NAME(Handle* handle, TYPE* value) {                                    \
    return handle == nullptr ? kNotInitialised : (*value = handle->MEMBER, kOk);        \
  }
// clang-format on

extern "C" {
GEMM(cublasSgemm_v2, int, 0, 68)
GEMM(cublasDgemm_v2_64, std::int64_t, 1, 70)
GEMM(cublasHgemm, int, 2, 64)
GEMM_EX(cublasGemmEx, int)
GEMM_EX(cublasGemmEx_64, std::int64_t)
STATE(Stream_v2, void*, stream)
STATE(PointerMode_v2, int, pointer_mode)
STATE(MathMode, int, math_mode)
STATE(SmCountTarget, int, sms)
STATE(EmulationStrategy, int, strategy)

int cublasGemmStridedBatchedEx(Handle* handle, int op_a, int op_b, int m, int n, int k,
                               const void* alpha, const void* a, int a_type, int lda,
                               long long a_stride, const void* b, int b_type, int ldb,
                               long long b_stride, const void* beta, void* c, int c_type, int ldc,
                               long long c_stride, int batch, int compute, int /*algorithm*/) {
  return multiply(handle, op_a, op_b, m, n, k, alpha, {a, a_type, lda, a_stride},
                  {b, b_type, ldb, b_stride}, beta, {c, c_type, ldc, c_stride}, batch, compute);
}
/// Of arrays of pointers, here in the host's memory: a call of this library's own for each.
int cublasSgemmBatched(Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                       const void* const* a, int lda, const void* const* b, int ldb,
                       const void* beta, void* const* c, int ldc, int batch) {
  int status = kOk;
  for (int i = 0; i < batch && status == kOk; ++i)
    status =
        cublasSgemm_v2(handle, op_a, op_b, m, n, k, alpha, a[i], lda, b[i], ldb, beta, c[i], ldc);
  return status;
}
int cublasCreate_v2(Handle** handle) { return cublasLtCreate(&(*handle = new Handle)->lt); }
int cublasDestroy_v2(Handle* handle) {
  delete handle;
  return kOk;
}
int cublasGetVersion_v2(Handle* /*handle*/, int* version) {
  *version = 130100;
  return kOk;
}
int cublasSetWorkspace_v2(Handle* handle, void*, std::size_t) {
  return handle == nullptr ? kNotInitialised : kOk;
}
}
