// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
//   gives: type bf16; float to_compute(bf16); void from_compute(float, bf16*)
struct bf16 { unsigned short bits; };
__device__ __forceinline__ float to_compute(bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
__device__ __forceinline__ void from_compute(float x, bf16* out) {
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}
