// alpha*acc + beta*c on sm_80; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f64
//   A (M,K) f64, K-major, ld run-time; 2 elements an access
//   B (N,K) f64, MN-major, ld 4096; 2 elements an access
//   C (M,N) f64, row-major, ld run-time; 2 elements an access
//   D (M,N) f64, row-major, ld run-time; 2 elements an access
//   128 threads (worker 4 warps) compute a tile of (64,64,16): M, N, K of a stage
//   stages 3, slices of K 1
// SM80_8x8x4_F64F64F64F64_TN: atoms (2,2,1):(1,2,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,16,2),(1,(1,1))):((16,1,0),(0,(0,0)))
//   B (n + N*k)  ((4,8,2,2),(1,(1,1))):((16,1,0,8),(0,(0,0)))
//   D (m + M*n)  ((4,16,2),(2,(1,1))):((32,1,128),(16,(0,0)))
//   shared a from 0, 24576 bytes, aligned to 512, copies 3, main_loop
//   shared b from 24576, 24576 bytes, aligned to 512, copies 3, main_loop
//   one copy of a as (m,k) -> element  Sw<2,2,2>o0o(64,(16,1)):(16,(1,1024))
//   one copy of b as (n,k) -> element  Sw<2,2,2>o0o((16,4),16):((1,256),16)
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     30  types
//     63  constants: the tile, the ways of A and B, the accumulators
//    106  what the kernel calls
//    143  the kernel
//    349  conversions, accesses to memory, instructions
//    429  where threads find A
//    465  where threads find B
//    501  how D leaves; the multiplication

// convert/f64.cu: a result that is no number is the one positive quiet NaN. An f64 unit hands on an
// operand's NaN, and the assembler may exchange operands.
typedef double f64;
typedef f64 ElemA;
typedef f64 ElemB;
typedef f64 ElemC;
typedef f64 ElemD;
typedef f64 Accum;
typedef double Compute;

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
constexpr int kThreads = 128;            // threads of a block
constexpr int kBlocksPerSm = 1;          // blocks that an SM's registers are shared by
constexpr int kTileM = 64;               // rows of D that a block computes
constexpr int kTileN = 64;               // columns of D that a block computes
constexpr int kTileK = 16;               // k of one stage
constexpr int kStages = 3;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kSmemABytes = 24576;       // all stages of A; those of B follow
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 4;              // instructions of a warp along M
constexpr int kRepeatN = 4;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one stage to the next
constexpr int kCopyElemsA = 2;           // elements of one global access
constexpr int kCopiesA = 4;              // accesses of a thread for one stage
constexpr int kReadsA = 4;               // reads of a k-step
constexpr int kReadElemsA = 1;           // elements of one of them
constexpr int kFragmentA = 4;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 1;       // registers that one instruction takes
typedef double RegisterA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 8192;       // from one stage to the next
constexpr int kCopyElemsB = 2;           // elements of one global access
constexpr int kCopiesB = 4;              // accesses of a thread for one stage
constexpr int kReadsB = 4;               // reads of a k-step
constexpr int kReadElemsB = 1;           // elements of one of them
constexpr int kFragmentB = 4;            // elements of a thread in a k-step
constexpr int kAtomRegistersB = 1;       // registers that one instruction takes
typedef double RegisterB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 32;        // elements of D
constexpr int kAtomRegistersC = 2;       // registers of one instruction
constexpr int kAccumulatorRegisters = 32; // registers of all instructions
typedef double RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 2;             // elements of one store to D
constexpr int kInElems = 2;              // elements of one load from C
constexpr int kInFlight = 8;             // of its stores that ask together

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
template <int kElems, class Elem>
__device__ __forceinline__ void copy_async(unsigned target, const Elem* source, int valid);
__device__ __forceinline__ void commit_copies();
template <int kNewer>
__device__ __forceinline__ void wait_copies();
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

