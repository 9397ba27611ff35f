// alpha*acc + beta*c on sm_75; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) f16, K-major, ld run-time; 8 elements an access
//   B (N,K) f16, MN-major, ld 4096; 8 elements an access
//   C (M,N) f16, row-major, ld run-time; 8 elements an access
//   D (M,N) f16, row-major, ld run-time; 8 elements an access
//   256 threads (worker 8 warps) compute a tile of (64,128,32): M, N, K of a stage
//   stages 2, slices of K 1
// SM75_16x8x8_F32F16F16F32_TN: atoms (2,4,1):(1,2,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,2,4),((2,2),(1,1))):((64,1,16,0),((32,8),(0,0)))
//   B (n + N*k)  ((4,8,2,4),(2,(1,1))):((64,1,0,8),(32,(0,0)))
//   D (m + M*n)  ((4,8,2,4),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))
//   shared a from 0, 8192 bytes, aligned to 512, copies 2, main_loop
//   shared b from 8192, 16384 bytes, aligned to 1024, copies 2, main_loop
//   shared rows from 0, 34784 bytes, aligned to 16, copies 1, epilogue
//   one copy of a as (m,k) -> element  Sw<2,3,3>o0o(64,(32,1)):(32,(1,2048))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o((64,2),32):((1,2048),64)
//   D on its way, as accumulators  (64,128):(136,1)
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     32  types
//     66  constants: the tile, the ways of A and B, the accumulators
//    119  what the kernel calls
//    161  the kernel
//    381  conversions, accesses to memory, instructions
//    453  where threads find A
//    496  where threads find B
//    539  how D leaves; the multiplication

// convert/f16.cu: rounds to nearest even, overflows to infinity.
struct f16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef f16 ElemA;
typedef f16 ElemB;
typedef f16 ElemC;
typedef f16 ElemD;
typedef f32 Accum;
typedef float Compute;

// prelude/vector_access.cu: memory accesses of 1 to 16 bytes that hold several elements.
template <int kBytes> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

template <class Elem, int kElems>
union Vector {
  typename Word<sizeof(Elem) * kElems>::type word;
  Elem elem[kElems];
  unsigned part[(sizeof(Elem) * kElems + 3) / 4];
  static constexpr int kCount = kElems;
};

// prelude/fragment.cu: registers of a thread as elements, and as instructions take them.
template <class Elem, int kElems, class Register>
union Fragment {
  Elem elem[kElems];
  Register reg[kElems * sizeof(Elem) / sizeof(Register)];
};

