// convert/e4m3.cu: by way of f16, which holds every e4m3 exactly (sm_89).
//   gives: type e4m3; float to_compute(e4m3)
struct e4m3 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e4m3 x) {
  float result;
  asm("{ .reg .b32 pair; .reg .b16 low, high;\n"
      "cvt.rn.f16x2.e4m3x2 pair, %1; mov.b32 {low, high}, pair; cvt.f32.f16 %0, low; }"
      : "=f"(result) : "h"(static_cast<unsigned short>(x.bits)));
  return result;
}
