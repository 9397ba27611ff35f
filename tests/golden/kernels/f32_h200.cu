// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) f32, K-major, ld run-time; 4 elements an access
//   B (N,K) f32, MN-major, ld 4096; 4 elements an access
//   C (M,N) f32, row-major, ld run-time; 4 elements an access
//   D (M,N) f32, row-major, ld run-time; 4 elements an access
//   384 threads (consumer 8 warps of 232 registers, producer 4 warps of 40 registers) compute a tile of (128,128,32): M, N, K of a stage
//   stages 6, slices of K 1
// UniversalFMA<float>: atoms ((2,2,4),(8,2),1):((1,16,32),(2,128),0), permutation ((16,1,8):(1,1,16),(16,4,2):(4,1,64),_); (thread,value) of the TiledMma's
//   tile:
//   A (m + M*k)  ((2,8,8,2),(1,(8,1))):((1,0,2,0),(0,(16,0)))
//   B (n + N*k)  ((2,8,8,2),(1,((4,2),1))):((0,4,0,32),(0,((1,64),0)))
//   D (m + M*n)  ((2,8,8,2),(1,(8,(4,2)))):((1,512,2,4096),(0,(16,(128,8192))))
//   shared a from 0, 98304 bytes, aligned to 1024, copies 6, whole_kernel
//   shared b from 98304, 98304 bytes, aligned to 128, copies 6, whole_kernel
//   shared full from 196608, 48 bytes, aligned to 8, copies 6, whole_kernel
//   shared free from 196656, 48 bytes, aligned to 8, copies 6, whole_kernel
//   one copy of a as (m,k) -> element  Sw<3,2,3>o0o(128,(32,1)):(32,(1,4096))
//   one copy of b as (n,k) -> element  (128,32):(1,128)
//   signal full mbarrier x6, 1 arrivals and 32768 bytes in the block, producer > consumer
//   signal free mbarrier x6, 8 arrivals and 0 bytes in the block, consumer > producer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     35  types
//     67  constants: the tile, the ways of A and B, the accumulators
//    147  what the kernel calls
//    194  the kernel
//    407  conversions, accesses to memory, instructions
//    539  where threads find A
//    560  where threads find B
//    580  how D leaves; the multiplication

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
constexpr int kThreads = 384;            // threads of a block
constexpr int kBlocksPerSm = 1;          // blocks that an SM's registers are shared by
constexpr int kTileM = 128;              // rows of D that a block computes
constexpr int kTileN = 128;              // columns of D that a block computes
constexpr int kTileK = 32;               // k of one stage
constexpr int kStages = 6;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kConsumerWarps = 8;        // the producer's come after them
constexpr int kGroupThreads = 32;        // threads that multiply and drain together
constexpr int kClusterM = 1;             // blocks along M that share tiles of B
constexpr int kClusterN = 1;             // blocks along N that share tiles of A
constexpr int kClusterBlocks = 1;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 32768;        // of a stage
constexpr int kFreeArrivals = 8;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 98304;          // B's stages
constexpr int kFullOffset = 196608;      // barriers of stages that land
constexpr int kFreeOffset = 196656;      // barriers of stages that are read
constexpr int kStepsAtOnce = 4;          // instructions along K whose fragments are read together
constexpr int kKSteps = 8;               // such reads in a stage
constexpr int kRepeatM = 8;              // instructions of a warp along M
constexpr int kRepeatN = 8;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 16384;      // from one stage to the next
constexpr int kBoxesA = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 32;           // contiguous elements of a box
constexpr int kBoxOuterA = 128;          // rows of a box
constexpr int kReadsA = 8;               // reads of a k-step
constexpr int kReadElemsA = 4;           // elements of one of them
constexpr int kFragmentA = 32;           // elements of a thread in a k-step
constexpr int kAtomRegistersA = 1;       // registers that one instruction takes
typedef ElemA RegisterA;
typedef Fragment<ElemA, kFragmentA, RegisterA> FragmentA;
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 16384;      // from one stage to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 128;          // contiguous elements of a box
constexpr int kBoxOuterB = 32;           // rows of a box
constexpr int kReadsB = 8;               // reads of a k-step
constexpr int kReadElemsB = 4;           // elements of one of them
constexpr int kFragmentB = 32;           // elements of a thread in a k-step
constexpr int kAtomRegistersB = 1;       // registers that one instruction takes
typedef ElemB RegisterB;
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