// The block: its tile of D, its stages, its k-steps.
constexpr int kThreads = 256;            // threads of a block
constexpr int kBlocksPerSm = 1;          // blocks that an SM's registers are shared by
constexpr int kTileM = 64;               // rows of D that a block computes
constexpr int kTileN = 128;              // columns of D that a block computes
constexpr int kTileK = 32;               // k of one stage
constexpr int kStages = 2;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterGroup = 8;          // tiles along M that run together
constexpr int kSmemABytes = 8192;        // all stages of A; those of B follow
constexpr bool kWholeTilesK = true;      // no k-tile reaches past K
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 2;              // instructions of a warp along M
constexpr int kRepeatN = 4;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 4096;       // from one stage to the next
constexpr int kCopyElemsA = 8;           // elements of one global access
constexpr int kCopiesA = 1;              // accesses of a thread for one stage
constexpr int kStoreElemsA = 8;          // elements of one write into shared memory
constexpr int kReadsA = 1;               // matrix loads of a k-step
constexpr int kReadRegistersA = 4;       // registers that one of them fills
constexpr int kFragmentA = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 2;       // registers that one instruction takes
constexpr bool kWholeTilesM = false;     // no tile reaches past M
typedef unsigned RegisterA;
typedef Vector<ElemA, kCopyElemsA> VectorA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 8192;       // from one stage to the next
constexpr int kCopyElemsB = 8;           // elements of one global access
constexpr int kCopiesB = 2;              // accesses of a thread for one stage
constexpr int kStoreElemsB = 8;          // elements of one write into shared memory
constexpr int kReadsB = 1;               // matrix loads of a k-step
constexpr int kReadRegistersB = 4;       // registers that one of them fills
constexpr int kFragmentB = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersB = 1;       // registers that one instruction takes
constexpr bool kWholeTilesN = true;      // no tile reaches past N
typedef unsigned RegisterB;
typedef Vector<ElemB, kCopyElemsB> VectorB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 32;        // elements of D
constexpr int kAtomRegistersC = 4;       // registers of one instruction
constexpr int kAccumulatorRegisters = 32; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 8;             // elements of one store to D
constexpr int kInElems = 8;              // elements of one load from C
constexpr int kInFlight = 2;             // of its stores that ask together
constexpr int kRowElems = 32;            // elements of D that a thread stores
constexpr int kStageElems = 2;           // accumulators of one write into the staging buffer
constexpr int kStageReadElems = 4;       // accumulators of one read from it

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <int kElems, class Elem>
__device__ __forceinline__ void store_vector(unsigned char* target, const Elem* elems);
template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
__device__ __forceinline__ void stage_put(unsigned target, unsigned short word);
__device__ __forceinline__ void stage_put(unsigned target, unsigned word);
__device__ __forceinline__ void stage_put(unsigned target, uint2 word);
__device__ __forceinline__ void stage_put(unsigned target, uint4 word);
__device__ __forceinline__ int copy_a_mn_base(int thread);
__device__ __forceinline__ int copy_a_mn(int value);
__device__ __forceinline__ int copy_a_k_base(int thread);
__device__ __forceinline__ int copy_a_k(int value);
__device__ __forceinline__ int store_a_base(int thread);
__device__ __forceinline__ int store_a(int base, int value);
__device__ __forceinline__ int read_a_base(int thread);
__device__ __forceinline__ int read_a(int base, int value);
__device__ __forceinline__ void ldmatrix_a(unsigned* reg, unsigned row);
__device__ __forceinline__ int copy_b_mn_base(int thread);
__device__ __forceinline__ int copy_b_mn(int value);
__device__ __forceinline__ int copy_b_k_base(int thread);
__device__ __forceinline__ int copy_b_k(int value);
__device__ __forceinline__ int store_b_base(int thread);
__device__ __forceinline__ int store_b(int base, int value);
__device__ __forceinline__ int read_b_base(int thread);
__device__ __forceinline__ int read_b(int base, int value);
__device__ __forceinline__ void ldmatrix_b(unsigned* reg, unsigned row);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ int row_write_base(int thread);
__device__ __forceinline__ int row_write(int base, int value);
__device__ __forceinline__ int row_read_base(int thread);
__device__ __forceinline__ int row_read(int base, int value);
__device__ __forceinline__ int row_m_base(int thread);
__device__ __forceinline__ int row_m(int value);
__device__ __forceinline__ int row_n_base(int thread);
__device__ __forceinline__ int row_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j);

