// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) f32, K-major, ld run-time; 4 elements an access
//   B (N,K) f32, MN-major, ld 4096; 4 elements an access
//   C (M,N) f32, row-major, ld run-time; 4 elements an access
//   D (M,N) f32, row-major, ld run-time; 4 elements an access
//   256 threads (worker 8 warps) compute a tile of (128,128,8): M, N, K of a stage
//   stages 2, slices of K 1
// UniversalFMA<float>: atoms ((2,2,4),(8,2),1):((1,16,32),(2,128),0), permutation ((16,4,2):(4,1,64),(16,4,2):(4,1,64),_); (thread,value) of the TiledMma's
//   tile:
//   A (m + M*k)  ((2,8,8,2),(1,((4,2),1))):((4,0,8,0),(0,((1,64),0)))
//   B (n + N*k)  ((2,8,8,2),(1,((4,2),1))):((0,4,0,32),(0,((1,64),0)))
//   D (m + M*n)  ((2,8,8,2),(1,((4,2),(4,2)))):((4,512,8,4096),(0,((1,64),(128,8192))))
//   shared a from 0, 8448 bytes, aligned to 16, copies 2, main_loop
//   shared b from 8448, 8192 bytes, aligned to 16, copies 2, main_loop
//   one copy of a as (m,k) -> element  (128,8):(1,132)
//   one copy of b as (n,k) -> element  (128,8):(1,128)
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     31  types
//     63  constants: the tile, the ways of A and B, the accumulators
//    110  what the kernel calls
//    143  the kernel
//    341  conversions, accesses to memory, instructions
//    396  where threads find A
//    430  where threads find B
//    464  how D leaves; the multiplication

// convert/f32.cu
typedef float f32;
typedef f32 ElemA;
typedef f32 ElemB;
typedef f32 ElemC;
typedef f32 ElemD;
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
constexpr int kBlocksPerSm = 2;          // blocks that an SM's registers are shared by
constexpr int kTileM = 128;              // rows of D that a block computes
constexpr int kTileN = 128;              // columns of D that a block computes
constexpr int kTileK = 8;                // k of one stage
constexpr int kStages = 2;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kSmemABytes = 8448;        // all stages of A; those of B follow
constexpr int kKSteps = 8;               // instructions along K in a stage
constexpr int kRepeatM = 8;              // instructions of a warp along M
constexpr int kRepeatN = 8;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 4224;       // from one stage to the next
constexpr int kCopyElemsA = 4;           // elements of one global access
constexpr int kCopiesA = 1;              // accesses of a thread for one stage
constexpr int kStoreElemsA = 1;          // elements of one write into shared memory
constexpr int kReadsA = 2;               // reads of a k-step
constexpr int kReadElemsA = 4;           // elements of one of them
constexpr int kFragmentA = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 1;       // registers that one instruction takes
typedef ElemA RegisterA;
typedef Vector<ElemA, kCopyElemsA> VectorA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 4096;       // from one stage to the next
constexpr int kCopyElemsB = 4;           // elements of one global access
constexpr int kCopiesB = 1;              // accesses of a thread for one stage
constexpr int kStoreElemsB = 4;          // elements of one write into shared memory
constexpr int kReadsB = 2;               // reads of a k-step
constexpr int kReadElemsB = 4;           // elements of one of them
constexpr int kFragmentB = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersB = 1;       // registers that one instruction takes
typedef ElemB RegisterB;
typedef Vector<ElemB, kCopyElemsB> VectorB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 64;        // elements of D
constexpr int kAtomRegistersC = 1;       // registers of one instruction
constexpr int kAccumulatorRegisters = 64; // registers of all instructions
typedef Accum RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 4;             // elements of one store to D
constexpr int kInElems = 4;              // elements of one load from C
constexpr int kInFlight = 8;             // of its stores that ask together

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <int kElems, class Elem>
__device__ __forceinline__ void store_vector(unsigned char* target, const Elem* elems);
template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ int copy_a_mn_base(int thread);
__device__ __forceinline__ int copy_a_mn(int value);
__device__ __forceinline__ int copy_a_k_base(int thread);
__device__ __forceinline__ int copy_a_k(int value);
__device__ __forceinline__ int store_a_base(int thread);
__device__ __forceinline__ int store_a(int base, int value);
__device__ __forceinline__ int read_a_base(int thread);
__device__ __forceinline__ int read_a(int base, int value);
__device__ __forceinline__ int copy_b_mn_base(int thread);
__device__ __forceinline__ int copy_b_mn(int value);
__device__ __forceinline__ int copy_b_k_base(int thread);
__device__ __forceinline__ int copy_b_k(int value);
__device__ __forceinline__ int store_b_base(int thread);
__device__ __forceinline__ int store_b(int base, int value);
__device__ __forceinline__ int read_b_base(int thread);
__device__ __forceinline__ int read_b(int base, int value);
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
jute_sm90a_f32_128x128x8_s2_b723f3d5(
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
  // fragment/vector_read.cu: the reads `first` up to `end` of a k-step's fragments of A.
  const auto feed_a = [&](FragmentA& fragment, int stage, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i)
      read_vector<kReadElemsA>(
          fragment.elem + kReadElemsA * i,
          smem_a + read_a(stage * kStageBytesA + a_read, k_step * kFragmentA + kReadElemsA * i));
  };
  // fragment/vector_read.cu: the reads `first` up to `end` of a k-step's fragments of B.
  const auto feed_b = [&](FragmentB& fragment, int stage, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i)
      read_vector<kReadElemsB>(
          fragment.elem + kReadElemsB * i,
          smem_b + read_b(stage * kStageBytesB + b_read, k_step * kFragmentB + kReadElemsB * i));
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

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of the values that a thread copies.
//   thread (2,128):(0,1)   value 4:0
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 2;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return 0;
}
// copy_a_k: k of the values that a thread copies.
//   thread (2,128):(4,0)   value 4:1
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 2) * 4;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value;
}
// store_a: where a thread puts what it copies into A's stage; bytes.
//   thread (2,128):(2112,4)   value 4:528
__device__ __forceinline__ int store_a_base(int thread) {
  return (thread % 2) * 2112 + (thread / 2) * 4;
}
__device__ __forceinline__ int store_a(int base, int value) {
  return base + value * 528;
}
// read_a: where a thread finds its fragments of A; bytes.
//   thread (2,8,8,2):(16,0,32,0)   value (4,2,8):(4,256,528)
__device__ __forceinline__ int read_a_base(int thread) {
  return (thread % 2) * 16 + (thread / 16 % 8) * 32;
}
__device__ __forceinline__ int read_a(int base, int value) {
  return base + (value % 4) * 4 + (value / 4 % 2) * 256 + (value / 8) * 528;
}

