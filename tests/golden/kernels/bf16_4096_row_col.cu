// acc on sm_80; acc is A*B, alpha 1, beta 0
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 8 elements an access
//   B (N,K) bf16, K-major, ld 4096; 8 elements an access
//   D (M,N) bf16, row-major, ld run-time; 8 elements an access
//   256 threads (worker 8 warps) compute a tile of (128,256,32): M, N, K of a stage
//   stages 4, slices of K 1
// SM80_16x8x16_F32BF16BF16F32_TN: atoms (2,4,1):(1,2,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,2,4),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))
//   B (n + N*k)  ((4,8,2,4),((2,2),(1,1))):((64,1,0,8),((32,256),(0,0)))
//   D (m + M*n)  ((4,8,2,4),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))
//   shared a from 0, 32768 bytes, aligned to 512, copies 4, main_loop
//   shared b from 32768, 65536 bytes, aligned to 512, copies 4, main_loop
//   shared rows from 0, 135136 bytes, aligned to 16, copies 1, epilogue
//   one copy of a as (m,k) -> element  Sw<2,3,3>o0o(128,(32,1)):(32,(1,4096))
//   one copy of b as (n,k) -> element  Sw<2,3,3>o0o(256,(32,1)):(32,(1,8192))
//   D on its way, as accumulators  (128,256):(264,1)
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     31  types
//     63  constants: the tile, the ways of A and B, the accumulators
//    108  what the kernel calls
//    151  the kernel
//    346  conversions, accesses to memory, instructions
//    408  where threads find A
//    451  where threads find B
//    494  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef bf16 ElemA;
typedef bf16 ElemB;
typedef bf16 ElemD;
typedef f32 Accum;

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
constexpr int kTileN = 256;              // columns of D that a block computes
constexpr int kTileK = 32;               // k of one stage
constexpr int kStages = 4;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kSmemABytes = 32768;       // all stages of A; those of B follow
constexpr int kKSteps = 2;               // instructions along K in a stage
constexpr int kRepeatM = 4;              // instructions of a warp along M
constexpr int kRepeatN = 8;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one stage to the next
constexpr int kCopyElemsA = 8;           // elements of one global access
constexpr int kCopiesA = 2;              // accesses of a thread for one stage
constexpr int kReadsA = 4;               // matrix loads of a k-step
constexpr int kReadRegistersA = 4;       // registers that one of them fills
constexpr int kFragmentA = 32;           // elements of a thread in a k-step
constexpr int kAtomRegistersA = 4;       // registers that one instruction takes
typedef unsigned RegisterA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 16384;      // from one stage to the next
constexpr int kCopyElemsB = 8;           // elements of one global access
constexpr int kCopiesB = 4;              // accesses of a thread for one stage
constexpr int kReadsB = 4;               // matrix loads of a k-step
constexpr int kReadRegistersB = 4;       // registers that one of them fills
constexpr int kFragmentB = 32;           // elements of a thread in a k-step
constexpr int kAtomRegistersB = 2;       // registers that one instruction takes
typedef unsigned RegisterB;
typedef Fragment<ElemB, kFragmentB, RegisterB> FragmentB;
// The accumulators of a thread.
constexpr int kAccumulators = 128;       // elements of D
constexpr int kAtomRegistersC = 4;       // registers of one instruction
constexpr int kAccumulatorRegisters = 128; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 8;             // elements of one store to D
constexpr int kInFlight = 2;             // of its stores that ask together
constexpr int kRowElems = 128;           // elements of D that a thread stores
constexpr int kStageElems = 2;           // accumulators of one write into the staging buffer
constexpr int kStageReadElems = 4;       // accumulators of one read from it

// ---- What the kernel calls ----
template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
template <int kElems, class Elem>
__device__ __forceinline__ void copy_async(unsigned target, const Elem* source, int valid);
__device__ __forceinline__ void commit_copies();
template <int kNewer>
__device__ __forceinline__ void wait_copies();
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
__device__ __forceinline__ ElemD epilogue(Accum acc);
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j);

// kernel/multistage.cu: each block computes one tile of D from tiles of A and B in shared memory. Every thread
// copies its share of both tiles, and every warp computes its own part of the tile of D. In time, from one
// barrier of the block to the next, with s the stage of a k-tile:
//   multiplies k-tile t in its stage s, fragments read a k-step ahead
//   asks for k-tile t + kStages - 1, into the stage that k-tile t - 1 has left
//   waits until k-tile t + 1 has landed, and for all threads: then s may be written again
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm80_bf16_128x256x32_s4_01f2b114(
    const ElemA* __restrict__ a,
    const ElemB* __restrict__ b,
    ElemD* d,
    int m,
    long long lda,
    long long ldd,
    long long batch_stride_a,
    long long batch_stride_b,
    long long batch_stride_d
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
                          static_cast<long long>(first_n + copy_b_mn_base(thread)) * ldb +
                          copy_b_k_base(thread);
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
          store_b(target, i * kCopyElemsB), b_source + (mn * ldb + along_k), valid);
    }
    b_source += kTileK;
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

  // epilogue/staged_rows.cu: accumulators pass through shared memory, where the stages were, so that
  // the block reads C and writes D in whole rows.
  const unsigned stage_write = shared_address(smem) + row_write_base(thread);
  #pragma unroll
  for (int i = 0; i < kAccumulators; i += kStageElems) {
    Vector<Accum, kStageElems> written;
    #pragma unroll
    for (int e = 0; e < kStageElems; ++e) written.elem[e] = acc.elem[out_acc(i + e)];
    stage_put(row_write(stage_write, i), written.word);
  }
  __syncthreads();
  const int stage_read = row_read_base(thread);
  const int out_row = first_m + row_m_base(thread), out_col = first_n + row_n_base(thread);
  ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
  // kInFlight vectors at a time, which hide each other's latency.
  #pragma unroll 1
  for (int first = 0; first < kRowElems; first += kInFlight * kOutElems) {
    #pragma unroll
    for (int turn = 0; turn < kInFlight; ++turn) {
      const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
      // epilogue/vector.cu (whole): whether a vector lies inside D.
      const bool whole = out_row + row < m;
      Accum sum[kOutElems];
      #pragma unroll
      for (int e = 0; e < kOutElems; e += kStageReadElems)
        read_vector<kStageReadElems>(sum + e, smem + row_read(stage_read, i + e));
      Vector<ElemD, kOutElems> result;
      #pragma unroll
      for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(sum[e]);
      if (whole) *reinterpret_cast<decltype(result.word)*>(d_thread + row * ldd + col) = result.word;
    }
  }
}