// kernel/register_staged.cu: each block computes one tile of D from tiles of A and B in shared memory.
// Every thread copies its share of both tiles, and computes its own part of the tile of D. In time, from
// one barrier of the block to the next:
//   loads into registers    tile 1           tile 2           ...   asked for first, waited for last
//   multiplies              tile 0, stage 0  tile 1, stage 1  ...
//   stores into a stage     tile 1, stage 1  tile 2, stage 0  ...   nobody reads that stage now
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm75_f16_64x128x32_s2_bfb01f6c(
    const ElemA* __restrict__ a,
    const ElemB* __restrict__ b,
    const ElemC* c,
    ElemD* d,
    int m,
    long long lda,
    long long ldc,
    long long ldd,
    long long batch_stride_a,
    long long batch_stride_b,
    long long batch_stride_c,
    long long batch_stride_d,
    float alpha,
    float beta
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x;
  constexpr int n = 4096;
  constexpr int k = 4096;
  constexpr long long ldb = 4096;
  // kernel/raster.cu: the tiles of a matrix, and which of them this block has.
  const int tiles_m = (m + kTileM - 1) / kTileM;
  const int tiles_n = (n + kTileN - 1) / kTileN;
  const int matrix = static_cast<int>(blockIdx.x) / (tiles_m * tiles_n);
  const int tile = static_cast<int>(blockIdx.x) % (tiles_m * tiles_n);
  // kernel/raster.cu (tile): blocks that run together cover a compact group of tiles, so that they share
  // rows of A and columns of B in the L2 cache.
  const int group = tile / (kRasterGroup * tiles_n);
  const int group_rows = min(kRasterGroup, tiles_m - group * kRasterGroup);
  const int in_group = tile % (kRasterGroup * tiles_n);
  const int tile_m = group * kRasterGroup + in_group % group_rows;
  const int tile_n = in_group / group_rows;
  // kernel/raster.cu (origin): where the tile begins.
  const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
  // copy/operand.cu (k_major): where this thread reads A, contiguous along K, and what is left from there to the edges.
  int a_k_left = k - copy_a_k_base(thread);
  const int a_left = m - first_m - copy_a_mn_base(thread);
  const ElemA* a_source = a + matrix * batch_stride_a +
                          static_cast<long long>(first_m + copy_a_mn_base(thread)) * lda +
                          copy_a_k_base(thread);
  // copy/operand.cu (mn_major): where this thread reads B, contiguous along N, and what is left from there to the edges.
  int b_k_left = k - copy_b_k_base(thread);
  const int b_left = n - first_n - copy_b_mn_base(thread);
  const ElemB* b_source = b + matrix * batch_stride_b +
                          static_cast<long long>(copy_b_k_base(thread)) * ldb +
                          first_n + copy_b_mn_base(thread);
  // mainloop/k_tiles.cu: how many k-tiles there are, and where this thread finds its fragments in stage 0.
  unsigned char *const smem_a = smem, *const smem_b = smem + kSmemABytes;
  const int k_tiles = (k + kTileK - 1) / kTileK;
  const int a_read = read_a_base(thread), b_read = read_b_base(thread);
  // mainloop/k_tiles.cu (addresses): stage 0 of A and of B, as copies and matrix loads name them.
  const unsigned shared_a = shared_address(smem_a), shared_b = shared_address(smem_b);
  // copy/staged.cu: the tile of A that is on its way through registers.
  VectorA a_staged[kCopiesA];
  const int a_store = store_a_base(thread);
  // copy/load.cu (k_major): the next tile of A from global memory into registers; zeros past the edge.
  const auto load_a = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      const int in_row = kWholeTilesK ? kCopyElemsA : a_k_left - along_k;
      const int valid = kWholeTilesM || mn < a_left ? in_row : 0;
      a_staged[i] = load_vector<VectorA>(a_source + (mn * lda + along_k), valid);
    }
    a_source += kTileK;
    a_k_left -= kTileK;
  };
  // copy/staged.cu (put): the staged tile of A from registers into a stage of shared memory.
  const auto put_a = [&](int stage) {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      #pragma unroll
      for (int e = 0; e < kCopyElemsA; e += kStoreElemsA)
        store_vector<kStoreElemsA>(
            smem_a + stage * kStageBytesA + store_a(a_store, i * kCopyElemsA + e), a_staged[i].elem + e);
    }
  };
  // copy/staged.cu: the tile of B that is on its way through registers.
  VectorB b_staged[kCopiesB];
  const int b_store = store_b_base(thread);
  // copy/load.cu (mn_major): the next tile of B from global memory into registers; zeros past the edge.
  const auto load_b = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      const int mn = copy_b_mn(i * kCopyElemsB), along_k = copy_b_k(i * kCopyElemsB);
      const int in_row = kWholeTilesN ? kCopyElemsB : b_left - mn;
      const int valid = kWholeTilesK || along_k < b_k_left ? in_row : 0;
      b_staged[i] = load_vector<VectorB>(b_source + (along_k * ldb + mn), valid);
    }
    b_source += kTileK * ldb;
    b_k_left -= kTileK;
  };
  // copy/staged.cu (put): the staged tile of B from registers into a stage of shared memory.
  const auto put_b = [&](int stage) {
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      #pragma unroll
      for (int e = 0; e < kCopyElemsB; e += kStoreElemsB)
        store_vector<kStoreElemsB>(
            smem_b + stage * kStageBytesB + store_b(b_store, i * kCopyElemsB + e), b_staged[i].elem + e);
    }
  };
  // fragment/ldmatrix.cu (read): the matrix loads `first` up to `end` of a k-step's fragments of A; each lane points
  // at one row of 16 bytes.
  const auto feed_a = [&](FragmentA& fragment, int stage, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i)
      ldmatrix_a(fragment.reg + kReadRegistersA * i,
                 read_a(shared_a + stage * kStageBytesA + a_read, k_step * kReadsA + i));
  };
  // fragment/ldmatrix.cu (read): the matrix loads `first` up to `end` of a k-step's fragments of B; each lane points
  // at one row of 16 bytes.
  const auto feed_b = [&](FragmentB& fragment, int stage, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i)
      ldmatrix_b(fragment.reg + kReadRegistersB * i,
                 read_b(shared_b + stage * kStageBytesB + b_read, k_step * kReadsB + i));
  };

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
  // mma/multiply.cu (stage): every k-step of a stage: fragments are read, then multiplied.
  const auto multiply = [&](int stage) {
    #pragma unroll
    for (int k_step = 0; k_step < kKSteps; ++k_step) {
      FragmentA a_frag;
      FragmentB b_frag;
      feed_a(a_frag, stage, k_step, 0, kReadsA);
      feed_b(b_frag, stage, k_step, 0, kReadsB);
      #pragma unroll
      for (int j = 0; j < kRepeatN; ++j) multiply_row(acc, a_frag, b_frag, j);
    }
  };

  int stage = 0;
  if (k_tiles > 0) {
    load_a();
    load_b();
    put_a(stage);
    put_b(stage);
  }
  __syncthreads();
  #pragma unroll 1
  for (int k_tile = 1; k_tile <= k_tiles; ++k_tile) {
    const int read_stage = stage;
    if (k_tile < k_tiles) {
      load_a();
      load_b();
    }
    multiply(read_stage);
    if (k_tile < k_tiles) {
      stage = stage + 1 == kStages ? 0 : stage + 1;
      put_a(stage);
      put_b(stage);
    }
    __syncthreads();
  }

  // epilogue/staged_rows.cu: accumulators pass through shared memory, where the stages were, so that
  // the block reads C and writes D in whole rows.
  const unsigned stage_write = shared_address(smem) + row_write_base(thread);
  #pragma unroll
  for (int i = 0; i < kAccumulators; i += kStageElems) {
    Vector<Accum, kStageElems> part;
    #pragma unroll
    for (int e = 0; e < kStageElems; ++e) part.elem[e] = acc.elem[out_acc(i + e)];
    stage_put(row_write(stage_write, i), part.word);
  }
  __syncthreads();
  const int stage_read = row_read_base(thread);
  const int out_row = first_m + row_m_base(thread), out_col = first_n + row_n_base(thread);
  ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
  // epilogue/c.cu (source by rows): where this thread's part of D starts in C, contiguous along N.
  const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_row) * ldc + out_col;
  // kInFlight vectors at a time, which hide each other's latency.
  #pragma unroll 1
  for (int first = 0; first < kRowElems; first += kInFlight * kOutElems) {
    // epilogue/c.cu (staged): what the next vectors of D take from C; zeros past the edge; beta = 0 never reads C.
    ElemC from_c[kInFlight][kOutElems];
    if (beta != 0) {
      #pragma unroll
      for (int turn = 0; turn < kInFlight; ++turn) {
        const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
        // epilogue/vector.cu (whole): whether a vector lies inside D.
        const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);
        #pragma unroll
        for (int e = 0; e < kOutElems; e += kInElems) {
          Vector<ElemC, kInElems> in = {};
          if (whole) in.word = *reinterpret_cast<const decltype(in.word)*>(c_thread + (row * ldc + col + e));
          #pragma unroll
          for (int one = 0; one < kInElems; ++one) from_c[turn][e + one] = in.elem[one];
        }
      }
    }
    #pragma unroll
    for (int turn = 0; turn < kInFlight; ++turn) {
      const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
      // epilogue/vector.cu (whole): whether a vector lies inside D.
      const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);
      Accum sum[kOutElems];
      #pragma unroll
      for (int e = 0; e < kOutElems; e += kStageReadElems)
        read_vector<kStageReadElems>(sum + e, smem + row_read(stage_read, i + e));
      Vector<ElemD, kOutElems> result;
      #pragma unroll
      for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(sum[e], alpha, beta, from_c[turn][e]);
      if (whole) *reinterpret_cast<decltype(result.word)*>(d_thread + row * ldd + col) = result.word;
    }
  }
}

