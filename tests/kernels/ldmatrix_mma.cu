// A GEMM as sm_80 does it: cp.async brings stages, ldmatrix hands fragments to lanes, mma.sync
// multiplies. Four warps share a tile of 64 x 32: each has 16 rows. A has K along rows; B has N
// along rows, so that its fragments are loaded transposed. Rows of a stage are 64 bytes; their 16-byte
// pieces are XORed with bits of the row, against bank conflicts.
constexpr int kStages = 3, kRowBytes = 64;
constexpr u32 kA = 64 * kRowBytes, kB = 32 * kRowBytes, kStage = kA + kB;

WORD u32 place(u32 row, u32 piece) { return row * kRowBytes + (piece ^ row / 2 % 4) * 16; }
WORD void load_matrices(u32 (&m)[4], u32 row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(row) : "memory");
}
WORD void load_matrices_turned(u32 (&m)[4], u32 row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(row) : "memory");
}
WORD void multiply(float* d, const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(128) ldmatrix_mma(const u16* a, const u16* b, float* out, int steps) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 ring = shared_address(smem), thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int k = steps * 32;
  const auto load = [&](int step) {  // 32 of K: 64 rows of A, 32 rows of B of 32 columns each
    if (step < steps) {
      const u32 stage = ring + step % kStages * kStage;
#pragma unroll 1
      for (u32 i = thread; i < 256; i += 128)
        copy_16(stage + place(i / 4, i % 4), a + i / 4 * k + step * 32 + i % 4 * 8);
      copy_16(stage + kA + place(thread / 4, thread % 4), b + (step * 32 + thread / 4) * 32 + thread % 4 * 8);
    }
    commit_copies();
  };
  load(0);
  load(1);
  float d[16] = {};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    wait_copies<1>();
    __syncthreads();  // the stage has landed for all, and all are done with the one before
    load(step + 2);
    const u32 stage = ring + step % kStages * kStage;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {  // 16 of K
      u32 fa[4];
      load_matrices(fa, stage + place(warp * 16 + lane % 16, half * 2 + lane / 16));
#pragma unroll
      for (u32 pair = 0; pair < 2; ++pair) {  // 16 columns
        u32 fb[4];
        load_matrices_turned(fb, stage + kA + place(half * 16 + lane % 16, pair * 2 + lane / 16));
        multiply(d + pair * 8, fa, fb[0], fb[1]);
        multiply(d + pair * 8 + 4, fa, fb[2], fb[3]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) out[product_row(i) * 32 + product_column(i)] = d[i];
}
