// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   sums of 64 of K are added to those before
//   products (1,0) (0,1) (0,0) of terms of A and of B, each of which a stage holds
//   A (M,K) tf32, K-major, ld run-time; 4 elements an access
//   B (N,K) tf32, K-major, ld 4096; 4 elements an access
//   C (M,N) f32, row-major, ld run-time; 2 elements an access
//   D (M,N) f32, row-major, ld run-time; 2 elements an access
//   384 threads (consumer 8 warps of 232 registers, producer 4 warps of 40 registers) compute a tile of (128,192,16): M, N, K of a stage
//   stages 5, slices of K 1
// SM90_64x192x8_F32TF32TF32_SS_TN: atoms (2,1,1):(1,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((128,2),((64,8),(1,1))):((0,64),((1,128),(0,0)))
//   B (n + N*k)  (256,((192,8),(1,1))):(0,((1,192),(0,0)))
//   D (m + M*n)  ((4,8,8),((2,2,24),(1,1))):((256,1,16),((128,8,1024),(0,0)))
//   shared a from 0, 81920 bytes, aligned to 512, copies 5, whole_kernel
//   shared b from 81920, 122880 bytes, aligned to 512, copies 5, whole_kernel
//   shared full from 204800, 40 bytes, aligned to 8, copies 5, whole_kernel
//   shared free from 204840, 40 bytes, aligned to 8, copies 5, whole_kernel
//   one copy of a as (m,k) -> element  Sw<2,2,3>o0o(128,(16,1),2):(16,(1,2048),2048)
//   one copy of b as (n,k) -> element  Sw<2,2,3>o0o(192,(16,1),2):(16,(1,3072),3072)
//   signal full mbarrier x5, 1 arrivals and 40960 bytes in the cluster, producer > consumer
//   signal free mbarrier x5, 4 arrivals and 0 bytes in the cluster, consumer > producer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     36  types
//     68  constants: the tile, the ways of A and B, the accumulators
//    148  what the kernel calls
//    195  the kernel
//    393  conversions, accesses to memory, instructions
//    544  where threads find A
//    559  where threads find B
//    574  how D leaves; the multiplication

// convert/tf32.cu: an f32 whose low 13 bits do not count.
struct tf32 { unsigned bits; };
// convert/f32.cu
typedef float f32;
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
constexpr int kTileN = 192;              // columns of D that a block computes
constexpr int kTileK = 16;               // k of one stage
constexpr int kStages = 5;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 16;         // tiles along M that run together
constexpr int kConsumerWarps = 8;        // the producer's come after them
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kClusterM = 2;             // blocks along M that share tiles of B
constexpr int kClusterN = 1;             // blocks along N that share tiles of A
constexpr int kClusterBlocks = 2;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 40960;        // of a stage
constexpr int kFreeArrivals = 4;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 81920;          // B's stages
constexpr int kFullOffset = 204800;      // barriers of stages that land
constexpr int kFreeOffset = 204840;      // barriers of stages that are read
constexpr int kPromoteTiles = 4;         // k-tiles that the tensor core sums before threads add them
constexpr int kProducts = 3;             // of terms of a k-tile
constexpr int kTerms = 2;                // of an operand, each a matrix, and a copy in a stage
constexpr int kTermBits = 4;             // that name a term
constexpr int kTermMask = 15;            // of them
constexpr int kTermsOfA = 1;             // by product, from the lowest bits on
constexpr int kTermsOfB = 16;            // likewise
constexpr unsigned long long kMatrixA = 2ull << 62 | 32ull << 32 | 1ull << 16;  // A's matrices: swizzle of 64 bytes, patterns 512 apart, leading 16
constexpr unsigned long long kMatrixB = 2ull << 62 | 32ull << 32 | 1ull << 16;  // B's matrices: swizzle of 64 bytes, patterns 512 apart, leading 16
constexpr int kKSteps = 2;               // instructions along K in a stage
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one term to the next
constexpr int kBoxesA = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 16;           // contiguous elements of a box
constexpr int kBoxOuterA = 128;          // rows of a box
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 12288;      // from one term to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 16;           // contiguous elements of a box
constexpr int kBoxOuterB = 96;           // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 96;        // elements of D
constexpr int kAtomRegistersC = 96;      // registers of one instruction
constexpr int kAccumulatorRegisters = 96; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 2;             // elements of one store to D
constexpr int kInElems = 2;              // elements of one load from C
constexpr int kInFlight = 16;            // of its stores that ask together

// prelude/mbarrier.cu: barriers in shared memory that count arrivals and bytes, phase by phase.
constexpr int kBarrierBytes = 8;

// prelude/tma.cu: boxes of a tensor map, moved behind the program's back (sm_90). Coordinates count
// elements: the contiguous dimension, the other, the matrix of the batch.
struct alignas(64) TensorMap { unsigned char bytes[128]; };

