#pragma once
// The part of cuBLASLt that both libraries of the stand-in share: descriptors as rows of
// attributes.
#include <cstddef>
#include <cstdint>

/// An operation or a layout, by cuBLASLt's numbers of attributes.
struct Described {
  std::int64_t values[64] = {};
  std::int64_t& operator[](int attribute) { return values[attribute]; }
  std::int64_t operator[](int attribute) const { return values[attribute]; }
};

enum : int { kOk = 0, kNotInitialised = 1, kInvalidValue = 7, kNotSupported = 15 };
enum : int { kType, kOrder, kRows, kCols, kLd, kBatch, kStride };  // of a layout
enum : int { kCompute, kScale, kPointerMode, kOpA, kOpB, kFill = 6, kEpilogue, kBias };
enum : int { kAux = 11, kAuxLd = 12, kScaleA = 17, kScaleB = 18, kAuxType = 22, kBiasType = 26 };

extern "C" {
int cublasLtCreate(void** handle);
int cublasLtMatmulDescCreate(Described** made, int compute, int scale);
int cublasLtMatmulDescDestroy(Described* object);
int cublasLtMatmulDescSetAttribute(Described* object, int attribute, const void* value,
                                   std::size_t bytes);
int cublasLtMatrixLayoutCreate(Described** made, int type, std::uint64_t rows, std::uint64_t cols,
                               std::int64_t ld);
int cublasLtMatmul(void* handle, Described* operation, const void* alpha, const void* a,
                   Described* a_layout, const void* b, Described* b_layout, const void* beta,
                   const void* c, Described* c_layout, void* d, Described* d_layout,
                   const void* algorithm, void* workspace, std::size_t bytes, void* stream);
/// How many products it has computed.
int standInProducts();
}
