// cuBLAS's names, without versions, ahead of cuBLAS: each call is shown to jute, and is cuBLAS's
// unless jute does it. Links libc alone, has no constructor, and allocates nothing.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jute/shim/cublas_seen.hpp>
#include "real.hpp"

using namespace jute;
using namespace jute::front;

#define JUTE_CUBLAS extern "C" __attribute__((visibility("default"))) int

namespace {

constexpr int kNotInitialized = 1;  // CUBLAS_STATUS_NOT_INITIALIZED

/// More than 0: this thread is in cuBLAS, or in jute.
thread_local int inside = 0;

struct Inside {
  Inside() { ++inside; }
  ~Inside() { --inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

template <class... Words>
int call_real(Real& real, const Caller& caller, Words... words) {
  void* const function = real.of(caller);
  if (function == nullptr) return kNotInitialized;
  const Inside here;
  return reinterpret_cast<int (*)(Words...)>(function)(words...);
}

void complain(const char* what) {
  constexpr char kHead[] = "jute shim: ";
  (void)!write(STDERR_FILENO, kHead, sizeof kHead - 1);
  (void)!write(STDERR_FILENO, what, strlen(what));
  (void)!write(STDERR_FILENO, "\n", 1);
}

const ShimCore* core = nullptr;

/// Empty: it says nothing.
const char* said(const char* value) { return value == nullptr || *value == '\0' ? nullptr : value; }

/// libjute_shim.so lies beside this object.
void open_core() {
  ShimStart start;
  start.record = said(secure_getenv("JUTE_SHIM_RECORD"));
  start.serve = said(secure_getenv("JUTE_SHIM_SERVE"));
  if (start.record == nullptr && start.serve == nullptr) return;
  start.complain = complain;
  start.tf32_override = said(getenv("NVIDIA_TF32_OVERRIDE"));
  constexpr const char* kEmulations[] = {"CUBLAS_EMULATE_SINGLE_PRECISION",
                                         "CUBLAS_EMULATE_DOUBLE_PRECISION",
                                         "CUBLAS_EMULATION_STRATEGY"};
  for (const char* name : kEmulations)
    if (getenv(name) != nullptr) start.is_emulated = true;
  constexpr char kFile[] = "libjute_shim.so";
  char path[4096];
  Dl_info own;
  if (dladdr(reinterpret_cast<void*>(&open_core), &own) == 0) return;
  const char* const slash = strrchr(own.dli_fname, '/');
  const size_t folder = slash == nullptr ? 0 : static_cast<size_t>(slash + 1 - own.dli_fname);
  if (folder + sizeof kFile > sizeof path) return;
  memcpy(path, own.dli_fname, folder);
  memcpy(path + folder, kFile, sizeof kFile);
  const Inside here;
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return complain(dlerror());
  using Start = const ShimCore*(const ShimStart*);
  auto* const begin = reinterpret_cast<Start*>(dlsym(library, "jute_shim_start"));
  if (begin != nullptr) core = begin(&start);
}

/// Null: the call is cuBLAS's.
const ShimCore* core_for(const Caller& caller) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (caller.is_inside || inside > 0) return nullptr;
  pthread_once(&once, open_core);
  return core;
}

SeenLibrary seen_library(bool is_lt, const Caller& caller) {
  if (caller.version >= kVersions) return {};
  return {loaded(is_lt, caller.version), kVersionNumbers[caller.version]};
}

bool is_served(const Caller& caller, SeenGemm seen) {
  const ShimCore* const shown = core_for(caller);
  if (shown == nullptr) return false;
  seen.library = seen_library(false, caller);
  const Inside here;
  return seen.library.open != nullptr && shown->gemm(&seen) != 0;
}

int created(Real& real, const Caller& caller, void** handle) {
  const int status = call_real(real, caller, handle);
  const ShimCore* const shown = status == 0 ? core_for(caller) : nullptr;
  const Inside here;
  if (shown != nullptr) shown->ready();
  return status;
}

void put_workspace(const Caller& caller, void* handle, void* address, size_t bytes) {
  if (const ShimCore* const shown = core_for(caller)) shown->workspace(handle, address, bytes);
}

}  // namespace

// A name of cuBLAS's: what it is called with, how that is seen, and how it is passed on. An S, D or
// H gemm has its types in its name.
// clang-format off
#define JUTE_REAL(NAME, IS_LT)                                                                                         \
  static Real real{#NAME, IS_LT, {}};                                                                                  \
  const Caller caller = caller_of(__builtin_return_address(0))
#define JUTE_GEMM(NAME, INT, TYPE, COMPUTE)                                                                            \
  JUTE_CUBLAS NAME(void* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a, INT lda,   \
                   const void* b, INT ldb, const void* beta, void* c, INT ldc) {                                       \
    JUTE_REAL(NAME, false);                                                                                            \
    if (is_served(caller, {{}, handle, op_a, op_b, m, n, k, 1, alpha, beta, {a, TYPE, lda, 0}, {b, TYPE, ldb, 0},      \
                           {c, TYPE, ldc, 0}, COMPUTE, -1, true}))                                                     \
      return 0;                                                                                                        \
    return call_real(real, caller, handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                  \
  }
#define JUTE_STRIDED(NAME, INT, TYPE, COMPUTE)                                                                         \
  JUTE_CUBLAS NAME(void* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a, INT lda,   \
                   long long step_a, const void* b, INT ldb, long long step_b, const void* beta, void* c, INT ldc,     \
                   long long step_c, INT batch) {                                                                      \
    JUTE_REAL(NAME, false);                                                                                            \
    if (is_served(caller, {{}, handle, op_a, op_b, m, n, k, batch, alpha, beta, {a, TYPE, lda, step_a},                \
                           {b, TYPE, ldb, step_b}, {c, TYPE, ldc, step_c}, COMPUTE, -1, true}))                        \
      return 0;                                                                                                        \
    return call_real(real, caller, handle, op_a, op_b, m, n, k, alpha, a, lda, step_a, b, ldb, step_b, beta, c,        \
                     ldc, step_c, batch);                                                                              \
  }
#define JUTE_GEMM_EX(NAME, INT)                                                                                        \
  JUTE_CUBLAS NAME(void* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a,            \
                   int a_type, INT lda, const void* b, int b_type, INT ldb, const void* beta, void* c, int c_type,     \
                   INT ldc, int compute, int algorithm) {                                                              \
    JUTE_REAL(NAME, false);                                                                                            \
    if (is_served(caller, {{}, handle, op_a, op_b, m, n, k, 1, alpha, beta, {a, a_type, lda, 0},                       \
                           {b, b_type, ldb, 0}, {c, c_type, ldc, 0}, compute, algorithm, false}))                      \
      return 0;                                                                                                        \
    return call_real(real, caller, handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c,        \
                     c_type, ldc, compute, algorithm);                                                                 \
  }
#define JUTE_STRIDED_EX(NAME, INT)                                                                                     \
  JUTE_CUBLAS NAME(void* handle, int op_a, int op_b, INT m, INT n, INT k, const void* alpha, const void* a,            \
                   int a_type, INT lda, long long step_a, const void* b, int b_type, INT ldb, long long step_b,        \
                   const void* beta, void* c, int c_type, INT ldc, long long step_c, INT batch, int compute,           \
                   int algorithm) {                                                                                    \
    JUTE_REAL(NAME, false);                                                                                            \
    if (is_served(caller, {{}, handle, op_a, op_b, m, n, k, batch, alpha, beta, {a, a_type, lda, step_a},              \
                           {b, b_type, ldb, step_b}, {c, c_type, ldc, step_c}, compute, algorithm, false}))            \
      return 0;                                                                                                        \
    return call_real(real, caller, handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, step_a, b, b_type, ldb,         \
                     step_b, beta, c, c_type, ldc, step_c, batch, compute, algorithm);                                 \
  }
// clang-format on

JUTE_GEMM(cublasSgemm_v2, int, 0, 68)
JUTE_GEMM(cublasSgemm_v2_64, long, 0, 68)
JUTE_GEMM(cublasDgemm_v2, int, 1, 70)
JUTE_GEMM(cublasDgemm_v2_64, long, 1, 70)
JUTE_GEMM(cublasHgemm, int, 2, 64)
JUTE_GEMM(cublasHgemm_64, long, 2, 64)
JUTE_STRIDED(cublasSgemmStridedBatched, int, 0, 68)
JUTE_STRIDED(cublasSgemmStridedBatched_64, long, 0, 68)
JUTE_STRIDED(cublasDgemmStridedBatched, int, 1, 70)
JUTE_STRIDED(cublasDgemmStridedBatched_64, long, 1, 70)
JUTE_STRIDED(cublasHgemmStridedBatched, int, 2, 64)
JUTE_STRIDED(cublasHgemmStridedBatched_64, long, 2, 64)
JUTE_GEMM_EX(cublasGemmEx, int)
JUTE_GEMM_EX(cublasGemmEx_64, long)
JUTE_STRIDED_EX(cublasGemmStridedBatchedEx, int)
JUTE_STRIDED_EX(cublasGemmStridedBatchedEx_64, long)

JUTE_CUBLAS cublasCreate_v2(void** handle) {
  JUTE_REAL(cublasCreate_v2, false);
  return created(real, caller, handle);
}
JUTE_CUBLAS cublasLtCreate(void** handle) {
  JUTE_REAL(cublasLtCreate, true);
  return created(real, caller, handle);
}
JUTE_CUBLAS cublasDestroy_v2(void* handle) {
  JUTE_REAL(cublasDestroy_v2, false);
  put_workspace(caller, handle, nullptr, 0);
  return call_real(real, caller, handle);
}
JUTE_CUBLAS cublasSetWorkspace_v2(void* handle, void* workspace, size_t bytes) {
  JUTE_REAL(cublasSetWorkspace_v2, false);
  const int status = call_real(real, caller, handle, workspace, bytes);
  if (status == 0) put_workspace(caller, handle, workspace, bytes);
  return status;
}
/// Gives the handle cuBLAS's own workspace back.
JUTE_CUBLAS cublasSetStream_v2(void* handle, void* stream) {
  JUTE_REAL(cublasSetStream_v2, false);
  const int status = call_real(real, caller, handle, stream);
  if (status == 0) put_workspace(caller, handle, nullptr, 0);
  return status;
}

JUTE_CUBLAS cublasLtMatmul(void* handle, void* operation, const void* alpha, const void* a,
                           void* a_layout, const void* b, void* b_layout, const void* beta,
                           const void* c, void* c_layout, void* d, void* d_layout,
                           const void* algorithm, void* workspace, size_t bytes, void* stream) {
  JUTE_REAL(cublasLtMatmul, true);
  if (const ShimCore* const shown = core_for(caller)) {
    const SeenMatmul seen{seen_library(true, caller),
                          handle,
                          operation,
                          alpha,
                          a,
                          a_layout,
                          b,
                          b_layout,
                          beta,
                          c,
                          c_layout,
                          d,
                          d_layout,
                          workspace,
                          bytes,
                          stream};
    const Inside here;
    if (seen.library.open != nullptr && shown->matmul(&seen) != 0) return 0;
  }
  return call_real(real, caller, handle, operation, alpha, a, a_layout, b, b_layout, beta, c,
                   c_layout, d, d_layout, algorithm, workspace, bytes, stream);
}
