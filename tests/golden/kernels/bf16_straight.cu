// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 77, K 95; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 1 elements an access
//   B (N,K) bf16, MN-major, ld 77; 1 elements an access
//   C (M,N) bf16, row-major, ld run-time; 1 elements an access
//   D (M,N) bf16, row-major, ld run-time; 1 elements an access
//   192 threads (worker 6 warps) compute a tile of (16,8,96): M, N, K of a stage
//   stages 1, slices of K 1
// SM80_16x8x16_F32BF16BF16F32_TN: atoms (1,1,6):(0,0,1), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,6),((2,2,2),(1,1))):((32,1,256),((16,8,128),(0,0)))
//   B (n + N*k)  ((4,8,6),((2,2),(1,1))):((16,1,128),((8,64),(0,0)))
//   D (m + M*n)  ((4,8,6),((2,2),(1,1))):((32,1,0),((16,8),(0,0)))
//   shared sums from 0, 2560 bytes, aligned to 16, copies 5, epilogue
//   signal met named_barrier x1, 192 arrivals and 0 bytes in the block, worker > worker
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     28  types
//     62  constants: the tile, the ways of A and B, the accumulators
//    103  what the kernel calls
//    126  the kernel
//    301  conversions, accesses to memory, instructions
//    353  where threads find A
//    371  where threads find B
//    389  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef bf16 ElemA;
typedef bf16 ElemB;
typedef bf16 ElemC;
typedef bf16 ElemD;
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
constexpr int kThreads = 192;            // threads of a block
constexpr int kBlocksPerSm = 1;          // blocks that an SM's registers are shared by
constexpr int kTileM = 16;               // rows of D that a block computes
constexpr int kTileN = 8;                // columns of D that a block computes
constexpr int kTileK = 96;               // k of one stage
constexpr int kKSteps = 1;               // instructions along K in a stage
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kCopyElemsA = 1;           // elements of one global access
constexpr int kCopiesA = 8;              // accesses of a thread for one stage
constexpr int kReadsA = 8;               // reads of a k-step
constexpr int kFragmentA = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 4;       // registers that one instruction takes
typedef unsigned RegisterA;
typedef Vector<ElemA, kCopyElemsA> VectorA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kCopyElemsB = 1;           // elements of one global access
constexpr int kCopiesB = 4;              // accesses of a thread for one stage
constexpr int kReadsB = 4;               // reads of a k-step
constexpr int kFragmentB = 4;            // elements of a thread in a k-step
constexpr int kAtomRegistersB = 2;       // registers that one instruction takes
typedef unsigned RegisterB;
typedef Vector<ElemB, kCopyElemsB> VectorB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 4;         // elements of D
constexpr int kAtomRegistersC = 4;       // registers of one instruction
constexpr int kAccumulatorRegisters = 4; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 1;             // elements of one store to D
constexpr int kPartsOfK = 6;             // that groups of threads take
constexpr int kDrainThreads = 32;        // of the first group, which drains
constexpr int kSumElems = 4;             // sums that a thread leaves at a time
constexpr int kInElems = 1;              // elements of one load from C
constexpr int kInFlight = 4;             // of its stores that ask together

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ int copy_a_mn_base(int thread);
__device__ __forceinline__ int copy_a_mn(int value);
__device__ __forceinline__ int copy_a_k_base(int thread);
__device__ __forceinline__ int copy_a_k(int value);
__device__ __forceinline__ int copy_b_mn_base(int thread);
__device__ __forceinline__ int copy_b_mn(int value);
__device__ __forceinline__ int copy_b_k_base(int thread);
__device__ __forceinline__ int copy_b_k(int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ int out_m_base(int thread);
__device__ __forceinline__ int out_m(int value);
__device__ __forceinline__ int out_n_base(int thread);
__device__ __forceinline__ int out_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j);

