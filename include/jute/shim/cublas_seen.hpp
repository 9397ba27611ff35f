#pragma once
// Calls of cuBLAS as the object in front of it sees them, and what it asks of the library behind:
// no more than C, as it links libc alone.
#include <jute/base/export.hpp>

#include <cstddef>
#include <cstdint>

namespace JUTE_API jute {

/// The library that a call is meant for.
struct SeenLibrary {
  void* open = nullptr;  ///< by dlopen: functions beside the call are looked up in it
  int version = 0;       ///< of its SONAME: 12, 13
};

struct SeenMatrix {
  const void* at = nullptr;
  int type = 0;  ///< cudaDataType
  std::int64_t ld = 0, stride = 0;
};

/// Any gemm of cuBLAS; a `batch` of its own is 1.
struct SeenGemm {
  SeenLibrary library;
  void* handle;
  int op_a, op_b;
  std::int64_t m, n, k, batch;
  const void *alpha, *beta;
  SeenMatrix a, b, c;
  int compute;    ///< cublasComputeType_t
  int algorithm;  ///< cublasGemmAlgo_t
  bool is_typed;  ///< S, D, H: the handle's math mode says how exact it is
};

/// cublasLtMatmul's arguments.
struct SeenMatmul {
  SeenLibrary library;
  void *handle, *operation;
  const void* alpha;
  const void* a;
  void* a_layout;
  const void* b;
  void* b_layout;
  const void* beta;
  const void* c;
  void* c_layout;
  void* d;
  void* d_layout;
  void* workspace;
  std::size_t workspace_bytes;
  void* stream;
};

/// What the environment says.
struct ShimStart {
  const char* record = nullptr;             ///< JUTE_SHIM_RECORD: a file that takes the calls
  const char* serve = nullptr;              ///< JUTE_SHIM_SERVE: a file of measured calls
  const char* tf32_override = nullptr;      ///< NVIDIA_TF32_OVERRIDE
  bool is_emulated = false;                 ///< a variable asks cuBLAS to emulate f32 or f64
  void (*complain)(const char*) = nullptr;  ///< takes a line for whoever started the program
};

/// What the object calls. None throws, and none is called while another of cuBLAS is running in the
/// same thread.
struct ShimCore {
  /// A handle was created: all that is kept for this device is made ready.
  void (*ready)();
  /// Non-zero: it is done. Else it is cuBLAS's.
  int (*gemm)(const SeenGemm*);
  int (*matmul)(const SeenMatmul*);
  /// The workspace of a handle of cuBLAS; null: its own.
  void (*workspace)(void* handle, void* address, std::size_t bytes);
};

/// Begins once in a process; null: there is nothing to record or to serve.
const ShimCore* start_shim(const ShimStart& start);

}  // namespace jute
