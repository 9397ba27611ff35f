// One tile D = A * B, both out of shared memory: 64 rows, K of two swizzled rows of 128 bytes.
// The case that compiles this says the types: SHAPE is the instruction's, TAIL its scales and
// majors, Word and HOW what an accumulator is, kN the columns; f16 accumulators share words by two.
constexpr int kM = 64, kRowBytes = 128, kSteps = 2;
constexpr u32 kA = kM * kRowBytes, kB = kN * kRowBytes;

// The predicate says whether D is added to; without it D is only written, whatever it held.
WORD void multiply(Word (&d)[16], u64 a, u64 b, int adds) {
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %18, 0;\n"
               "wgmma.mma_async.sync.aligned." SHAPE " " SIXTEEN ", %16, %17, adds" TAIL "; }"
               : HELD(HOW, d) : "l"(a), "l"(b), "r"(adds));
}

extern "C" __global__ void __launch_bounds__(128)
wgmma_ss(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b, Word* out) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 a = shared_address(smem), b = a + kSteps * kA, bar = b + kSteps * kB;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kSteps * (kA + kB));
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
      load_box_2d(a + step * kA, map_a, step * kRowElements, 0, bar);
      load_box_2d(b + step * kB, map_b, step * kRowElements, 0, bar);
    }
  }
  __syncthreads();
  wait(bar, 0);

  Word d[16];
  fence_products();
#pragma unroll
  for (int step = 0; step < kSteps; ++step)
#pragma unroll
    for (int k = 0; k < kRowBytes; k += 32)  // an instruction takes 32 bytes of K, whatever the type
      multiply(d, descriptor_128(a + step * kA + k), descriptor_128(b + step * kB + k), step + k);
  commit_products();
  wait_products<0>();
  hold(d);

  constexpr int kPerWord = kN / 32;  // elements in a register
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int e = i * kPerWord;
    out[(product_row(e) * kN + product_column(e)) / kPerWord] = d[i];
  }
}