// ---- How it is done ----
// convert/f16.cu: rounds to nearest even, overflows to infinity.
__device__ __forceinline__ float to_compute(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}
__device__ __forceinline__ void from_compute(float x, f16* out) {
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}
// convert/f32.cu
__device__ __forceinline__ float to_compute(f32 x) { return x; }
__device__ __forceinline__ void from_compute(float x, f32* out) { *out = x; }

// prelude/vector_access.cu: memory accesses of 1 to 16 bytes that hold several elements.
// The first `valid` elements at `source`, zeros behind them. Compilers take words apart where they are loaded, and wait for
// each, if parts of them are named on another way: so those are shifted into words.
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid) {
  Vec result;
  result.word = decltype(result.word){};
  if (valid >= Vec::kCount) {
    result.word = *reinterpret_cast<const decltype(result.word)*>(source);
  } else if (valid > 0) {
    #pragma unroll
    for (int e = 0; e < Vec::kCount; ++e) {
      if (e >= valid) continue;
      typedef typename Word<sizeof(Elem)>::type Bits;
      if constexpr (sizeof(Elem) >= 4) result.elem[e] = source[e];
      else result.part[e * sizeof(Elem) / 4] |= static_cast<unsigned>(reinterpret_cast<const Bits*>(source)[e]) << e * sizeof(Elem) % 4 * 8;
    }
  }
  return result;
}

