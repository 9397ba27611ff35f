// probe/real_mma.cu: the real instruction of which a complex product is made.
constexpr int kValuesA = ${values_a}, kValuesB = ${values_b}, kValuesC = ${values_c};
__device__ __forceinline__ void multiply(double* c_reg, const double* a_reg, const double* b_reg) {
  double d_reg[kValuesC];
  $[multiply]
  #pragma unroll
  for (int i = 0; i < kValuesC; ++i) c_reg[i] = d_reg[i];
}
