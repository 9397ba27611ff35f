// One tile D = A * B with A in registers: thread q of a group of four holds bytes 4q and 16 + 4q of
// the 32 that an instruction takes of a row, of two rows. All K is loaded before the first product,
// because registers of A may not change while a product is on its way.
constexpr int kM = 64, kRowBytes = 128, kSteps = 2, kProducts = kSteps * 4;
constexpr u32 kB = kN * kRowBytes;

WORD void multiply(Word (&d)[16], const u32 (&a)[4], u64 b, int adds) {
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %21, 0;\n"
               "wgmma.mma_async.sync.aligned." SHAPE " " SIXTEEN ", {%16, %17, %18, %19}, %20, adds" TAIL "; }"
               : HELD(HOW, d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds));
}

extern "C" __global__ void __launch_bounds__(128)
wgmma_rs(const u32* in, const __grid_constant__ TensorMap map_b, Word* out) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 b = shared_address(smem), bar = b + kSteps * kB;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kSteps * kB);
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step)
      load_box_2d(b + step * kB, map_b, step * kRowElements, 0, bar);
  }
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, quarter = threadIdx.x % 4;
  u32 a[kProducts][4];
#pragma unroll
  for (int p = 0; p < kProducts; ++p)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      a[p][i] = in[(row + i % 2 * 8) * (kSteps * kRowBytes / 4) + p * 8 + i / 2 * 4 + quarter];
  __syncthreads();
  wait(bar, 0);

  Word d[16];
  fence_products();  // what follows reads registers that threads wrote: A
#pragma unroll
  for (int p = 0; p < kProducts; ++p)
    multiply(d, a[p], descriptor_128(b + p / 4 * kB + p % 4 * 32), p);
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
