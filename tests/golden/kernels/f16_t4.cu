// alpha*acc + beta*c on sm_75; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) f16, K-major, ld run-time; 8 elements an access
//   B (N,K) f16, MN-major, ld 4096; 8 elements an access
//   C (M,N) f16, row-major, ld run-time; 2 elements an access
//   D (M,N) f16, row-major, ld run-time; 2 elements an access
//   256 threads (worker 8 warps) compute a tile of (128,128,32): M, N, K of a stage
//   stages 2, slices of K 1
// SM75_16x8x8_F32F16F16F32_TN: atoms (4,2,1):(1,4,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,4,2),((2,2),(1,1))):((128,1,16,0),((64,8),(0,0)))
//   B (n + N*k)  ((4,8,4,2),(2,(1,1))):((32,1,0,8),(16,(0,0)))
//   D (m + M*n)  ((4,8,4,2),((2,2),(1,1))):((128,1,16,512),((64,8),(0,0)))
//   shared a from 0, 16384 bytes, aligned to 512, copies 2, main_loop
//   shared b from 16384, 16384 bytes, aligned to 1024, copies 2, main_loop
//   one copy of a as (m,k) -> element  Sw<2,3,3>o0o(128,(32,1)):(32,(1,4096))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o((64,2),32):((1,2048),64)
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     30  types
//     64  constants: the tile, the ways of A and B, the accumulators
//    111  what the kernel calls
//    145  the kernel
//    345  conversions, accesses to memory, instructions
//    406  where threads find A
//    449  where threads find B
//    492  how D leaves; the multiplication

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
constexpr int kTileM = 128;              // rows of D that a block computes
constexpr int kTileN = 128;              // columns of D that a block computes
constexpr int kTileK = 32;               // k of one stage
constexpr int kStages = 2;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kSmemABytes = 16384;       // all stages of A; those of B follow
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 2;              // instructions of a warp along M
constexpr int kRepeatN = 8;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one stage to the next
constexpr int kCopyElemsA = 8;           // elements of one global access
constexpr int kCopiesA = 2;              // accesses of a thread for one stage
constexpr int kStoreElemsA = 8;          // elements of one write into shared memory
constexpr int kReadsA = 1;               // matrix loads of a k-step
constexpr int kReadRegistersA = 4;       // registers that one of them fills
constexpr int kFragmentA = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 2;       // registers that one instruction takes
typedef unsigned RegisterA;
typedef Vector<ElemA, kCopyElemsA> VectorA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 8192;       // from one stage to the next
constexpr int kCopyElemsB = 8;           // elements of one global access
constexpr int kCopiesB = 2;              // accesses of a thread for one stage
constexpr int kStoreElemsB = 8;          // elements of one write into shared memory
constexpr int kReadsB = 2;               // matrix loads of a k-step
constexpr int kReadRegistersB = 4;       // registers that one of them fills
constexpr int kFragmentB = 16;           // elements of a thread in a k-step
constexpr int kAtomRegistersB = 1;       // registers that one instruction takes
typedef unsigned RegisterB;
typedef Vector<ElemB, kCopyElemsB> VectorB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 64;        // elements of D
constexpr int kAtomRegistersC = 4;       // registers of one instruction
constexpr int kAccumulatorRegisters = 64; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 2;             // elements of one store to D
constexpr int kInElems = 2;              // elements of one load from C
constexpr int kInFlight = 32;            // of its stores that ask together

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <int kElems, class Elem>
__device__ __forceinline__ void store_vector(unsigned char* target, const Elem* elems);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
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
__device__ __forceinline__ int out_m_base(int thread);
__device__ __forceinline__ int out_m(int value);
__device__ __forceinline__ int out_n_base(int thread);
__device__ __forceinline__ int out_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j);

