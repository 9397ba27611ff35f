// Atomics that return what was there before, and the loop that makes any update atomic: here an
// update that no instruction knows, x -> 3x + 1 modulo a prime, as often as there are threads.
constexpr u32 kPrime = 65521;

extern "C" __global__ void __launch_bounds__(64) atomics(u32* words, u64* packed, const u32* in) {
  const u32 value = in[blockIdx.x * 64 + threadIdx.x];
  u32 old;
  asm volatile("atom.relaxed.gpu.global.max.u32 %0, [%1], %2;" : "=r"(old) : "l"(words), "r"(value) : "memory");
  asm volatile("atom.relaxed.gpu.global.min.u32 %0, [%1], %2;" : "=r"(old) : "l"(words + 1), "r"(value) : "memory");
  asm volatile("atom.relaxed.gpu.global.xor.b32 %0, [%1], %2;" : "=r"(old) : "l"(words + 2), "r"(value) : "memory");
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(words + 3), "r"(value % 4096) : "memory");
  asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(words + 4) : "memory");
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(packed), "l"((u64)value << 20) : "memory");
  u32 seen;
  asm volatile("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(seen) : "l"(words + 5) : "memory");
  for (;;) {
    const u32 wanted = (seen * 3 + 1) % kPrime;
    asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(words + 5), "r"(seen), "r"(wanted) : "memory");
    if (old == seen) break;
    seen = old;
  }
}