// prelude/wgmma.cu: products that a group of four warps starts and waits for (sm_90a).
// Matrix descriptors count addresses in units of 16 bytes, and hold 14 bits of them.
constexpr int kMatrixUnit = 16;

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
__device__ __forceinline__ bool elected();
__device__ __forceinline__ unsigned settled_address(const void* pointer);
__device__ __forceinline__ void init_barrier(unsigned barrier, int arrivals);
__device__ __forceinline__ void publish_barriers();
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes);
__device__ __forceinline__ void wait_for(unsigned barrier, int parity);
__device__ __forceinline__ void prefetch_map(const TensorMap& map);
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ void load_box_for(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full, unsigned blocks);
__device__ __forceinline__ int cluster_rank();
__device__ __forceinline__ unsigned in_block(unsigned address, int rank);
__device__ __forceinline__ void arrive_in_cluster(unsigned barrier);
__device__ __forceinline__ void cluster_barrier();
__device__ __forceinline__ unsigned long long matrix_address(unsigned address);
__device__ __forceinline__ void fence_products();
__device__ __forceinline__ void commit_products();
template <int kNewest>
__device__ __forceinline__ void wait_products();
__device__ __forceinline__ void hold(float& accumulator);
__device__ __forceinline__ void hold(unsigned& accumulator);
template <int kCount>
__device__ __forceinline__ void give_registers_away();
template <int kCount>
__device__ __forceinline__ void take_registers();
__device__ __forceinline__ int box_a(int value);
__device__ __forceinline__ int matrix_a_base(int thread);
__device__ __forceinline__ int matrix_a(int base, int value);
__device__ __forceinline__ int box_b(int value);
__device__ __forceinline__ int matrix_b_base(int thread);
__device__ __forceinline__ int matrix_b(int base, int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ int out_m_base(int thread);
__device__ __forceinline__ int out_m(int value);
__device__ __forceinline__ int out_n_base(int thread);
__device__ __forceinline__ int out_n(int value);
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds);
__device__ __forceinline__ int clusters_of(int m, int n, int batch);
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_tf32_128x192x16_s5_4f1fa1fd(
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
  // specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
  const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
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
    for (int term = 0; term < kTerms; ++term)
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box)
      load_box(shared + kOffsetA + (stage * kTerms + term) * kStageBytesA + box_a(box), map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, at.matrix * kTerms + term, stage_full);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = k_tile * kTileK, b_outer = at.tile_n * kTileN + rank % kClusterM * 96;
    #pragma unroll
    for (int term = 0; term < kTerms; ++term)
    #pragma unroll
    for (int box = 0; box < kBoxesB; ++box)
      load_box_for(shared + kOffsetB + (stage * kTerms + term) * kStageBytesB + box_b(rank % kClusterM + 2 * box), map_b,
               b_inner + box % kBoxesInnerB * kBoxInnerB, b_outer + box / kBoxesInnerB * kBoxOuterB, at.matrix * kTerms + term, stage_full, 0x3u
                   << rank / kClusterM * kClusterM);
  };
  // specialised/start.cu (after the barrier): every thread of the block sees the barriers before anybody loads.
  if (thread == 0) {
    #pragma unroll
    for (int stage = 0; stage < kStages; ++stage) {
      init_barrier(full + kBarrierBytes * stage, kFullArrivals);
      init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
    }
    publish_barriers();
  }
  if (thread == 32 * kConsumerWarps) {
    prefetch_map(map_a);
    prefetch_map(map_b);
  }
  cluster_barrier();
  wait_for_previous_kernel();
  if (warp >= kConsumerWarps) {
    // specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
    give_registers_away<40>();
    if (warp == kConsumerWarps && elected()) {
      Pipe pipe;
      #pragma unroll 1
      for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
        const Place at = place_of(cluster, rank, m, n);
        #pragma unroll 1
        for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
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
    // specialised/release.cu (cluster): a group says to each block of the cluster that it has read a stage.
    const unsigned free_there = in_block(free, in_group < kClusterBlocks ? in_group : 0);
    const auto release_stage = [&](int stage) {
      if (in_group < kClusterBlocks) arrive_in_cluster(free_there + kBarrierBytes * stage);
    };
    // specialised/ping_pong.cu (one): all groups multiply parts of the same tile.
    const int member = group, worker = thread, my_first = first_cluster, my_step = cluster_step;
    // specialised/products.cu (matrices): descriptors of this group's matrices in stage 0.
    const unsigned long long a_matrix = kMatrixA | matrix_address(shared + kOffsetA + matrix_a_base(member));
    const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, m, n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/raster.cu (origin): where the tile begins.
      const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
      // specialised/products.cu (promoted): the tensor core reads stages itself and keeps few bits of sums, so that
      // every 64 of k are summed on their own and then added in full; meanwhile other groups multiply.
      FragmentC part;
      #pragma unroll
      for (int i = 0; i < kAccumulators; ++i) acc.elem[i] = 0;
      #pragma unroll 1
      for (int k_tile = 0; k_tile < k_tiles;) {
        const int run_start = k_tile;
        int previous = 0;
        #pragma unroll 1
        do {
          wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
          fence_products();
          // specialised/products.cu (terms): one product of terms of the k-tile behind the other, the smallest first. A stage
          // holds all terms of its tiles.
          #pragma unroll
          for (int product = 0; product < kProducts; ++product) {
            const int copy_of_a = pipe.stage * kTerms + (kTermsOfA >> kTermBits * product & kTermMask);
            const int copy_of_b = pipe.stage * kTerms + (kTermsOfB >> kTermBits * product & kTermMask);
            const unsigned long long stage_a = a_matrix + copy_of_a * (kStageBytesA / kMatrixUnit);
            const unsigned long long stage_b = b_matrix + copy_of_b * (kStageBytesB / kMatrixUnit);
            #pragma unroll
            for (int k_step = 0; k_step < kKSteps; ++k_step) {
              #pragma unroll
              for (int j = 0; j < kRepeatN; ++j) {
                #pragma unroll
                for (int i = 0; i < kRepeatM; ++i)
                  mma(part.reg + kAtomRegistersC * (i + kRepeatM * j),
                      stage_a + matrix_a(0, i + kRepeatM * k_step) / kMatrixUnit,
                      stage_b + matrix_b(0, j + kRepeatN * k_step) / kMatrixUnit, k_tile > run_start || product > 0 || k_step > 0);
              }
            }
          }
          commit_products();
          wait_products<1>();
          if (k_tile > run_start) release_stage(previous);
          previous = pipe.stage;
          pipe.next();
        } while (++k_tile % kPromoteTiles > 0 && k_tile < k_tiles);
        wait_products<0>();
        release_stage(previous);
        #pragma unroll
        for (int i = 0; i < kAccumulatorRegisters; ++i) hold(part.reg[i]);
        #pragma unroll
        for (int i = 0; i < kAccumulators; ++i) acc.elem[i] += part.elem[i];
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
  // specialised/release.cu (leave): a block's shared memory stays until its neighbours are done with it.
  __syncwarp();
  cluster_barrier();
}

// ---- How it is done ----
// convert/tf32.cu: an f32 whose low 13 bits do not count.
__device__ __forceinline__ float to_compute(tf32 x) { return __uint_as_float(x.bits & 0xffffe000u); }
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

// prelude/shared_address.cu (settled): shared memory as instructions name it, a number that the compiler computes once.
__device__ __forceinline__ unsigned settled_address(const void* pointer) {
  unsigned address = shared_address(pointer);
  asm volatile("" : "+r"(address));
  return address;
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

// prelude/tma.cu (multicast): the same box for every block of the cluster whose bit is set in `blocks`,
// at the same place in the shared memory of each, counted by the same barrier of each.
__device__ __forceinline__ void load_box_for(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full, unsigned blocks) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
      :
      : "r"(target), "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(full), "h"(static_cast<unsigned short>(blocks))
      : "memory");
}

// prelude/cluster.cu: blocks that share what they load (sm_90).
__device__ __forceinline__ int cluster_rank() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// The same shared address in block `rank` of the cluster.
__device__ __forceinline__ unsigned in_block(unsigned address, int rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ __forceinline__ void arrive_in_cluster(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// prelude/wgmma.cu: products that a group of four warps starts and waits for (sm_90a).
__device__ __forceinline__ unsigned long long matrix_address(unsigned address) { return (address & 0x3ffff) / kMatrixUnit; }
__device__ __forceinline__ void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// All but the newest groups of products are done.
template <int kNewest>
__device__ __forceinline__ void wait_products() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kNewest) : "memory"); }
// Keeps the compiler from reading an accumulator before its products are waited for.
__device__ __forceinline__ void hold(float& accumulator) { asm volatile("" : "+f"(accumulator)::"memory"); }
__device__ __forceinline__ void hold(unsigned& accumulator) { asm volatile("" : "+r"(accumulator)::"memory"); }

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
// matrix_a: where a group's matrices of A begin; bytes.
//   thread 2:4096   value 2:32
__device__ __forceinline__ int matrix_a_base(int thread) {
  return thread * 4096;
}
__device__ __forceinline__ int matrix_a(int base, int value) {
  return base + value * 32;
}

