// acc on sm_90a; acc is A*B, alpha 1, beta 0
// planned transposed: A is the problem's B
//   M 4096, N run-time, K 4096; accumulates in f32
//   A (M,K) bf16, K-major, ld 4096; 32 elements an access
//   B (N,K) bf16, K-major, ld run-time; 8 elements an access
//   D (M,N) bf16, col-major, ld run-time; 1 elements an access
//   352 threads (worker 11 warps) compute a tile of (16,8,1408): M, N, K of a stage
//   stages 2, slices of K 1
// SM80_16x8x16_F32BF16BF16F32_TN: atoms (1,1,11):(0,0,1), permutation (_,_,(2,4,2,11,8):(1,32,2,128,4)); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,11),((2,2,2),(1,8))):((512,1,2048),((16,8,32),(0,64)))
//   B (n + N*k)  ((4,8,11),((2,2),(1,8))):((256,1,1024),((8,16),(0,32)))
//   D (m + M*n)  ((4,8,11),((2,2),(1,1))):((32,1,0),((16,8),(0,0)))
//   shared sums from 0, 5120 bytes, aligned to 16, copies 10, epilogue
//   shared stored_a from 5120, 22528 bytes, aligned to 16, copies 2, whole_kernel
//   signal met named_barrier x1, 352 arrivals and 0 bytes in the block, worker > worker
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// What memory holds:
//   A: q is u4 (0 to 15, two a byte, the first in its low bits)
//     counts as (q - 8) * scale, rounded to bf16
//     scale: bf16, one for 1 of M by 128 of K
// Lines:
//     33  types
//     76  constants: the tile, the ways of A and B, the accumulators
//    118  what the kernel calls
//    157  the kernel
//    400  conversions, accesses to memory, instructions
//    534  where threads find A
//    557  where threads find B
//    575  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
// convert/u4.cu: the low half of a byte.
struct u4 { unsigned char bits; };
// convert/pairs.cu (vector): more neighbours of 16 bits than one access brings, and two by two.
template <class Elem, int kElems>
union Pairs {
  Elem elem[kElems];
  unsigned part[kElems / 2];
};
// convert/pairs.cu (half): the 8 elements of 4 bits in a word as the last bits of larger numbers, two neighbours in each of `pairs`:
// 0x4300 | q is 128 + q in bf16, whose last bit of fraction is 1 there. A byte permutation brings bytes i of the word and of the word 4 bits on, elements 2i
//   and 2i + 1, to the two halves.
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
constexpr int kThreads = 352;            // threads of a block
constexpr int kBlocksPerSm = 0;          // blocks that share an SM's registers: as many as find room
constexpr int kTileM = 16;               // rows of D that a block computes
constexpr int kTileN = 8;                // columns of D that a block computes
constexpr int kTileK = 1408;             // k of one stage
constexpr int kStages = 2;               // k-tiles in shared memory, landed or on their way
constexpr int kKSteps = 8;               // instructions along K in a stage
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kCopyElemsA = 32;          // elements of one global access
constexpr int kCopiesA = 2;              // accesses of a thread for one stage
constexpr int kStoredAtA = 5120;         // where stages begin that have it as it is stored
constexpr int kReadsA = 8;               // reads of a k-step
constexpr int kFragmentA = 8;            // elements of a thread in a k-step
constexpr int kAtomRegistersA = 4;       // registers that one instruction takes
typedef unsigned RegisterA;
typedef Pairs<ElemA, kCopyElemsA> VectorA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kCopyElemsB = 8;           // elements of one global access
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
constexpr int kPartsOfK = 11;            // that groups of threads take
constexpr int kDrainThreads = 32;        // of the first group, which drains
constexpr int kSumElems = 4;             // sums that a thread leaves at a time
constexpr int kInFlight = 1;             // of its stores that ask together