// prelude/mbarrier.cu: barriers in shared memory that count arrivals and bytes, phase by phase.
constexpr int kBarrierBytes = 8;

// prelude/tma.cu: boxes of a tensor map, moved behind the program's back (sm_90). Coordinates count
// elements: the contiguous dimension, the other, the matrix of the batch.
struct alignas(64) TensorMap { unsigned char bytes[128]; };

// prelude/pipe.cu: stages in their turn; the parity of a stage's barrier changes every time round.
struct Pipe {
  int stage = 0, parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
struct Place { int tile_m, tile_n, matrix; };

// ---- What the kernel calls ----
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid);
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ unsigned shared_address(const void* pointer);
__device__ __forceinline__ bool elected();
__device__ __forceinline__ void init_barrier(unsigned barrier, int arrivals);
__device__ __forceinline__ void publish_barriers();
__device__ __forceinline__ void arrive(unsigned barrier);
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes);
__device__ __forceinline__ void wait_for(unsigned barrier, int parity);
__device__ __forceinline__ void prefetch_map(const TensorMap& map);
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ int cluster_rank();
__device__ __forceinline__ void cluster_barrier();
__device__ __forceinline__ void hand_to_tma();
__device__ __forceinline__ void read_shared(uint4& word, unsigned address);
__device__ __forceinline__ void read_shared(uint2& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned short& word, unsigned address);
__device__ __forceinline__ void read_shared(unsigned char& word, unsigned address);
template <int kCount>
__device__ __forceinline__ void give_registers_away();
template <int kCount>
__device__ __forceinline__ void take_registers();
__device__ __forceinline__ int box_a(int value);
__device__ __forceinline__ int read_a_base(int thread);
__device__ __forceinline__ int read_a(int base, int value);
__device__ __forceinline__ int value_a(int value);
__device__ __forceinline__ int box_b(int value);
__device__ __forceinline__ int read_b_base(int thread);
__device__ __forceinline__ int read_b(int base, int value);
__device__ __forceinline__ int value_b(int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ int out_m_base(int thread);
__device__ __forceinline__ int out_m(int value);
__device__ __forceinline__ int out_n_base(int thread);
__device__ __forceinline__ int out_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b);
__device__ __forceinline__ Place known_here(Place at);
__device__ __forceinline__ int clusters_of(int m, int n, int batch);
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_f32_128x128x32_s6_6f263ff9(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const ElemC* c,
    ElemD* d,
    int m,
    long long ldc,
    long long ldd,
    int batch,
    long long batch_stride_c,
    long long batch_stride_d,
    float alpha,
    float beta
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  // specialised/start.cu (addresses): where the block's shared memory lies.
  const unsigned shared = shared_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  constexpr int n = 4096;
  constexpr int k = 4096;
  // specialised/k_tiles.cu (all): the k-tiles of a tile of D.
  const int k_tiles = (k + kTileK - 1) / kTileK;
  // specialised/walk.cu: how many tiles there are for clusters, and which come to this block.
  const int clusters = clusters_of(m, n, batch);
  const int rank = cluster_rank(), first_cluster = blockIdx.x / kClusterBlocks, cluster_step = gridDim.x / kClusterBlocks;
  // specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
  const auto load_stage = [&](int stage, int k_tile, const Place& at) {
    const unsigned stage_full = full + kBarrierBytes * stage;
    expect_bytes(stage_full, kFullBytes);
    // specialised/load_stage.cu (boxes): the boxes of A's k-tile, of every term.
    const int a_inner = k_tile * kTileK, a_outer = at.tile_m * kTileM;
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box)
      load_box(shared + kOffsetA + stage * kStageBytesA + box_a(box), map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, at.matrix, stage_full);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = at.tile_n * kTileN, b_outer = k_tile * kTileK;
    #pragma unroll
    for (int box = 0; box < kBoxesB; ++box)
      load_box(shared + kOffsetB + stage * kStageBytesB + box_b(box), map_b,
               b_inner + box % kBoxesInnerB * kBoxInnerB, b_outer + box / kBoxesInnerB * kBoxOuterB, at.matrix, stage_full);
  };
  // specialised/start.cu (by the initialiser): the thread that initialises the barriers asks for the first
  // k-tiles at once; the others see the barriers a little later. Unrolled, barriers cost one fence in all: those of all stages
  // that there is room for, however many a launch has. Where the first tile lies is known before the kernel ahead has ended.
  int loaded = 0;
  if (warp == kConsumerWarps && elected()) {
    prefetch_map(map_a);
    prefetch_map(map_b);
    const Place at = known_here(place_of(first_cluster, rank, m, n));
    #pragma unroll
    for (int stage = 0; stage < (kFreeOffset - kFullOffset) / kBarrierBytes; ++stage) {
      init_barrier(full + kBarrierBytes * stage, kFullArrivals);
      init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
    }
    publish_barriers();
    wait_for_previous_kernel();
    if (first_cluster < clusters) {
      loaded = min(kStages, k_tiles);
      #pragma unroll 1
      for (int stage = 0; stage < loaded; ++stage) load_stage(stage, stage, at);
    }
  }
  cluster_barrier();
  wait_for_previous_kernel();
  if (warp >= kConsumerWarps) {
    // specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
    give_registers_away<40>();
    if (warp == kConsumerWarps && elected()) {
      Pipe pipe;
      // specialised/producer.cu (loaded): the first stages have been asked for.
      if (loaded > 0) pipe = {loaded == kStages ? 0 : loaded, loaded == kStages ? 1 : 0};
      #pragma unroll 1
      for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
        const Place at = place_of(cluster, rank, m, n);
        #pragma unroll 1
        for (int k_tile = cluster == first_cluster ? loaded : 0; k_tile < k_tiles; ++k_tile) {
          wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
          load_stage(pipe.stage, k_tile, at);
          pipe.next();
        }
      }
    }
  } else {
    // specialised/consumer.cu: a group multiplies its part of every k-tile of a tile, then drains it.
    take_registers<232>();
    Pipe pipe;
    FragmentC acc;
    // specialised/group.cu: which group of consumers this thread belongs to, and where in it.
    const int group = warp / (kGroupThreads / 32), in_group = thread % kGroupThreads;
    // specialised/release.cu (block): a group says that it has read a stage.
    const auto release_stage = [&](int stage) {
      if (in_group == 0) arrive(free + kBarrierBytes * stage);
    };
    // specialised/ping_pong.cu (one): all groups multiply parts of the same tile.
    const int member = group, worker = thread, my_first = first_cluster, my_step = cluster_step;
    // specialised/fragments.cu (places): where this thread finds its fragments in stage 0.
    unsigned char *const smem_a = smem + kOffsetA, *const smem_b = smem + kOffsetB;
    const unsigned shared_a = shared + kOffsetA, shared_b = shared + kOffsetB;
    const int a_read = read_a_base(worker), b_read = read_b_base(worker);
    // fragment/vector_read.cu (ordered): the reads `first` up to `end` of the fragments of A of k-steps that are read
    // together: neighbours in shared memory, which have their places among the values of the fragments.
    const auto feed_a = [&](FragmentA& fragment, int stage, int k_step, int first, int end) {
      #pragma unroll
      for (int i = first; i < end; ++i) {
        Vector<ElemA, kReadElemsA> read;
        read_shared(read.word, read_a(shared_a + stage * kStageBytesA + a_read,
                                         k_step * kFragmentA + kReadElemsA * i));
        #pragma unroll
        for (int e = 0; e < kReadElemsA; ++e) fragment.elem[value_a(kReadElemsA * i + e)] = read.elem[e];
      }
    };
    // fragment/vector_read.cu (ordered): the reads `first` up to `end` of the fragments of B of k-steps that are read
    // together: neighbours in shared memory, which have their places among the values of the fragments.
    const auto feed_b = [&](FragmentB& fragment, int stage, int k_step, int first, int end) {
      #pragma unroll
      for (int i = first; i < end; ++i) {
        Vector<ElemB, kReadElemsB> read;
        read_shared(read.word, read_b(shared_b + stage * kStageBytesB + b_read,
                                         k_step * kFragmentB + kReadElemsB * i));
        #pragma unroll
        for (int e = 0; e < kReadElemsB; ++e) fragment.elem[value_b(kReadElemsB * i + e)] = read.elem[e];
      }
    };
    // mma/multiply.cu (steps): the same of k-steps that are read together, one behind the other, where one operand lies along K;
    // along M back and forth, so that one operand stays put.
    const auto multiply = [&](int stage) {
      #pragma unroll
      for (int k_step = 0; k_step < kKSteps; ++k_step) {
        FragmentA a_frag;
        FragmentB b_frag;
        feed_a(a_frag, stage, k_step, 0, kReadsA);
        feed_b(b_frag, stage, k_step, 0, kReadsB);
        #pragma unroll
        for (int step = 0; step < kStepsAtOnce; ++step)
          #pragma unroll
          for (int j = 0; j < kRepeatN; ++j) {
            #pragma unroll
            for (int turn = 0; turn < kRepeatM; ++turn) {
              const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
              mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a_frag.reg + kAtomRegistersA * (i + kRepeatM * step),
                  b_frag.reg + kAtomRegistersB * (j + kRepeatN * step));
            }
          }
      }
    };
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, m, n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/raster.cu (origin): where the tile begins.
      const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
      // specialised/fragments.cu: warps read their fragments of a stage, then multiply. TMA fills the stage again
      // only behind these reads: without the fence those that queue behind other warps' stores may come too late.
      #pragma unroll
      for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
      #pragma unroll 1
      for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
        wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
        multiply(pipe.stage);
        hand_to_tma();
        __syncwarp();
        release_stage(pipe.stage);
        pipe.next();
      }
      if (cluster + cluster_step >= clusters) release_next_kernel();
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

