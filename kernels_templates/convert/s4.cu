// convert/s4.cu: the low half of a byte, in two's complement.
//   gives: type s4; int to_compute(s4)
struct s4 { unsigned char bits; };
__device__ __forceinline__ int to_compute(s4 x) { return static_cast<int>(x.bits ^ 8u) - 8; }
