// convert/u8.cu
//   gives: type u8; int to_compute(u8)
typedef unsigned char u8;
__device__ __forceinline__ int to_compute(u8 x) { return x; }

// convert/u8.cu (out): rounds to nearest even, saturates; NaN becomes 0.
//   needs: type u8
//   gives: void from_compute(float, u8*), from_compute(double, u8*), from_compute(int, u8*)
__device__ __forceinline__ void from_compute(float x, u8* out) {
  int rounded;
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(rounded) : "f"(x));
  *out = static_cast<u8>(rounded);
}
__device__ __forceinline__ void from_compute(int x, u8* out) {
  int held;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(held) : "r"(x));
  *out = static_cast<u8>(held);
}
__device__ __forceinline__ void from_compute(double x, u8* out) {
  *out = static_cast<u8>(x == x ? max(0, min(255, __double2int_rn(x))) : 0);
}