// prelude/tma.cu (elected): one thread of a whole warp, always the same (sm_90). What it alone does the compiler then knows to be
// done once: behind a comparison of thread numbers it writes each TMA instruction as a loop over the warp's lanes.
__device__ __forceinline__ bool elected() {
  unsigned chosen;
  asm volatile("{ .reg .pred leads; elect.sync _|leads, 0xffffffff; selp.b32 %0, 1, 0, leads; }" : "=r"(chosen));
  return chosen != 0;
}

// prelude/mbarrier.cu: barriers in shared memory that count arrivals and bytes, phase by phase.
__device__ __forceinline__ void init_barrier(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
// Shows fresh barriers to TMA and to the cluster.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
// One arrival; the phase now also waits for so many bytes.
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
// Until the phase of this parity is over. For a fresh barrier the phase before its first is.
__device__ __forceinline__ void wait_for(unsigned barrier, int parity) {
  asm volatile(
      "{ .reg .pred over;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
      "@!over bra again; }" ::"r"(barrier), "r"(parity) : "memory");
}

// prelude/tma.cu: boxes of a tensor map, moved behind the program's back (sm_90). Coordinates count
// elements: the contiguous dimension, the other, the matrix of the batch.
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// prelude/tma.cu (load): a box for this block; the barrier `full` counts its bytes.
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
      :
      : "r"(target), "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(full)
      : "memory");
}

