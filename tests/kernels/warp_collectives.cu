// What lanes of a warp can tell one another without memory: shuffles, votes, matches, reductions,
// also among the lanes of a mask only. Every row of `out` is one of them, for 32 values.
WORD u32 shuffle_down(u32 value, u32 by) {
  u32 got;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(got) : "r"(value), "r"(by));
  return got;
}
WORD u32 shuffle_xor(u32 value, u32 by) {
  u32 got;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(got) : "r"(value), "r"(by));
  return got;
}

extern "C" __global__ void __launch_bounds__(64) warp_collectives(const u32* in, u32* out) {
  const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u32 value = in[threadIdx.x];
  out += warp * 8 * 32 + lane;
  u32 sum = value;  // of all lanes behind this one and its own, by doubling
#pragma unroll 1
  for (u32 by = 1; by < 32; by *= 2) {
    const u32 more = shuffle_down(sum, by);
    sum += lane + by < 32 ? more : 0;
  }
  out[0] = sum;
  u32 most = value;  // in every lane
#pragma unroll 1
  for (u32 by = 16; by > 0; by /= 2) {
    const u32 other = shuffle_xor(most, by);
    most = most > other ? most : other;
  }
  out[32] = most;
  u32 odd, alike, all, count;
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(odd) : "r"(value & 1));
  out[64] = odd;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(alike) : "r"(value % 5));
  out[96] = alike;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 200; vote.sync.all.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(all) : "r"(value % 256));
  out[128] = all;
  // Halves of the warp on their own: each lane names the lanes of its own side of the branch.
  if (lane < 16)
    asm volatile("redux.sync.add.u32 %0, %1, 0x0000ffff;" : "=r"(count) : "r"(value % 1000));
  else
    asm volatile("redux.sync.max.u32 %0, %1, 0xffff0000;" : "=r"(count) : "r"(value % 1000));
  __syncwarp();
  out[160] = count;
  u32 from_first;  // segments of eight lanes: each lane gets the first one's value
  asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x181f, 0xffffffff;" : "=r"(from_first) : "r"(value));
  out[192] = from_first;
  out[224] = is_elected();
}
