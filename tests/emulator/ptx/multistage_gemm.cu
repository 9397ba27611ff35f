// bf16 GEMM with f32 accumulation: 64x64 tile, three cp.async stages of 32, ldmatrix, mma.m16n8k16.
// A (M,K) and B (N,K), rows contiguous; C (M,N) f32. nvcc -ptx -arch=sm_80 -lineinfo --fmad=false
constexpr int kPitch = 40, kStages = 3, kDepth = 32;
extern "C" __global__ void __launch_bounds__(128) multistage_gemm(const unsigned short* __restrict__ a,
                                                                  const unsigned short* __restrict__ b,
                                                                  float* __restrict__ c, int n, int k) {
  __shared__ __align__(16) unsigned short tile[kStages][2][64 * kPitch];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto address = [](const void* p) { return (unsigned)__cvta_generic_to_shared(p); };
  const auto load = [&](int stage, int at) {
    for (int i = threadIdx.x; i < 512; i += 128) {
      const int operand = i / 256, row = i % 256 / 4, column = i % 4 * 8;
      const unsigned short* from = (operand ? b + (blockIdx.x * 64 + row) * (long long)k
                                            : a + (blockIdx.y * 64 + row) * (long long)k) + at + column;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       address(&tile[stage][operand][row * kPitch + column])), "l"(from));
    }
  };
  float sum[2][4][4] = {};
  const int steps = k / kDepth;
  for (int s = 0; s < kStages - 1; ++s) {
    if (s < steps) load(s, s * kDepth);
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
    __syncthreads();
    const int next = step + kStages - 1;
    if (next < steps) load(next % kStages, next * kDepth);
    asm volatile("cp.async.commit_group;");
    const auto& stage = tile[step % kStages];
#pragma unroll
    for (int kk = 0; kk < kDepth; kk += 16) {
      unsigned fa[2][4], fb[4][2];
      for (int m = 0; m < 2; ++m)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fa[m][0]), "=r"(fa[m][1]), "=r"(fa[m][2]), "=r"(fa[m][3])
                     : "r"(address(&stage[0][(warp / 2 * 32 + m * 16 + lane % 16) * kPitch + kk + lane / 16 * 8])));
      for (int j = 0; j < 4; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fb[j][0]), "=r"(fb[j][1]), "=r"(fb[j + 1][0]), "=r"(fb[j + 1][1])
                     : "r"(address(&stage[1][(warp % 2 * 32 + j * 8 + lane / 16 * 8 + lane % 8) * kPitch + kk + lane / 8 % 2 * 8])));
      for (int m = 0; m < 2; ++m)
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                       : "+f"(sum[m][j][0]), "+f"(sum[m][j][1]), "+f"(sum[m][j][2]), "+f"(sum[m][j][3])
                       : "r"(fa[m][0]), "r"(fa[m][1]), "r"(fa[m][2]), "r"(fa[m][3]), "r"(fb[j][0]), "r"(fb[j][1]));
    }
  }
  for (int m = 0; m < 2; ++m)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        c[(blockIdx.y * 64 + warp / 2 * 32 + m * 16 + lane / 4 + i / 2 * 8) * (long long)n +
          blockIdx.x * 64 + warp % 2 * 32 + j * 8 + lane % 4 * 2 + i % 2] = sum[m][j][i];
}
