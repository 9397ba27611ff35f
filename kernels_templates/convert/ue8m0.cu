// convert/ue8m0.cu: the exponent of an f32, whose least is no normal number; the last pattern is NaN.
//   gives: type ue8m0; float to_compute(ue8m0)
struct ue8m0 { unsigned char bits; };
__device__ __forceinline__ float to_compute(ue8m0 x) {
  const unsigned bits = static_cast<unsigned>(x.bits) << 23;
  return __uint_as_float(x.bits == 0xff ? 0x7fffffffu : x.bits == 0 ? 0x400000u : bits);
}