// kernel/multistage.cu: each block computes one tile of D from tiles of A and B in shared memory. Every thread
// copies its share of both tiles, and every warp computes its own part of the tile of D. In time, from one
// barrier of the block to the next, with s the stage of a k-tile:
//   multiplies k-tile t in its stage s, fragments read a k-step ahead
//   asks for k-tile t + kStages - 1, into the stage that k-tile t - 1 has left
//   waits until k-tile t + 1 has landed, and for all threads: then s may be written again
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm80_f64_64x64x16_s3_9c149418(
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
    double alpha,
    double beta
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
  // copy/async.cu (tile): the next tile of A on its way to `target`; zeros past the edge.
  const auto load_a = [&](unsigned target) {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      const int valid = mn < a_left ? kCopyElemsA : 0;
      copy_async<kCopyElemsA>(
          store_a(target, i * kCopyElemsA), a_source + (mn * lda + along_k), valid);
    }
    a_source += kTileK;
  };
  // copy/async.cu (tile): the next tile of B on its way to `target`; zeros past the edge.
  const auto load_b = [&](unsigned target) {
    #pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      const int mn = copy_b_mn(i * kCopyElemsB), along_k = copy_b_k(i * kCopyElemsB);
      const int valid = kCopyElemsB;
      copy_async<kCopyElemsB>(
          store_b(target, i * kCopyElemsB), b_source + (along_k * ldb + mn), valid);
    }
    b_source += kTileK * ldb;
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
  // mainloop/stages.cu: kStages - 1 k-tiles are on their way while one is multiplied.
  unsigned a_target = shared_a + store_a_base(thread), b_target = shared_b + store_b_base(thread);
  int read_stage = 0, write_stage = kStages - 1;
  // Fills all stages but one, and waits for the first. Where there is no tile left a group is closed all the
  // same: counting groups then counts stages.
  const auto fill_stages = [&] {
    #pragma unroll 1
    for (int ahead = 0; ahead < kStages - 1; ++ahead) {
      if (ahead < k_tiles) {
        load_a(a_target);
        load_b(b_target);
      }
      commit_copies();
      a_target += kStageBytesA;
      b_target += kStageBytesB;
    }
    wait_copies<kStages - 2>();
    __syncthreads();
  };
  // The one barrier of a k-tile: the next stage has landed for every thread, and every thread has read all
  // of this one, which may then be written again. Behind the last tile its first fragments are read once
  // more, and not used.
  const auto next_stage = [&](bool is_one_left) {
    commit_copies();
    write_stage = write_stage + 1 == kStages ? 0 : write_stage + 1;
    a_target += write_stage == 0 ? (1 - kStages) * kStageBytesA : kStageBytesA;
    b_target += write_stage == 0 ? (1 - kStages) * kStageBytesB : kStageBytesB;
    wait_copies<kStages - 2>();
    __syncthreads();
    if (is_one_left) read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
  };
  // mainloop/stages.cu (interleave): reads and copies stand between the products that they hide behind: reads behind the
  // rows of the first half of a k-step, the copies of A in the middle of the first, those of B of the second.
  // With reads before the first products the assembler would look for that order itself, for three times as long.
  constexpr int kCopyStepB = kKSteps > 2 ? 1 : 0;
  constexpr int kReadRows = (kRepeatN + 1) / 2;
  constexpr int kRowReadsA = (kReadsA + kReadRows - 1) / kReadRows;
  constexpr int kRowReadsB = (kReadsB + kReadRows - 1) / kReadRows;

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
  FragmentA a_frag[2];
  FragmentB b_frag[2];
  fill_stages();
  // The fragments of the very first k-step: those of each later one are read a step ahead.
  {
    feed_a(a_frag[0], 0, 0, 0, kReadsA);
    feed_b(b_frag[0], 0, 0, 0, kReadsB);
  }
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    const bool copies = k_tile + kStages - 1 < k_tiles;
    #pragma unroll
    for (int k_step = 0; k_step < kKSteps; ++k_step) {
      if (k_step == kKSteps - 1) next_stage(k_tile + 1 < k_tiles);
      const int next_step = (k_step + 1) % kKSteps;
      #pragma unroll
      for (int j = 0; j < kRepeatN; ++j) {
        multiply_row(acc, a_frag[k_step % 2], b_frag[k_step % 2], j);
        feed_a(a_frag[next_step % 2], read_stage, next_step, j * kRowReadsA, min((j + 1) * kRowReadsA, kReadsA));
        feed_b(b_frag[next_step % 2], read_stage, next_step, j * kRowReadsB, min((j + 1) * kRowReadsB, kReadsB));
        if (k_step == 0 && j == kRepeatN / 2 && copies) load_a(a_target);
        if (k_step == kCopyStepB && j == kRepeatN / 2 && copies) load_b(b_target);
      }
    }
  }
  // The epilogue may use the stages: nothing is on its way to them, nobody reads them.
  wait_copies<0>();
  __syncthreads();

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
// convert/f64.cu: a result that is no number is the one positive quiet NaN. An f64 unit hands on an
// operand's NaN, and the assembler may exchange operands.
__device__ __forceinline__ double to_compute(f64 x) { return x; }
__device__ __forceinline__ void from_compute(double x, f64* out) {
  *out = x == x ? x : __longlong_as_double(0x7ff8LL << 48);
}

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