// ---- How it is done ----
// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
__device__ __forceinline__ void from_compute(float x, bf16* out) {
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}
// convert/f32.cu
__device__ __forceinline__ void from_compute(float x, f32* out) { *out = x; }

// prelude/vector_access.cu (elements): between registers, shared memory and D.
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
//   thread (16,2,2,4):(64,16,1024,0)   value (4,2):(2048,0) ^ (4,2):(0,32)
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread % 16) * 64 + (thread / 16 % 2) * 16 + (thread / 32 % 2) * 1024;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int read_a(int base, int value) {
  return (base ^ ((value / 4) * 32)) + (value % 4) * 2048;
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
//   thread (4,64):(0,1)   value (8,4):(0,64)
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return thread / 4;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return (value / 8) * 64;
}
// copy_b_k: k of the values that a thread copies.
//   thread (4,64):(8,0)   value (8,4):(1,0)
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return (thread % 4) * 8;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return value % 8;
}
// store_b: where a thread puts what it copies into B's stage; bytes, Sw<2,4,3>, folded.
//   thread 256:16   value (8,4):(2,4096) ^ 32:0
__device__ __forceinline__ int store_b_base(int thread) {
  const int x = thread * 16;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int store_b(int base, int value) {
  return base + (value % 8) * 2 + (value / 8) * 4096;
}
// read_b: the row of B that a lane points at; bytes, Sw<2,4,3>, folded.
//   thread (8,2,2,2,4):(64,16,2048,0,512)   value (4,2):(4096,0) ^ (4,2):(0,32)
__device__ __forceinline__ int read_b_base(int thread) {
  const int x = (thread % 8) * 64 + (thread / 8 % 2) * 16 + (thread / 16 % 2) * 2048 + (thread / 64) * 512;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int read_b(int base, int value) {
  return (base ^ ((value / 4) * 32)) + (value % 4) * 4096;
}
// fragment/ldmatrix.cu: SM75_U32x4_LDSM_N; 4 registers of a fragment of B, `row` is the lane's own.
__device__ __forceinline__ void ldmatrix_b(unsigned* reg, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(reg[0]), "=r"(reg[1]), "=r"(reg[2]), "=r"(reg[3])
      : "r"(row)
      : "memory");
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (2,8,8):(1,16,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 8) * 16 + (value / 16) * 2;
}
// row_write: where a thread puts its accumulators, in store order; bytes.
//   thread (4,8,2,4):(8,1056,16896,32)   value (2,8,2,4):(4,128,8448,33792)
__device__ __forceinline__ int row_write_base(int thread) {
  return (thread % 4) * 8 + (thread / 4 % 8) * 1056 + (thread / 32 % 2) * 16896 + (thread / 64) * 32;
}
__device__ __forceinline__ int row_write(int base, int value) {
  return base + (value % 2) * 4 + (value / 2 % 8) * 128 + (value / 16 % 2) * 8448 + (value / 32) * 33792;
}
// row_read: where a thread finds its part of D's rows; bytes.
//   thread (32,8):(32,1056)   value (8,16):(4,8448)
__device__ __forceinline__ int row_read_base(int thread) {
  return (thread % 32) * 32 + (thread / 32) * 1056;
}
__device__ __forceinline__ int row_read(int base, int value) {
  return base + (value % 8) * 4 + (value / 8) * 8448;
}
// row_m: row of D in the tile, as a thread stores it.
//   thread (32,8):(0,1)   value (8,16):(0,8)
__device__ __forceinline__ int row_m_base(int thread) {
  return thread / 32;
}
__device__ __forceinline__ int row_m(int value) {
  return (value / 8) * 8;
}
// row_n: column of D in the tile, as a thread stores it.
//   thread (32,8):(8,0)   value (8,16):(1,0)
__device__ __forceinline__ int row_n_base(int thread) {
  return (thread % 32) * 8;
}
__device__ __forceinline__ int row_n(int value) {
  return value % 8;
}
// epilogue/expression.cu: D = acc, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc) {
  ElemD result;
  from_compute(acc, &result);
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
