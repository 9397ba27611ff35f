// convert/e5m2.cu: by way of f16, which holds every e5m2 exactly (sm_89).
//   gives: type e5m2; float to_compute(e5m2)
struct e5m2 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e5m2 x) {
  float result;
  asm("{ .reg .b32 pair; .reg .b16 low, high;\n"
      "cvt.rn.f16x2.e5m2x2 pair, %1; mov.b32 {low, high}, pair; cvt.f32.f16 %0, low; }"
      : "=f"(result) : "h"(static_cast<unsigned short>(x.bits)));
  return result;
}