// ---- What the kernel calls ----
__device__ __forceinline__ float number_at(const bf16* from, long long at);
__device__ __forceinline__ unsigned pair_fma(unsigned x, unsigned factor, unsigned addend);
__device__ __forceinline__ unsigned rounded_pair(float first, float second);
__device__ __forceinline__ void pairs_of_u4(unsigned word, unsigned* pairs);
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
template <int kElems, class Elem>
__device__ __forceinline__ void copy_async(unsigned target, const Elem* source, int valid);
__device__ __forceinline__ void commit_copies();
template <int kNewer>
__device__ __forceinline__ void wait_copies();
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ void read_shared(uint4& word, unsigned address);
__device__ __forceinline__ void read_shared(uint2& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned short& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned char& word, unsigned address);
__device__ __forceinline__ int copy_a_mn_base(int thread);
__device__ __forceinline__ int copy_a_mn(int value);
__device__ __forceinline__ int copy_a_k_base(int thread);
__device__ __forceinline__ int copy_a_k(int value);
__device__ __forceinline__ int place_a(int value);
__device__ __forceinline__ int copy_b_mn_base(int thread);
__device__ __forceinline__ int copy_b_mn(int value);
__device__ __forceinline__ int copy_b_k_base(int thread);
__device__ __forceinline__ int copy_b_k(int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ int out_m_base(int thread);
__device__ __forceinline__ int out_m(int value);
__device__ __forceinline__ int out_n_base(int thread);
__device__ __forceinline__ int out_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc);
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j);

