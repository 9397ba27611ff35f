// prelude/read_shared.cu: words from addresses of shared memory. What is added to an address last is part of the
// instruction.
//   gives: void read_shared<>(Word&, unsigned)
__device__ __forceinline__ void read_shared(uint4& word, unsigned address) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "r"(address));
}
__device__ __forceinline__ void read_shared(uint2& word, unsigned address) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(word.x), "=r"(word.y) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned& word, unsigned address) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned short& word, unsigned address) {
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(word) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned char& word, unsigned address) {
  unsigned short wide;
  asm volatile("ld.shared.u8 %0, [%1];" : "=h"(wide) : "r"(address));
  word = static_cast<unsigned char>(wide);
}
