// Barriers of a block that reduce a predicate on the way: how many, all, any.
extern "C" __global__ void __launch_bounds__(96) block_votes(const u32* in, u32* out, int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const u32 value = in[round * 96 + threadIdx.x];
    u32 count, all, any;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 128; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(value % 256) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.and.pred p, 1, 96, p; selp.u32 %0, 1, 0, p; }" : "=r"(all) : "r"(value % 64) : "memory");
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0; bar.red.or.pred p, 0, p; selp.u32 %0, 1, 0, p; }" : "=r"(any) : "r"(value % 128) : "memory");
    if (threadIdx.x < 32) out[round * 32 + threadIdx.x] = count << 16 | all << 8 | any;
  }
}
