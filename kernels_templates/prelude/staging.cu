// prelude/staging.cu: words of the staging buffer. As instructions of their own they cost the
// compiler a fraction of what it spends on as many accesses through pointers.
//   gives: void stage_put(unsigned, unsigned short), stage_put(unsigned, unsigned), stage_put(unsigned, uint2), stage_put(unsigned, uint4)
__device__ __forceinline__ void stage_put(unsigned target, unsigned short word) {
  asm volatile("st.shared.b16 [%0], %1;" ::"r"(target), "h"(word) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, unsigned word) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(target), "r"(word) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, uint2 word) {
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(target), "r"(word.x), "r"(word.y) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, uint4 word) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(target), "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w) : "memory");
}
