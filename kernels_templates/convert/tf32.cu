// convert/tf32.cu: an f32 whose low 13 bits do not count.
//   gives: type tf32; float to_compute(tf32)
struct tf32 { unsigned bits; };
__device__ __forceinline__ float to_compute(tf32 x) { return __uint_as_float(x.bits & 0xffffe000u); }
