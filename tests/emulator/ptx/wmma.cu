// One warp's product through wmma, for every shape and type. Compiled by
//   nvcc -std=c++17 -arch=sm_90a -ptx wmma.cu
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

template <int M, int N, int K, class T, class A, class C, class Rows, class Columns>
__device__ void product(const A* a, const A* b, C* c) {
  fragment<matrix_a, M, N, K, T, Rows> fa;
  fragment<matrix_b, M, N, K, T, Columns> fb;
  fragment<accumulator, M, N, K, C> fc;
  constexpr bool a_rows = std::is_same<Rows, row_major>::value;
  constexpr bool b_rows = std::is_same<Columns, row_major>::value;
  load_matrix_sync(fa, a, a_rows ? K : M);
  load_matrix_sync(fb, b, b_rows ? N : K);
  load_matrix_sync(fc, c, N, mem_row_major);
  mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  store_matrix_sync(c, fc, N, mem_row_major);
}

#define PRODUCT(name, M, N, K, T, A, C, rows, columns)                            \
  extern "C" __global__ void name(const A* a, const A* b, C* c) {                 \
    product<M, N, K, T, A, C, rows, columns>(a, b, c);                            \
  }
#define SHAPES(name, T, C)                                                        \
  PRODUCT(name##_16x16x16_rc, 16, 16, 16, T, T, C, row_major, col_major)          \
  PRODUCT(name##_16x16x16_cr, 16, 16, 16, T, T, C, col_major, row_major)          \
  PRODUCT(name##_32x8x16_rr, 32, 8, 16, T, T, C, row_major, row_major)            \
  PRODUCT(name##_8x32x16_rc, 8, 32, 16, T, T, C, row_major, col_major)            \
  PRODUCT(name##_8x32x16_cr, 8, 32, 16, T, T, C, col_major, row_major)

SHAPES(half_float, __half, float)
SHAPES(half_half, __half, __half)
SHAPES(bf16_float, __nv_bfloat16, float)
SHAPES(s8_int, signed char, int)
SHAPES(u8_int, unsigned char, int)
PRODUCT(tf32_float_16x16x8_rc, 16, 16, 8, precision::tf32, float, float, row_major, col_major)
PRODUCT(double_double_8x8x4_rc, 8, 8, 4, double, double, double, row_major, col_major)
PRODUCT(double_double_8x8x4_cr, 8, 8, 4, double, double, double, col_major, row_major)

// Two 4-bit values a byte, eight bits a byte.
extern "C" __global__ void s4_int_8x8x32(const int* a, const int* b, int* c) {
  fragment<matrix_a, 8, 8, 32, experimental::precision::s4, row_major> fa;
  fragment<matrix_b, 8, 8, 32, experimental::precision::s4, col_major> fb;
  fragment<accumulator, 8, 8, 32, int> fc;
  load_matrix_sync(fa, a, 32);
  load_matrix_sync(fb, b, 32);
  fill_fragment(fc, 1);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(c, fc, 8, mem_row_major);
}
extern "C" __global__ void b1_int_8x8x128(const int* a, const int* b, int* c) {
  fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> fa;
  fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> fb;
  fragment<accumulator, 8, 8, 128, int> fc;
  load_matrix_sync(fa, a, 128);
  load_matrix_sync(fb, b, 128);
  fill_fragment(fc, 1);
  bmma_sync(fc, fa, fb, fc, experimental::bmmaBitOpXOR);
  store_matrix_sync(c, fc, 8, mem_col_major);
}
