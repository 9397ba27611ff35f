// prelude/settle.cu: keeps the compiler from computing a number later than here, or again.
//   gives: void settle(unsigned&)
__device__ __forceinline__ void settle(unsigned& number) { asm volatile("" : "+r"(number)); }