// kernel/straight.cu: each block computes one tile of D from fragments that every thread loads itself: nothing
// of A and B lies in shared memory. Groups of threads may share out K. In time:
//   every group   asks for all fragments of its part of k-tile 0, multiplies them  ...  of k-tile 1  ...
//   the others    leave their sums in shared memory
//   the first     adds them in order, stores D
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_16x8x1408_straight_786cbe59(
    const ElemA* a,
    const ElemB* b,
    ElemD* d,
    const unsigned char* a_scale,
    long long a_scale_inner,
    long long a_scale_outer,
    long long a_scale_batch_stride,
    int n,
    long long ldb,
    long long ldd,
    long long batch_stride_a,
    long long batch_stride_b,
    long long batch_stride_d
) {
  extern __shared__ __align__(16) unsigned char smem[];
  const int thread = threadIdx.x;
  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

  constexpr int m = 4096;
  constexpr int k = 4096;
  constexpr long long lda = 4096;
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
                          static_cast<long long>(first_n + copy_b_mn_base(thread)) * ldb +
                          copy_b_k_base(thread);
  // copy/convert.cu: a thread's fragment of A as memory has it, contiguous along K.
  constexpr int kOfWordA = 32 / 4;
  constexpr int kStoredBytesA = kCopyElemsA * 4 / 8;
  constexpr int kWordsA = (kStoredBytesA + 3) / 4;
  union StoredA {
    Word<kStoredBytesA>::type word;
    u4 elem[kStoredBytesA];
    unsigned part[kWordsA];
  };
  // copy/convert.cu (tile): a thread's fragments of a tile of A on their way from memory, the numbers of their blocks, what they become.
  StoredA a_stored[kCopiesA];
  VectorA a_staged[kCopiesA];
  bf16 a_scale_of[kCopiesA] = {};
  const auto is_inside_a = [&](int mn, int along_k) { return along_k < a_k_left; };
  // copy/convert.cu (ring): a thread's vectors of A on their way to stages as memory has them, where it looks for its own alone, and
  // on from there to registers, with the numbers of their blocks; zeros past the edge.
  const unsigned a_ring = shared_address(smem + kStoredAtA) + thread * kStoredBytesA;
  const unsigned char* a_asked = reinterpret_cast<const unsigned char*>(a) + ((a_source - a) * 4 >> 3);
  int a_asked_left = a_k_left;
  int a_numbers_left = a_k_left;
  bf16 a_scale_next[kCopiesA];
  const long long a_scale_first = matrix * a_scale_batch_stride + (m - a_left) * a_scale_outer;
  const auto ask_a = [&](int stage) {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      copy_async<kStoredBytesA>(a_ring + (stage * kCopiesA + i) * (kThreads * kStoredBytesA),
                              a_asked + (mn * lda + along_k) * 4 / kOfWordA, along_k < a_asked_left ? kStoredBytesA : 0);
    }
    a_asked += kTileK * 4 / kOfWordA;
    a_asked_left -= kTileK;
  };
  const auto load_a = [&](int stage) {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      read_shared(a_stored[i].word, a_ring + (stage * kCopiesA + i) * (kThreads * kStoredBytesA));
      a_scale_of[i] = a_scale_next[i];
    }
  };
  // copy/convert.cu (ring numbers): the numbers of a ring's blocks on their way to registers, a k-tile ahead.
  const auto ask_numbers_a = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const int mn = copy_a_mn(i * kCopyElemsA), along_k = copy_a_k(i * kCopyElemsA);
      const unsigned row = m - a_left + mn, place = k - a_numbers_left + along_k;
      if (along_k < a_numbers_left) {
        a_scale_next[i] = reinterpret_cast<const bf16*>(a_scale)[a_scale_first + mn * a_scale_outer + place / 128 * a_scale_inner];
      } else {
        a_scale_next[i] = {};
      }
    }
    a_numbers_left -= kTileK;
  };
  // copy/convert.cu (settle pairs): what is multiplied, two neighbours at a time in the type that is; past the edge that is zero.
  const auto settle_a = [&] {
    #pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      // convert/pairs.cu (constants): 1, and what two neighbours are less, in the type that is multiplied.
      const unsigned one = 0x3f803f80, less = 0xc308c308;
      // convert/pairs.cu (factor): the block's scale, for two neighbours.
      const float factor = number_at(a_scale_of, i);
      const unsigned scale = rounded_pair(factor, factor);
      #pragma unroll
      for (int word = 0; word < kWordsA; ++word) {
        unsigned pairs[kOfWordA / 2];
        pairs_of_u4(a_stored[i].part[word], pairs);
        #pragma unroll
        for (int p = 0; p < kOfWordA / 2 && p < kCopyElemsA / 2; ++p) {
          unsigned& pair = pairs[p];
          // convert/pairs.cu (less): q - zero as pair * 1 - less: whole numbers that the type holds, and so is what is left. Nothing is rounded.
          pair = pair_fma(pair, one, less);
          // convert/pairs.cu (times): (q - zero) * scale, rounded once; -0 is added, which leaves the sign of a zero.
          pair = pair_fma(pair, scale, 0x80008000);
          a_staged[i].part[word * kOfWordA / 2 + p] = pair;
        }
      }
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
          b_source + (mn * ldb + along_k), mn < b_left && along_k < b_k_left ? kCopyElemsB : 0);
    }
    b_source += kTileK;
    b_k_left -= kTileK;
  };
  // fragment/vector_read.cu (sorted words): likewise of 16 bits, two neighbours in each register of a fragment as in what was loaded:
  // taken apart, they would be put together again.
  const auto feed_a = [&](FragmentA& fragment, int, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first / 2; i < end / 2; ++i) {
      const int place = place_a(k_step * kFragmentA + 2 * i);
      fragment.reg[i] = a_staged[place / kCopyElemsA].part[place % kCopyElemsA / 2];
    }
  };
  // fragment/vector_read.cu (staged words): likewise of 16 bits, two neighbours in each register: beside words that are converted what is
  // taken apart would be put together again.
  const auto feed_b = [&](FragmentB& fragment, int, int k_step, int first, int end) {
    #pragma unroll
    for (int i = first / 2; i < end / 2; ++i) {
      const int value = k_step * kFragmentB + 2 * i;
      fragment.reg[i] = b_staged[value / kCopyElemsB].part[value % kCopyElemsB / 2];
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
  // mainloop/straight.cu (products of a ring): all k-tiles. What is stored of the next ones is on its way to stages, where each thread finds
  // what it asked for itself: no thread waits for another.
  const int k_tiles = (k + kTileK - 1) / kTileK;
  for (int ahead = 0; ahead < kStages - 1; ++ahead) {
    if (ahead < k_tiles) {
      ask_a(ahead);
    }
    commit_copies();
  }
  ask_numbers_a();
  int stage = 0;
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    load_b();
    wait_copies<kStages - 2>();
    load_a(stage);
    if (k_tile + kStages - 1 < k_tiles) {
      const int left = stage == 0 ? kStages - 1 : stage - 1;
      ask_a(left);
    }
    commit_copies();
    ask_numbers_a();
    settle_a();
    multiply(0);
    stage = stage + 1 == kStages ? 0 : stage + 1;
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
    ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_col) * ldd + out_row;
    #pragma unroll
    for (int first = 0; first < kAccumulators; first += kInFlight * kOutElems) {
      #pragma unroll
      for (int turn = 0; turn < kInFlight; ++turn) {
        const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
        // epilogue/vector.cu (outside): what does not begin inside D is nobody's. Where N may cut a vector, how much of it lies inside is
        // said where it counts: a number for both would be kept for every column until the last row.
        if (out_col + col > n - kOutElems) continue;
        Vector<ElemD, kOutElems> result;
        #pragma unroll
        for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(acc.elem[out_acc(i + e)]);
        put_vector(d_thread + col * ldd + row, result, kOutElems);
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
// convert/u4.cu: the low half of a byte.
__device__ __forceinline__ int to_compute(u4 x) { return x.bits; }
// move/convert.cu (number): an element as a number.
__device__ __forceinline__ float number_at(const bf16* from, long long at) { return static_cast<float>(to_compute(from[at])); }
// convert/pairs.cu: a step on two neighbours of 16 bits that rounds each once: x * factor + addend.
__device__ __forceinline__ unsigned pair_fma(unsigned x, unsigned factor, unsigned addend) {
  unsigned result;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(factor), "r"(addend));
  return result;
}
// convert/pairs.cu (rounded): two neighbours rounded together; the first in the lower half (sm_80).
__device__ __forceinline__ unsigned rounded_pair(float first, float second) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
// convert/pairs.cu (masked): what is of an element in each place of a word, turned into another's bits: word & mask ^ bits.
__device__ __forceinline__ unsigned masked(unsigned word, unsigned mask, unsigned bits) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits));
  return result;
}
// convert/pairs.cu (half): the 8 elements of 4 bits in a word as the last bits of larger numbers, two neighbours in each of `pairs`:
// 0x4300 | q is 128 + q in bf16, whose last bit of fraction is 1 there. A byte permutation brings bytes i of the word and of the word 4 bits on, elements 2i
//   and 2i + 1, to the two halves.
__device__ __forceinline__ void pairs_of_u4(unsigned word, unsigned* pairs) {
  const unsigned odd = word >> 4;
  #pragma unroll
  for (unsigned i = 0; i < 4; ++i) pairs[i] = masked(__byte_perm(word, odd, 0x4400 + 0x1111 * i), 0x000f000f, 0x43004300);
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

// prelude/dependent_launch.cu: a kernel may begin while the one before it ends (sm_90). Until that one
// has ended and shown what it wrote, nothing that a run names may be touched.
__device__ __forceinline__ void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
// Lets the next kernel begin once every block has said so.
__device__ __forceinline__ void release_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// prelude/read_shared.cu: words from addresses of shared memory. What is added to an address last is part of the
// instruction.
__device__ __forceinline__ void read_shared(uint4& word, unsigned address) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "r"(address));
}
__device__ __forceinline__ void read_shared(uint2& word, unsigned address) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(word.x), "=r"(word.y) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned& word, unsigned address) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned short& word, unsigned address) {
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(word) : "r"(address));
}
__device__ __forceinline__ void read_shared(unsigned char& word, unsigned address) {
  unsigned short wide;
  asm volatile("ld.shared.u8 %0, [%1];" : "=h"(wide) : "r"(address));
  word = static_cast<unsigned char>(wide);
}