// prelude/dependent_launch.cu: a kernel may begin while the one before it ends (sm_90). Until that one
// has ended and shown what it wrote, nothing that a run names may be touched.
__device__ __forceinline__ void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
// Lets the next kernel begin once every block has said so.
__device__ __forceinline__ void release_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// prelude/cluster.cu (of one): a block that shares nothing of what it loads.
__device__ __forceinline__ int cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_barrier() { __syncthreads(); }

// prelude/tma.cu (order): what this thread has read and written in shared memory it has done before TMA does
// what is asked for from now on.
__device__ __forceinline__ void hand_to_tma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

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

// prelude/registers.cu: registers that warps of a role hold; all four warps of a group ask together.
template <int kCount>
__device__ __forceinline__ void give_registers_away() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount)); }
template <int kCount>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount)); }

// ---- A: where it is copied from, put, and read ----
// box_a: where a box of A begins in its stage; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int box_a(int value) {
  return 0;
}
// read_a: where a thread finds its fragments of A; bytes, Sw<3,4,3>, folded.
//   thread (2,8,8,2):(128,0,256,0)   value (4,8,8):(4,2048,0) ^ (32,8):(0,16)
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread % 2) * 128 + (thread / 16 % 8) * 256;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int read_a(int base, int value) {
  return (base ^ ((value / 32) * 16)) + (value % 4) * 4 + (value / 4 % 8) * 2048;
}
// value_a: which value of A's fragments is read when.
//   (4,8):(8,1)
__device__ __forceinline__ int value_a(int value) {
  return (value % 4) * 8 + value / 4;
}