// prelude/vector_access.cu (elements): between registers, shared memory and D.
template <int kElems, class Elem>
__device__ __forceinline__ void store_vector(unsigned char* target, const Elem* elems) {
  Vector<Elem, kElems> packed;
  #pragma unroll
  for (int e = 0; e < kElems; ++e) packed.elem[e] = elems[e];
  *reinterpret_cast<decltype(packed.word)*>(target) = packed.word;
}

template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source) {
  Vector<Elem, kElems> packed;
  packed.word = *reinterpret_cast<const decltype(packed.word)*>(source);
  #pragma unroll
  for (int e = 0; e < kElems; ++e) elems[e] = packed.elem[e];
}

// prelude/shared_address.cu: shared memory as instructions name it.
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// prelude/staging.cu: words of the staging buffer. As instructions of their own they cost the
// compiler a fraction of what it spends on as many accesses through pointers.
__device__ __forceinline__ void stage_put(unsigned target, unsigned short word) {
  asm volatile("st.shared.b16 [%0], %1;" ::"r"(target), "h"(word) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, unsigned word) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(target), "r"(word) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, uint2 word) {
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(target), "r"(word.x), "r"(word.y) : "memory");
}
__device__ __forceinline__ void stage_put(unsigned target, uint4 word) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(target), "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w) : "memory");
}

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of the values that a thread copies.
//   thread (4,64):(0,1)   value 8:0
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 4;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return 0;
}
// copy_a_k: k of the values that a thread copies.
//   thread (4,64):(8,0)   value 8:1
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 4) * 8;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value;
}
// store_a: where a thread puts what it copies into A's stage; bytes, Sw<2,4,3>, folded.
//   thread 256:16   value 8:2 ^ 8:0
__device__ __forceinline__ int store_a_base(int thread) {
  const int x = thread * 16;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int store_a(int base, int value) {
  return base + value * 2;
}
// read_a: the row of A that a lane points at; bytes, Sw<2,4,3>, folded.
//   thread (16,2,2,4):(64,2048,1024,0)   value 4:0 ^ 4:16
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread % 16) * 64 + (thread / 16 % 2) * 2048 + (thread / 32 % 2) * 1024;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int read_a(int base, int value) {
  return (base ^ (value * 16));
}
// fragment/ldmatrix.cu: SM75_U32x4_LDSM_N; 4 registers of a fragment of A, `row` is the lane's own.
__device__ __forceinline__ void ldmatrix_a(unsigned* reg, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(reg[0]), "=r"(reg[1]), "=r"(reg[2]), "=r"(reg[3])
      : "r"(row)
      : "memory");
}