// prelude/shared_address.cu: shared memory as instructions name it.
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// prelude/cp_async.cu: copies from global to shared memory that complete behind the program's back
// (sm_80). A copy writes all its bytes: the first `valid` elements, then zeros.
template <int kElems, class Elem>
__device__ __forceinline__ void copy_async(unsigned target, const Elem* source, int valid) {
  constexpr int kBytes = kElems * sizeof(Elem);
  constexpr int kElemBytes = sizeof(Elem);
  const int bytes = kElems == 1 ? (valid > 0 ? kElemBytes : 0) : min(max(valid, 0), kElems) * kElemBytes;
  if (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;"
        :
        : "r"(target), "l"(source), "r"(bytes)
        : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
        :
        : "r"(target), "l"(source), "n"(kBytes), "r"(bytes)
        : "memory");
  }
}
// Closes a group of copies, also an empty one: the count of groups then says which stage has landed.
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// At most `kNewer` groups are still on their way.
template <int kNewer>
__device__ __forceinline__ void wait_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(kNewer) : "memory"); }

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of the values that a thread copies.
//   thread (8,16):(0,1)   value (2,4):(0,16)
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 8;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return (value / 2) * 16;
}
// copy_a_k: k of the values that a thread copies.
//   thread (8,16):(2,0)   value (2,4):(1,0)
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 8) * 2;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value % 2;
}
// store_a: where a thread puts what it copies into A's stage; bytes, Sw<2,5,2>, folded.
//   thread 128:16   value (2,4):(8,2048) ^ 8:0
__device__ __forceinline__ int store_a_base(int thread) {
  const int x = thread * 16;
  return x ^ ((x & 0x180) >> 2);
}
__device__ __forceinline__ int store_a(int base, int value) {
  return base + (value % 2) * 8 + (value / 2) * 2048;
}
// read_a: where a thread finds its fragments of A; bytes, Sw<2,5,2>, folded.
//   thread (4,16,2):(8,128,0)   value (4,4):(2048,0) ^ (4,4):(0,32)
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread % 4) * 8 + (thread / 4 % 16) * 128;
  return x ^ ((x & 0x180) >> 2);
}
__device__ __forceinline__ int read_a(int base, int value) {
  return (base ^ ((value / 4) * 32)) + (value % 4) * 2048;
}

// ---- B: likewise ----
// copy_b_mn: n of the values that a thread copies.
//   thread (32,4):(2,0)   value (2,4):(1,0)
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return (thread % 32) * 2;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return value % 2;
}
// copy_b_k: k of the values that a thread copies.
//   thread (32,4):(0,1)   value (2,4):(0,4)
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return thread / 32;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return (value / 2) * 4;
}
// store_b: where a thread puts what it copies into B's stage; bytes, Sw<2,5,2>, folded.
//   thread (8,4,4):(16,2048,128)   value (2,4):(8,512) ^ 8:0
__device__ __forceinline__ int store_b_base(int thread) {
  const int x = (thread % 8) * 16 + (thread / 8 % 4) * 2048 + (thread / 32) * 128;
  return x ^ ((x & 0x180) >> 2);
}
__device__ __forceinline__ int store_b(int base, int value) {
  return base + (value % 2) * 8 + (value / 2) * 512;
}
// read_b: where a thread finds its fragments of B; bytes, Sw<2,5,2>, folded.
//   thread (4,8,2,2):(128,8,0,64)   value (4,4):(2048,512) ^ 16:0
__device__ __forceinline__ int read_b_base(int thread) {
  const int x = (thread % 4) * 128 + (thread / 4 % 8) * 8 + (thread / 64) * 64;
  return x ^ ((x & 0x180) >> 2);
}
__device__ __forceinline__ int read_b(int base, int value) {
  return base + (value % 4) * 2048 + (value / 4) * 512;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (2,4,4):(1,8,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 4) * 8 + (value / 8) * 2;
}
// out_m: row of D in the tile, in store order.
//   thread (4,16,2):(0,1,0)   value (8,4):(0,16)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread / 4 % 16;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 8) * 16;
}
// out_n: column of D in the tile, in store order.
//   thread (4,16,2):(2,0,8)   value (2,4,4):(1,16,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread % 4) * 2 + (thread / 64) * 8;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 2 + (value / 2 % 4) * 16;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __dmul_rn(alpha, acc);
  if (beta != 0) sum = __fma_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/mma_sync.cu: SM80_8x8x4_F64F64F64F64_TN; c += a * b for the tile of one warp.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
}
// mma/multiply.cu (row): the products with column j; along M back and forth, so that one operand stays put.
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int turn = 0; turn < kRepeatM; ++turn) {
    const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
    mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * i, b.reg + kAtomRegistersB * j);
  }
}
