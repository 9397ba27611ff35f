// Loops by which `jute tune --chip` finds what an SM does in a clock. Each block notes the clocks
// that it took; sums are stored where they are what no run makes them, so that none is left out.
typedef unsigned long long u64;
typedef long long i64;

constexpr unsigned kNever = 0x7fb5d329;

struct Clocks {
  u64 begun;
  __device__ void begin() {
    __syncthreads();
    begun = clock64();
  }
  __device__ void end(u64* clocks) {
    __syncthreads();
    if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begun;
  }
};

// Each block reads `chunks` of 16 bytes, `stride` behind those of the block before, past the L1
// cache, four at a time for a thread; chunks are a multiple of four times the threads.
extern "C" __global__ void read_chunks(const uint4* source, i64 chunks, i64 stride, int rounds,
                                       u64* clocks, unsigned* sink) {
  const uint4* mine = source + blockIdx.x * stride;
  uint4 sum = {0, 0, 0, 0};
  Clocks time;
  time.begin();
  for (int round = 0; round < rounds; ++round)
    for (i64 i = threadIdx.x; i < chunks; i += 4 * blockDim.x) {
      uint4 part[4];
      #pragma unroll
      for (int j = 0; j < 4; ++j)
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(part[j].x), "=r"(part[j].y), "=r"(part[j].z), "=r"(part[j].w)
                     : "l"(mine + i + j * blockDim.x));
      #pragma unroll
      for (int j = 0; j < 4; ++j) {
        sum.x ^= part[j].x;
        sum.y ^= part[j].y;
        sum.z ^= part[j].z;
        sum.w ^= part[j].w;
      }
    }
  time.end(clocks);
  const unsigned all = sum.x ^ sum.y ^ sum.z ^ sum.w;
  if (all == kNever) *sink = all;
}

// Each thread reads 16 bytes of shared memory eight times a round, warps whole lines. Assemblers take
// what is not volatile out of the loop.
extern "C" __global__ void read_shared(int rounds, u64* clocks, unsigned* sink) {
  __shared__ uint4 tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = {0, 0, 0, 0};
  const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
  unsigned sum = 0;
  Clocks time;
  time.begin();
  for (int round = 0; round < rounds; ++round)
    #pragma unroll
    for (int j = 0; j < 8; ++j) {
      uint4 part;
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(part.x), "=r"(part.y), "=r"(part.z), "=r"(part.w)
                   : "r"(base + 16 * ((threadIdx.x + 128 * j) & 1023)));
      sum ^= part.x ^ part.y ^ part.z ^ part.w;
    }
  time.end(clocks);
  if (sum == kNever) *sink = sum;
}

// Eight chains of one instruction a thread, 32 times each in a round: the loop itself takes a hundredth.
template <class T, class Step>
__device__ __forceinline__ void chains(int rounds, u64* clocks, unsigned* sink, Step step) {
  T x[8];
  for (int i = 0; i < 8; ++i) x[i] = (T)(threadIdx.x * 8 + i);
  Clocks time;
  time.begin();
  for (int round = 0; round < rounds; ++round)
    #pragma unroll
    for (int j = 0; j < 32; ++j)
      #pragma unroll
      for (int i = 0; i < 8; ++i) step(x[i]);
  time.end(clocks);
  T sum = 0;
  for (int i = 0; i < 8; ++i) sum += x[i];
  if (sum == (T)kNever) *sink = 1;
}
extern "C" __global__ void chains_singles(int rounds, u64* clocks, unsigned* sink) {
  chains<float>(rounds, clocks, sink, [](float& x) {
    asm volatile("fma.rn.f32 %0, %0, 0f3F7FFFFF, 0f3F000000;" : "+f"(x));
  });
}
extern "C" __global__ void chains_doubles(int rounds, u64* clocks, unsigned* sink) {
  chains<double>(rounds, clocks, sink, [](double& x) {
    asm volatile("fma.rn.f64 %0, %0, 0d3FEFFFFFFFFFFFFF, 0d3FE0000000000000;" : "+d"(x));
  });
}
extern "C" __global__ void chains_integers(int rounds, u64* clocks, unsigned* sink) {
  chains<unsigned>(rounds, clocks, sink,
                   [](unsigned& x) { asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(x)); });
}
extern "C" __global__ void chains_powers(int rounds, u64* clocks, unsigned* sink) {
  chains<float>(rounds, clocks, sink,
                [](float& x) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); });
}

// Blocks that take so many clocks once their threads have met.
extern "C" __global__ void wait_clocks(i64 clocks) {
  __syncthreads();
  const i64 begun = clock64();
  while (clock64() - begun < clocks) {
  }
}