// ---- B: likewise ----
// box_b: where a box of B begins in its stage; bytes.
//   (2,1,1):(6144,0,0)
__device__ __forceinline__ int box_b(int value) {
  return (value % 2) * 6144;
}
// matrix_b: where a group's matrices of B begin; bytes.
//   thread 2:0   value 2:32
__device__ __forceinline__ int matrix_b_base(int thread) {
  return 0;
}
__device__ __forceinline__ int matrix_b(int base, int value) {
  return base + value * 32;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (2,24,2):(1,4,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 24) * 4 + (value / 48) * 2;
}
// out_m: row of D in the tile, in store order.
//   thread (4,8,8):(0,1,16)   value (48,2):(0,8)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread / 4 % 8 + (thread / 32) * 16;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 48) * 8;
}
// out_n: column of D in the tile, in store order.
//   thread (4,64):(2,0)   value (2,24,2):(1,8,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread % 4) * 2;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 2 + (value / 2 % 24) * 8;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/wgmma.cu: SM90_64x192x8_F32TF32TF32_SS_TN; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say. What begins anew is said by -1: of a 0 compilers would make the
// register of an accumulator that is 0, and so read it behind the fence.
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds ? 1 : -1};
  asm volatile("{ .reg .pred scale_d; setp.gt.s32 scale_d, %98, 0; wgmma.mma_async.sync.aligned.m64n192k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, "
      "%72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, "
      "%88, %89, %90, %91, %92, %93, %94, %95}, "
      "%96, %97, scale_d, 1, 1; }"
      : "+f"(d_reg[0]), "+f"(d_reg[1]), "+f"(d_reg[2]), "+f"(d_reg[3]), "+f"(d_reg[4]), "+f"(d_reg[5]), "+f"(d_reg[6]), "+f"(d_reg[7]),
        "+f"(d_reg[8]), "+f"(d_reg[9]), "+f"(d_reg[10]), "+f"(d_reg[11]), "+f"(d_reg[12]), "+f"(d_reg[13]), "+f"(d_reg[14]), "+f"(d_reg[15]),
        "+f"(d_reg[16]), "+f"(d_reg[17]), "+f"(d_reg[18]), "+f"(d_reg[19]), "+f"(d_reg[20]), "+f"(d_reg[21]), "+f"(d_reg[22]), "+f"(d_reg[23]),
        "+f"(d_reg[24]), "+f"(d_reg[25]), "+f"(d_reg[26]), "+f"(d_reg[27]), "+f"(d_reg[28]), "+f"(d_reg[29]), "+f"(d_reg[30]), "+f"(d_reg[31]),
        "+f"(d_reg[32]), "+f"(d_reg[33]), "+f"(d_reg[34]), "+f"(d_reg[35]), "+f"(d_reg[36]), "+f"(d_reg[37]), "+f"(d_reg[38]), "+f"(d_reg[39]),
        "+f"(d_reg[40]), "+f"(d_reg[41]), "+f"(d_reg[42]), "+f"(d_reg[43]), "+f"(d_reg[44]), "+f"(d_reg[45]), "+f"(d_reg[46]), "+f"(d_reg[47]),
        "+f"(d_reg[48]), "+f"(d_reg[49]), "+f"(d_reg[50]), "+f"(d_reg[51]), "+f"(d_reg[52]), "+f"(d_reg[53]), "+f"(d_reg[54]), "+f"(d_reg[55]),
        "+f"(d_reg[56]), "+f"(d_reg[57]), "+f"(d_reg[58]), "+f"(d_reg[59]), "+f"(d_reg[60]), "+f"(d_reg[61]), "+f"(d_reg[62]), "+f"(d_reg[63]),
        "+f"(d_reg[64]), "+f"(d_reg[65]), "+f"(d_reg[66]), "+f"(d_reg[67]), "+f"(d_reg[68]), "+f"(d_reg[69]), "+f"(d_reg[70]), "+f"(d_reg[71]),
        "+f"(d_reg[72]), "+f"(d_reg[73]), "+f"(d_reg[74]), "+f"(d_reg[75]), "+f"(d_reg[76]), "+f"(d_reg[77]), "+f"(d_reg[78]), "+f"(d_reg[79]),
        "+f"(d_reg[80]), "+f"(d_reg[81]), "+f"(d_reg[82]), "+f"(d_reg[83]), "+f"(d_reg[84]), "+f"(d_reg[85]), "+f"(d_reg[86]), "+f"(d_reg[87]),
        "+f"(d_reg[88]), "+f"(d_reg[89]), "+f"(d_reg[90]), "+f"(d_reg[91]), "+f"(d_reg[92]), "+f"(d_reg[93]), "+f"(d_reg[94]), "+f"(d_reg[95])
      : "l"(a_reg[0]), "l"(b_reg[0]), "r"(scale_d_reg[0])
      : "memory");
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