// kernel/straight.cu: each block computes one tile of D from fragments that every thread loads itself: nothing
// of A and B lies in shared memory. Groups of threads may share out K. In time:
//   every group   asks for all fragments of its part of k-tile 0, multiplies them  ...  of k-tile 1  ...
//   the others    leave their sums in shared memory
//   the first     adds them in order, stores D
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_16x8x96_straight_b6a251c0(
    const ElemA* a,
    const ElemB* b,
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
  extern __shared__ __align__(16) unsigned char smem[];
  const int thread = threadIdx.x;
  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

  constexpr int n = 77;
  constexpr int k = 95;
  constexpr long long ldb = 77;
  // mainloop/straight.cu (in the grid): the tile of this block, by its place in the grid.
  const int tile_m = blockIdx.x, tile_n = blockIdx.y, matrix = blockIdx.z;
  // kernel/raster.cu (origin): where the tile begins.
  const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
  // copy/operand.cu (tile): where this thread reads A, and what is left from there to the edges.
  int a_k_left = k - copy_a_k_base(thread);
  const int a_left = m - first_m - copy_a_mn_base(thread);
  const ElemA* a_source = a + matrix * batch_stride_a +
                          static_cast<long long>(first_m + copy_a_mn_base(thread)) * lda +
                          copy_a_k_base(thread);
  // copy/operand.cu (tile): where this thread reads B, and what is left from there to the edges.
  int b_k_left = k - copy_b_k_base(thread);
  const int b_left = n - first_n - copy_b_mn_base(thread);
  const ElemB* b_source = b + matrix * batch_stride_b +
                          static_cast<long long>(copy_b_k_base(thread)) * ldb +
                          first_n + copy_b_mn_base(thread);
  // copy/straight.cu (tile): a thread's fragments of the next tile of A, from global memory; zeros past the edge.
  VectorA a_staged[kCopiesA];
  const auto load_a = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      a_staged[i] = load_vector<VectorA>(
          a_source + (mn * lda + along_k), mn < a_left && along_k < a_k_left ? kCopyElemsA : 0);
    }
    a_source += kTileK;
    a_k_left -= kTileK;
  };
  // copy/straight.cu (tile): a thread's fragments of the next tile of B, from global memory; zeros past the edge.
  VectorB b_staged[kCopiesB];
  const auto load_b = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      const int mn = copy_b_mn(i * kCopyElemsB), along_k = copy_b_k(i * kCopyElemsB);
      b_staged[i] = load_vector<VectorB>(
          b_source + (along_k * ldb + mn), along_k < b_k_left && mn < b_left ? kCopyElemsB : 0);
    }
    b_source += kTileK * ldb;
    b_k_left -= kTileK;
  };
  // fragment/vector_read.cu (staged): the elements `first` up to `end` of a k-step's fragments of A, from registers.
  const auto feed_a = [&](FragmentA& fragment, int, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i) {
      const int value = k_step * kFragmentA + i;
      fragment.elem[i] = a_staged[value / kCopyElemsA].elem[value % kCopyElemsA];
    }
  };
  // fragment/vector_read.cu (staged): the elements `first` up to `end` of a k-step's fragments of B, from registers.
  const auto feed_b = [&](FragmentB& fragment, int, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first; i < end; ++i) {
      const int value = k_step * kFragmentB + i;
      fragment.elem[i] = b_staged[value / kCopyElemsB].elem[value % kCopyElemsB];
    }
  };
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
  wait_for_previous_kernel();
  release_next_kernel();
  // mainloop/straight.cu (products): all k-tiles.
  #pragma unroll 1
  for (int k_tile = 0; k_tile < (k + kTileK - 1) / kTileK; ++k_tile) {
    load_a();
    load_b();
    multiply(0);
  }
  // epilogue/direct.cu (first group): groups of threads that had other parts of K leave their sums in shared memory; the
  // first one adds them, in the order of the groups, and drains the tile.
  typedef Vector<Accum, kSumElems> Sums;
  Sums* const sums_of_thread = reinterpret_cast<Sums*>(smem) + thread % kDrainThreads;
  constexpr int kSums = kAccumulators / kSumElems;
  if (thread >= kDrainThreads) {
    #pragma unroll
    for (int i = 0; i < kSums; ++i) {
      Sums mine;
      #pragma unroll
      for (int e = 0; e < kSumElems; ++e) mine.elem[e] = acc.elem[kSumElems * i + e];
      sums_of_thread[((thread / kDrainThreads - 1) * kSums + i) * kDrainThreads].word = mine.word;
    }
  }
  __syncthreads();
  if (thread < kDrainThreads) {
    #pragma unroll
    for (int other = 0; other < kPartsOfK - 1; ++other) {
      #pragma unroll
      for (int i = 0; i < kSums; ++i) {
        Sums theirs;
        theirs.word = sums_of_thread[(other * kSums + i) * kDrainThreads].word;
        #pragma unroll
        for (int e = 0; e < kSumElems; ++e) acc.elem[kSumElems * i + e] += theirs.elem[e];
      }
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
          if (out_row + row >= m || out_col + col > n - kOutElems) continue;
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
        if (out_row + row >= m || out_col + col > n - kOutElems) continue;
        Vector<ElemD, kOutElems> result;
        #pragma unroll
        for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(acc.elem[out_acc(i + e)], alpha, beta, from_c[turn][e]);
        put_vector(d_thread + row * ldd + col, result, kOutElems);
      }
    }
  }
}

// ---- How it is done ----
// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
__device__ __forceinline__ float to_compute(bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
__device__ __forceinline__ void from_compute(float x, bf16* out) {
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
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

// prelude/dependent_launch.cu: a kernel may begin while the one before it ends (sm_90). Until that one
// has ended and shown what it wrote, nothing that a run names may be touched.
__device__ __forceinline__ void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
// Lets the next kernel begin once every block has said so.
__device__ __forceinline__ void release_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of a thread's fragments.
//   thread (4,8,6):(0,1,0)   value (2,2,2):(0,8,0)
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 4 % 8;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return (value / 2 % 2) * 8;
}
// copy_a_k: k of a thread's fragments.
//   thread (4,8,6):(2,0,16)   value (2,2,2):(1,0,8)
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 4) * 2 + (thread / 32) * 16;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value % 2 + (value / 4) * 8;
}

// ---- B: likewise ----
// copy_b_mn: n of a thread's fragments.
//   thread (4,8,6):(0,1,0)   value 4:0
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return thread / 4 % 8;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return 0;
}
// copy_b_k: k of a thread's fragments.
//   thread (4,8,6):(2,0,16)   value (2,2):(1,8)
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return (thread % 4) * 2 + (thread / 32) * 16;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return value % 2 + (value / 2) * 8;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   4:1
__device__ __forceinline__ int out_acc(int value) {
  return value;
}
// out_m: row of D in the tile, in store order.
//   thread (4,8):(0,1)   value (2,2):(0,8)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread / 4;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 2) * 8;
}
// out_n: column of D in the tile, in store order.
//   thread (4,8):(2,0)   value (2,2):(1,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread % 4) * 2;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 2;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/mma_sync.cu: SM80_16x8x16_F32BF16BF16F32_TN; c += a * b for the tile of one warp.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// mma/multiply.cu (row): the products with column j; along M back and forth, so that one operand stays put.
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int turn = 0; turn < kRepeatM; ++turn) {
    const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
    mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * i, b.reg + kAtomRegistersB * j);
  }
}
