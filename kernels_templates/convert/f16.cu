// convert/f16.cu: rounds to nearest even, overflows to infinity.
//   gives: type f16; float to_compute(f16); void from_compute(float, f16*)
struct f16 { unsigned short bits; };
__device__ __forceinline__ float to_compute(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}
__device__ __forceinline__ void from_compute(float x, f16* out) {
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}