// ---- B: likewise ----
// copy_b_mn: n of the values that a thread copies.
//   thread (32,8):(4,0)   value 4:1
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return (thread % 32) * 4;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return value;
}
// copy_b_k: k of the values that a thread copies.
//   thread (32,8):(0,1)   value 4:0
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return thread / 32;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return 0;
}
// store_b: where a thread puts what it copies into B's stage; bytes.
//   thread 256:16   value 4:4
__device__ __forceinline__ int store_b_base(int thread) {
  return thread * 16;
}
__device__ __forceinline__ int store_b(int base, int value) {
  return base + value * 4;
}
// read_b: where a thread finds its fragments of B; bytes.
//   thread (2,8,8,2):(0,16,0,128)   value (4,16):(4,256)
__device__ __forceinline__ int read_b_base(int thread) {
  return (thread / 2 % 8) * 16 + (thread / 128) * 128;
}
__device__ __forceinline__ int read_b(int base, int value) {
  return base + (value % 4) * 4 + (value / 4) * 256;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (8,8):(8,1)
__device__ __forceinline__ int out_acc(int value) {
  return (value % 8) * 8 + value / 8;
}
// out_m: row of D in the tile, in store order.
//   thread (2,8,8,2):(4,0,8,0)   value (8,4,2):(0,1,64)
__device__ __forceinline__ int out_m_base(int thread) {
  return (thread % 2) * 4 + (thread / 16 % 8) * 8;
}
__device__ __forceinline__ int out_m(int value) {
  return value / 8 % 4 + (value / 32) * 64;
}
// out_n: column of D in the tile, in store order.
//   thread (2,8,8,2):(0,4,0,32)   value (4,2,8):(1,64,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread / 2 % 8) * 4 + (thread / 128) * 32;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 4 + (value / 4 % 2) * 64;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/fma.cu: UniversalFMA<float>, one multiply-add in one thread.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  c[0] = __fmaf_rn(to_compute(a[0]), to_compute(b[0]), c[0]);
}
// mma/multiply.cu (row): the products with column j; along M back and forth, so that one operand stays put.
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int turn = 0; turn < kRepeatM; ++turn) {
    const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
    mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * i, b.reg + kAtomRegistersB * j);
  }
}