// ---- B: likewise ----
// copy_b_mn: n of the values that a thread copies.
//   thread (16,16):(8,0)   value (8,2):(1,0)
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return (thread % 16) * 8;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return value % 8;
}
// copy_b_k: k of the values that a thread copies.
//   thread (16,16):(0,1)   value (8,2):(0,16)
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return thread / 16;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return (value / 8) * 16;
}
// store_b: where a thread puts what it copies into B's stage; bytes, Sw<3,4,3>, folded.
//   thread (8,2,16):(16,4096,128)   value (8,2):(2,2048) ^ 16:0
__device__ __forceinline__ int store_b_base(int thread) {
  const int x = (thread % 8) * 16 + (thread / 8 % 2) * 4096 + (thread / 16) * 128;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int store_b(int base, int value) {
  return base + (value % 8) * 2 + (value / 8) * 2048;
}
// read_b: the row of B that a lane points at; bytes, Sw<3,4,3>, folded.
//   thread (8,2,2,2,4):(128,64,4096,0,16)   value 4:1024 ^ 4:0
__device__ __forceinline__ int read_b_base(int thread) {
  const int x = (thread % 8) * 128 + (thread / 8 % 2) * 64 + (thread / 16 % 2) * 4096 + (thread / 64) * 16;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int read_b(int base, int value) {
  return base + value * 1024;
}
// fragment/ldmatrix.cu: SM75_U16x8_LDSM_T; 4 registers of a fragment of B, `row` is the lane's own.
__device__ __forceinline__ void ldmatrix_b(unsigned* reg, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(reg[0]), "=r"(reg[1]), "=r"(reg[2]), "=r"(reg[3])
      : "r"(row)
      : "memory");
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (2,4,4):(1,8,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 4) * 8 + (value / 8) * 2;
}
// row_write: where a thread puts its accumulators, in store order; bytes.
//   thread (4,8,2,4):(8,544,8704,32)   value (2,4,2,2):(4,128,4352,17408)
__device__ __forceinline__ int row_write_base(int thread) {
  return (thread % 4) * 8 + (thread / 4 % 8) * 544 + (thread / 32 % 2) * 8704 + (thread / 64) * 32;
}
__device__ __forceinline__ int row_write(int base, int value) {
  return base + (value % 2) * 4 + (value / 2 % 4) * 128 + (value / 8 % 2) * 4352 + (value / 16) * 17408;
}
// row_read: where a thread finds its part of D's rows; bytes.
//   thread (16,16):(32,544)   value (8,4):(4,8704)
__device__ __forceinline__ int row_read_base(int thread) {
  return (thread % 16) * 32 + (thread / 16) * 544;
}
__device__ __forceinline__ int row_read(int base, int value) {
  return base + (value % 8) * 4 + (value / 8) * 8704;
}
// row_m: row of D in the tile, as a thread stores it.
//   thread (16,16):(0,1)   value (8,4):(0,16)
__device__ __forceinline__ int row_m_base(int thread) {
  return thread / 16;
}
__device__ __forceinline__ int row_m(int value) {
  return (value / 8) * 16;
}
// row_n: column of D in the tile, as a thread stores it.
//   thread (16,16):(8,0)   value (8,4):(1,0)
__device__ __forceinline__ int row_n_base(int thread) {
  return (thread % 16) * 8;
}
__device__ __forceinline__ int row_n(int value) {
  return value % 8;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/mma_sync.cu: SM75_16x8x8_F32F16F16F32_TN; c += a * b for the tile of one warp.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
// mma/multiply.cu (row): the products with column j; along M back and forth, so that one operand stays put.
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int turn = 0; turn < kRepeatM; ++turn) {
    const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
    mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * i, b.reg + kAtomRegistersB * j);
  }
}