// ---- B: likewise ----
// box_b: where a box of B begins in its stage; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int box_b(int value) {
  return 0;
}
// read_b: where a thread finds its fragments of B; bytes.
//   thread (2,8,8,2):(0,16,0,128)   value (4,4,2,8):(4,512,256,2048)
__device__ __forceinline__ int read_b_base(int thread) {
  return (thread / 2 % 8) * 16 + (thread / 128) * 128;
}
__device__ __forceinline__ int read_b(int base, int value) {
  return base + (value % 4) * 4 + (value / 4 % 4) * 512 + (value / 16 % 2) * 256 + (value / 32) * 2048;
}
// value_b: which value of B's fragments is read when.
//   (4,4,2):(1,8,4)
__device__ __forceinline__ int value_b(int value) {
  return value % 4 + (value / 4 % 4) * 8 + (value / 16) * 4;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (8,8):(8,1)
__device__ __forceinline__ int out_acc(int value) {
  return (value % 8) * 8 + value / 8;
}
// out_m: row of D in the tile, in store order.
//   thread (2,8,8,2):(1,0,2,0)   value (8,8):(0,16)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread % 2 + (thread / 16 % 8) * 2;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 8) * 16;
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

// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
// Computed where it is asked for, not where it is first used.
__device__ __forceinline__ Place known_here(Place at) {
  asm volatile("" : "+r"(at.tile_m), "+r"(at.tile_n), "+r"(at.matrix));
  return at;
}
// specialised/place.cu (walk): blocks that run together cover a compact group of tiles, so that they share
// rows of A and columns of B in the L2 cache; those of a cluster lie side by side.
__device__ __forceinline__ int clusters_of(int m, int n, int batch) {
  return (m + kClusterM * kTileM - 1) / (kClusterM * kTileM) * ((n + kClusterN * kTileN - 1) / (kClusterN * kTileN)) * batch;
}
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  const int clusters_m = (m + kClusterM * kTileM - 1) / (kClusterM * kTileM);
  const int clusters_n = (n + kClusterN * kTileN - 1) / (kClusterN * kTileN);
  const int matrix = cluster / (clusters_m * clusters_n), in_matrix = cluster % (clusters_m * clusters_n);
  const int group = in_matrix / (kRasterWidth * clusters_n), in_group = in_matrix % (kRasterWidth * clusters_n);
  const int group_rows = min(kRasterWidth, clusters_m - group * kRasterWidth);
  return {(group * kRasterWidth + in_group % group_rows) * kClusterM + rank % kClusterM,
          in_group / group_rows * kClusterN + rank / kClusterM, matrix};
}