// ---- A: where it is copied from, put, and read ----
// copy_a_mn: m of a thread's fragments.
//   thread (4,8,11):(0,1,0)   value (32,2):(0,8)
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 4 % 8;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return (value / 32) * 8;
}
// copy_a_k: k of a thread's fragments.
//   thread (4,8,11):(32,0,128)   value (32,2):(1,0)
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 4) * 32 + (thread / 32) * 128;
}
__device__ __forceinline__ int copy_a_k(int value) {
  return value % 32;
}
// place_a: when a value of A's fragments is loaded.
//   (2,2,16):(1,32,2)
__device__ __forceinline__ int place_a(int value) {
  return value % 2 + (value / 2 % 2) * 32 + (value / 4) * 2;
}

// ---- B: likewise ----
// copy_b_mn: n of a thread's fragments.
//   thread (4,8,11):(0,1,0)   value 32:0
__device__ __forceinline__ int copy_b_mn_base(int thread) {
  return thread / 4 % 8;
}
__device__ __forceinline__ int copy_b_mn(int value) {
  return 0;
}
// copy_b_k: k of a thread's fragments.
//   thread (4,8,11):(32,0,128)   value 32:1
__device__ __forceinline__ int copy_b_k_base(int thread) {
  return (thread % 4) * 32 + (thread / 32) * 128;
}
__device__ __forceinline__ int copy_b_k(int value) {
  return value;
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