// kernel/register_staged.cu: each block computes one tile of D from tiles of A and B in shared memory.
// Every thread copies its share of both tiles, and computes its own part of the tile of D. In time, from
// one barrier of the block to the next:
//   loads into registers    tile 1           tile 2           ...   asked for first, waited for last
//   multiplies              tile 0, stage 0  tile 1, stage 1  ...
//   stores into a stage     tile 1, stage 1  tile 2, stage 0  ...   nobody reads that stage now
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm75_f16_128x128x32_s2_e718e940(
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
  const int group = tile / (kRasterWidth * tiles_n);
  const int group_rows = min(kRasterWidth, tiles_m - group * kRasterWidth);
  const int in_group = tile % (kRasterWidth * tiles_n);
  const int tile_m = group * kRasterWidth + in_group % group_rows;
  const int tile_n = in_group / group_rows;
  // kernel/raster.cu (origin): where the tile begins.
  const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
  // copy/operand.cu (tile): where this thread reads A, and what is left from there to the edges.
  const int a_left = m - first_m - copy_a_mn_base(thread);
  const ElemA* a_source = a + matrix * batch_stride_a +
                          static_cast<long long>(first_m + copy_a_mn_base(thread)) * lda +
                          copy_a_k_base(thread);
  // copy/operand.cu (tile): where this thread reads B, and what is left from there to the edges.
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
  // copy/load.cu (tile): the next tile of A from global memory into registers; zeros past the edge.
  const auto load_a = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      const int valid = mn < a_left ? kCopyElemsA : 0;
      a_staged[i] = load_vector<VectorA>(a_source + (mn * lda + along_k), valid);
    }
    a_source += kTileK;
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
  // copy/load.cu (tile): the next tile of B from global memory into registers; zeros past the edge.
  const auto load_b = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      const int mn = copy_b_mn(i * kCopyElemsB), along_k = copy_b_k(i * kCopyElemsB);
      const int valid = kCopyElemsB;
      b_staged[i] = load_vector<VectorB>(b_source + (along_k * ldb + mn), valid);
    }
    b_source += kTileK * ldb;
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
  {
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

  // epilogue/direct.cu: every thread stores what becomes of the accumulators that it holds. What kInFlight stores take it asks for
  // together: C may lie where D does, so no compiler asks ahead of a store.
  const int out_row = first_m + out_m_base(thread), out_col = first_n + out_n_base(thread);
  ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
  // epilogue/c.cu (source by rows): where this thread's part of D starts in C, contiguous along N.
  const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_row) * ldc + out_col;
  #pragma unroll
  for (int first = 0; first < kAccumulators; first += kInFlight * kOutElems) {
    // epilogue/c.cu (read by rows): what the next vectors of D take from C, contiguous along N; beta = 0 never reads C.
    ElemC from_c[kInFlight][kOutElems];
    if (beta != 0) {
      #pragma unroll
      for (int turn = 0; turn < kInFlight; ++turn) {
        const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
        // epilogue/vector.cu (outside): what does not begin inside D is nobody's. Where N may cut a vector, how much of it lies inside is
        // said where it counts: a number for both would be kept for every column until the last row.
        if (out_row + row >= m) continue;
        #pragma unroll
        for (int begin = 0; begin < kOutElems; begin += kInElems) {
          const Vector<ElemC, kInElems> in =
              load_vector<Vector<ElemC, kInElems>>(c_thread + (row * ldc + col + begin), kInElems);
          #pragma unroll
          for (int e = 0; e < kInElems; ++e) from_c[turn][begin + e] = in.elem[e];
        }
      }
    }
    #pragma unroll
    for (int turn = 0; turn < kInFlight; ++turn) {
      const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
      // epilogue/vector.cu (outside): what does not begin inside D is nobody's. Where N may cut a vector, how much of it lies inside is
      // said where it counts: a number for both would be kept for every column until the last row.
      if (out_row + row >= m) continue;
      Vector<ElemD, kOutElems> result;
      #pragma unroll
      for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(acc.elem[out_acc(i + e)], alpha, beta, from_c[turn][e]);
      put_vector(d_thread + row * ldd + col, result, kOutElems);
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

// Stores the first `valid` elements.
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid) {
  if (valid >= kElems) {
    *reinterpret_cast<decltype(source.word)*>(target) = source.word;
  } else {
    #pragma unroll
    for (int e = 0; e < kElems; ++e)
      if (e < valid) target[e] = source.elem[e];
  }
}

// prelude/shared_address.cu: shared memory as instructions name it.
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of the values that a thread copies.
//   thread (4,64):(0,1)   value (8,2):(0,64)
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 4;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return (value / 8) * 64;
}
// copy_a_k: k of the values that a thread copies.
//   thread (4,64):(8,0)   value (8,2):(1,0)
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 4) * 8;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value % 8;
}
// store_a: where a thread puts what it copies into A's stage; bytes, Sw<2,4,3>, folded.
//   thread 256:16   value (8,2):(2,4096) ^ 16:0
__device__ __forceinline__ int store_a_base(int thread) {
  const int x = thread * 16;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int store_a(int base, int value) {
  return base + (value % 8) * 2 + (value / 8) * 4096;
}
// read_a: the row of A that a lane points at; bytes, Sw<2,4,3>, folded.
//   thread (16,2,4,2):(64,4096,1024,0)   value 4:0 ^ 4:16
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread % 16) * 64 + (thread / 16 % 2) * 4096 + (thread / 32 % 4) * 1024;
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
//   thread (8,4,4,2):(128,32,0,16)   value (2,4):(4096,1024) ^ 8:0
__device__ __forceinline__ int read_b_base(int thread) {
  const int x = (thread % 8) * 128 + (thread / 8 % 4) * 32 + (thread / 128) * 16;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int read_b(int base, int value) {
  return base + (value % 2) * 4096 + (value / 2) * 1024;
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
//   (2,8,4):(1,8,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 8) * 8 + (value / 16) * 2;
}
// out_m: row of D in the tile, in store order.
//   thread (4,8,4,2):(0,1,16,0)   value (16,2,2):(0,8,64)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread / 4 % 8 + (thread / 32 % 4) * 16;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 16 % 2) * 8 + (value / 32) * 64;
}
// out_n: column of D in the tile, in store order.
//   thread (4,32,2):(2,0,8)   value (2,8,4):(1,16,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread % 4) * 2 + (thread / 128) * 8;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 2 + (value / 2 % 8) * 16;
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
