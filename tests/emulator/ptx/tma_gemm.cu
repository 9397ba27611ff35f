// bf16 GEMM on sm_90a: TMA loads with 128-byte swizzle, mbarriers, wgmma m64n64k16, a TMA store.
// A (M,K) and B (N,K), rows contiguous; D (M,N) f32 through a tensor map of boxes 32 x 64. Blocks of a
// cluster along x share the rows of A: each loads half of them for both.
// nvcc -ptx -arch=sm_90a -lineinfo --fmad=false
struct __align__(64) TensorMap {
  unsigned char bytes[128];
};
constexpr int kDepth = 64, kStages = 3, kTile = 64;
constexpr unsigned kOperandBytes = kTile * kDepth * 2;

__device__ inline unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ inline void init_barrier(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count));
}
__device__ inline void expect(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
}
__device__ inline void wait(unsigned bar, unsigned parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@p bra.uni D; bra.uni L;\n"
      "D: }" ::"r"(bar), "r"(parity) : "memory");
}
__device__ inline unsigned long long descriptor(unsigned address) {
  return ((address & 0x3FFFF) >> 4) | (1ULL << 16) | ((unsigned long long)(1024 >> 4) << 32) | (1ULL << 62);
}
template <int kCluster>
__device__ inline void gemm(const TensorMap& map_a, const TensorMap& map_b, const TensorMap& map_d, int k) {
  extern __shared__ __align__(1024) unsigned char smem[];
  __shared__ __align__(8) unsigned long long full[kStages], empty[kStages];
  const int thread = threadIdx.x;
  const unsigned tiles = shared_address(smem);
  unsigned rank = 0;
  if (kCluster > 1) asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (thread == 0) {
    for (int s = 0; s < kStages; ++s) {
      init_barrier(shared_address(&full[s]), 1);
      init_barrier(shared_address(&empty[s]), 128 * kCluster);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (kCluster > 1) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
  const int steps = k / kDepth;
  const auto load = [&](int step) {
    const int s = step % kStages;
    const unsigned bar = shared_address(&full[s]);
    const unsigned a = tiles + s * 2 * kOperandBytes;
    expect(bar, 2 * kOperandBytes);
    if (kCluster == 1) {
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                       "r"(a), "l"(&map_a), "r"(step * kDepth), "r"((int)blockIdx.y * kTile), "r"(bar) : "memory");
    } else {
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::
                       "r"(a + rank * (kOperandBytes / 2)), "l"(&map_a), "r"(step * kDepth),
                       "r"((int)blockIdx.y * kTile + (int)rank * kTile / 2), "r"(bar), "h"((unsigned short)3) : "memory");
    }
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                     "r"(a + kOperandBytes), "l"(&map_b), "r"(step * kDepth), "r"((int)blockIdx.x * kTile), "r"(bar) : "memory");
  };
  if (thread == 0)
    for (int step = 0; step < kStages - 1 && step < steps; ++step) load(step);
  float d[32];
  for (int i = 0; i < 32; ++i) d[i] = 0;
  for (int step = 0; step < steps; ++step) {
    const int s = step % kStages;
    wait(shared_address(&full[s]), step / kStages & 1);
    const unsigned a = tiles + s * 2 * kOperandBytes;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int kk = 0; kk < kDepth / 16; ++kk)
      asm volatile(
          "{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
          "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0; }"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
            "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]),
            "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
            "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
          : "l"(descriptor(a + kk * 32)), "l"(descriptor(a + kOperandBytes + kk * 32)), "r"(step + kk));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (unsigned peer = 0; peer < kCluster; ++peer) {
      unsigned bar = shared_address(&empty[s]);
      if (kCluster > 1) {
        asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(bar) : "r"(peer));
        asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
      } else {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
      }
    }
    const int next = step + kStages - 1;
    if (thread == 0 && next < steps) {
      if (next >= kStages) wait(shared_address(&empty[next % kStages]), (next / kStages - 1) & 1);
      load(next);
    }
  }
  __syncthreads();
  float* subtile = reinterpret_cast<float*>(smem);
  const int row = thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;
  for (int i = 0; i < 32; ++i) {
    const int c = column + i / 4 * 8 + i % 2;
    subtile[c / 32 * 2048 + (row + i / 2 % 2 * 8) * 32 + c % 32] = d[i];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (thread == 0) {
    for (int half = 0; half < 2; ++half)
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::
                       "l"(&map_d), "r"((int)blockIdx.x * kTile + half * 32), "r"((int)blockIdx.y * kTile), "r"(tiles + half * 8192) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
  if (kCluster > 1) {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
}
extern "C" __global__ void __launch_bounds__(128) tma_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                                                           const __grid_constant__ TensorMap d, int k) {
  gemm<1>(a, b, d, k);
}
extern "C" __global__ void __launch_bounds__(128) tma_cluster_gemm(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
                                                                   const __grid_constant__ TensorMap d, int k) {
  gemm<2>(a, b, d, k);
}
