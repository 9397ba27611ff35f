// convert/u4.cu: the low half of a byte.
//   gives: type u4; int to_compute(u4)
struct u4 { unsigned char bits; };
__device__ __forceinline__ int to_compute(u4 x) { return x.bits; }
