// One warp computes D = A·B + C for one 16×8×16 tile; all matrices row-major, floats in global
// memory. The two kernels differ in the way D leaves the registers.

constexpr int kM = 16, kN = 8, kK = 16;

// Two floats as halves in one register: `low` in bits 0…15, `high` in bits 16…31.
__device__ unsigned pack_halves(float low, float high) {
  unsigned packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

// ldmatrix and stmatrix take 32-bit addresses of the shared window.
__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

struct FragmentA { unsigned r[4]; };  // 8 halves of A in each lane
struct FragmentB { unsigned r[2]; };  // 4 halves of B
struct FragmentC { float v[4]; };     // 4 floats of C or D

// Floats become halves, a register of two at a time; `tile` is row-major and packed.
__device__ void stage(unsigned* tile, const float* matrix, int halves, int lane) {
  for (int pair = lane; pair < halves / 2; pair += 32)
    tile[pair] = pack_halves(matrix[2 * pair], matrix[2 * pair + 1]);
}

// Each lane points at one row of one of the four 8×8 matrices of A: lanes 0…15 at the rows' left
// halves, lanes 16…31 at their right halves. Register i receives matrix i.
__device__ FragmentA load_a(const unsigned* tile, int lane) {
  const int row = lane % 16, col = lane / 16 * 8;
  const unsigned address = shared_address(tile) + (row * kK + col) * 2;
  FragmentA a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a.r[0]), "=r"(a.r[1]), "=r"(a.r[2]), "=r"(a.r[3])
               : "r"(address)
               : "memory");
  return a;
}

// The instruction wants two neighbours along K in one register, but rows of B run along N: `.trans`
// turns each 8×8 matrix on its way. Lanes 0…15 give the addresses, those of the others are unused.
__device__ FragmentB load_b(const unsigned* tile, int lane) {
  const int row = lane % 16;
  const unsigned address = shared_address(tile) + row * kN * 2;
  FragmentB b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b.r[0]), "=r"(b.r[1])
               : "r"(address)
               : "memory");
  return b;
}

// Where value v of a lane lies in C and D: a row of 8 columns belongs to four lanes.
__device__ int row_of(int lane, int v) { return lane / 4 + v / 2 * 8; }
__device__ int col_of(int lane, int v) { return lane % 4 * 2 + v % 2; }

__device__ FragmentC multiply_add(const FragmentA& a, const FragmentB& b, const FragmentC& c) {
  FragmentC d;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d.v[0]), "=f"(d.v[1]), "=f"(d.v[2]), "=f"(d.v[3])
      : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]), "f"(c.v[0]),
        "f"(c.v[1]), "f"(c.v[2]), "f"(c.v[3]));
  return d;
}

// From global memory to the fragment of the result; both kernels begin with it.
__device__ FragmentC compute_tile(const float* a, const float* b, const float* c, int lane) {
  __shared__ alignas(16) unsigned tile_a[kM * kK / 2];
  __shared__ alignas(16) unsigned tile_b[kK * kN / 2];
  stage(tile_a, a, kM * kK, lane);
  stage(tile_b, b, kK * kN, lane);
  __syncwarp();
  FragmentC accumulator;
  for (int v = 0; v < 4; ++v) accumulator.v[v] = c[row_of(lane, v) * kN + col_of(lane, v)];
  return multiply_add(load_a(tile_a, lane), load_b(tile_b, lane), accumulator);
}

// D in float, each value stored where the C layout says.
extern "C" __global__ void __launch_bounds__(32)
    mma_store_values(const float* a, const float* b, const float* c, float* d) {
  const int lane = threadIdx.x % 32;
  const FragmentC result = compute_tile(a, b, c, lane);
  for (int v = 0; v < 4; ++v) d[row_of(lane, v) * kN + col_of(lane, v)] = result.v[v];
}

#if __CUDA_ARCH__ >= 900
// D in half, through shared memory: stmatrix writes whole rows, which then leave 8 bytes a lane.
extern "C" __global__ void __launch_bounds__(32)
    mma_store_matrix(const float* a, const float* b, const float* c, uint2* d) {
  __shared__ alignas(16) unsigned tile_d[kM * kN / 2];
  const int lane = threadIdx.x % 32;
  const FragmentC result = compute_tile(a, b, c, lane);
  const unsigned upper = pack_halves(result.v[0], result.v[1]);  // rows 0…7
  const unsigned lower = pack_halves(result.v[2], result.v[3]);  // rows 8…15
  const int row = lane % 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};"
               :
               : "r"(shared_address(tile_d) + row * kN * 2), "r"(upper), "r"(lower)
               : "memory");
  __syncwarp();
  d[lane] = reinterpret_cast<const uint2*>(tile_d)[lane];
}
#endif
