// convert/s8.cu
//   gives: type s8; int to_compute(s8)
typedef signed char s8;
__device__ __forceinline__ int to_compute(s8 x) { return x; }

// convert/s8.cu (out): rounds to nearest even, saturates; NaN becomes 0.
//   needs: type s8
//   gives: void from_compute(float, s8*), from_compute(double, s8*), from_compute(int, s8*)
__device__ __forceinline__ void from_compute(float x, s8* out) {
  int rounded;
  asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  *out = static_cast<s8>(rounded);
}
__device__ __forceinline__ void from_compute(int x, s8* out) {
  int held;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(held) : "r"(x));
  *out = static_cast<s8>(held);
}
__device__ __forceinline__ void from_compute(double x, s8* out) {
  *out = static_cast<s8>(x == x ? max(-128, min(127, __double2int_rn(x))) : 0);
}
