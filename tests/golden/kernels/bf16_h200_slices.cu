// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 256, K 16384; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 8 elements an access
//   B (N,K) bf16, K-major, ld 16384; 8 elements an access
//   C (M,N) bf16, row-major, ld run-time; 2 elements an access
//   D (M,N) bf16, row-major, ld run-time; 2 elements an access
//   256 threads (consumer 4 warps, producer 4 warps) compute a tile of (64,64,64): M, N, K of a stage
//   stages 12, slices of K 16
// SM90_64x64x16_F32BF16BF16_SS: atoms (1,1,1):(0,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  (128,((64,16),(1,1))):(0,((1,64),(0,0)))
//   B (n + N*k)  (128,((64,16),(1,1))):(0,((1,64),(0,0)))
//   D (m + M*n)  ((4,8,4),((2,2,8),(1,1))):((128,1,16),((64,8,512),(0,0)))
//   shared a from 0, 98304 bytes, aligned to 1024, copies 12, main_loop
//   shared b from 98304, 98304 bytes, aligned to 1024, copies 12, main_loop
//   shared full from 196608, 96 bytes, aligned to 8, copies 12, whole_kernel
//   shared free from 196704, 96 bytes, aligned to 8, copies 12, whole_kernel
//   one copy of a as (m,k) -> element  Sw<3,3,3>o0o(64,(64,1)):(64,(1,4096))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o(64,(64,1)):(64,(1,4096))
//   signal full mbarrier x12, 1 arrivals and 16384 bytes in the block, producer > consumer
//   signal free mbarrier x12, 1 arrivals and 0 bytes in the block, consumer > producer
//   signal arrived counter x1, 32 arrivals and 0 bytes in the block, consumer > consumer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     35  types
//     67  constants: the tile, the ways of A and B, the accumulators
//    141  what the kernel calls
//    185  the kernel
//    413  conversions, accesses to memory, instructions
//    556  where threads find A
//    571  where threads find B
//    586  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
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
constexpr int kThreads = 256;            // threads of a block
constexpr int kBlocksPerSm = 1;          // blocks that an SM's registers are shared by
constexpr int kTileM = 64;               // rows of D that a block computes
constexpr int kTileN = 64;               // columns of D that a block computes
constexpr int kTileK = 64;               // k of one stage
constexpr int kStages = 12;              // k-tiles in shared memory, landed or on their way
constexpr int kConsumerWarps = 4;        // the producer's come after them
constexpr int kGroups = 1;               // groups of consumers
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 16384;        // of a stage
constexpr int kFreeArrivals = 1;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 98304;          // B's stages
constexpr int kFullOffset = 196608;      // barriers of stages that land
constexpr int kFreeOffset = 196704;      // barriers of stages that are read
constexpr unsigned long long kMatrixA = 1ull << 62 | 64ull << 32 | 1ull << 16;  // A's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr unsigned long long kMatrixB = 1ull << 62 | 64ull << 32 | 1ull << 16;  // B's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one stage to the next
constexpr int kBoxesA = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 64;           // contiguous elements of a box
constexpr int kBoxOuterA = 64;           // rows of a box
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 8192;       // from one stage to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 64;           // contiguous elements of a box
constexpr int kBoxOuterB = 64;           // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 32;        // elements of D
constexpr int kAtomRegistersC = 32;      // registers of one instruction
constexpr int kAccumulatorRegisters = 32; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 2;             // elements of one store to D
constexpr int kInElems = 2;              // elements of one load from C
constexpr int kInFlight = 2;             // of its stores that ask together
constexpr int kSplitK = 16;              // of K, each a block's
constexpr int kPartElems = 4;            // sums that a thread stores at a time
constexpr int kParts = 8;                // times that it does
constexpr int kConsumerThreads = 128;    // who hold its sums

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
__device__ __forceinline__ void arrive(unsigned barrier);
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes);
__device__ __forceinline__ void wait_for(unsigned barrier, int parity);
__device__ __forceinline__ void prefetch_map(const TensorMap& map);
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ int cluster_rank();
__device__ __forceinline__ void cluster_barrier();
__device__ __forceinline__ unsigned count_arrival(unsigned* counter, unsigned last);
__device__ __forceinline__ unsigned arrivals_of(const unsigned* counter);
__device__ __forceinline__ void group_barrier(int group, int threads);
__device__ __forceinline__ unsigned long long matrix_address(unsigned address);
__device__ __forceinline__ void fence_products();
__device__ __forceinline__ void commit_products();
template <int kNewest>
__device__ __forceinline__ void wait_products();
__device__ __forceinline__ void hold(float& accumulator);
__device__ __forceinline__ void hold(unsigned& accumulator);
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
__device__ __forceinline__ Place known_here(Place at);
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_64x64x64_s12_cb3fe10a(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const ElemC* c,
    ElemD* d,
    unsigned* arrived,
    Vector<Accum, kPartElems>* parts,
    int m,
    long long ldc,
    long long ldd,
    long long batch_stride_c,
    long long batch_stride_d,
    float alpha,
    float beta
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  // specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
  const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  constexpr int n = 256;
  constexpr int k = 16384;
  // specialised/k_tiles.cu (slice): the k-tiles of this block's slice.
  const int slice = static_cast<int>(blockIdx.z) % kSplitK;
  const long long all_k_tiles = (k + kTileK - 1) / kTileK;
  const int first_k_tile = static_cast<int>(all_k_tiles * slice / kSplitK);
  const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / kSplitK) - first_k_tile;
  // specialised/walk.cu (one tile): one tile comes to this block.
  const int rank = cluster_rank(), clusters = 1, first_cluster = 0, cluster_step = 1;
  // specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
  const auto load_stage = [&](int stage, int k_tile, const Place& at) {
    const unsigned stage_full = full + kBarrierBytes * stage;
    expect_bytes(stage_full, kFullBytes);
    // specialised/load_stage.cu (boxes): the boxes of A's k-tile, of every term.
    const int a_inner = (first_k_tile + k_tile) * kTileK, a_outer = at.tile_m * kTileM;
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box)
      load_box(shared + kOffsetA + stage * kStageBytesA + box_a(box), map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, at.matrix, stage_full);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = (first_k_tile + k_tile) * kTileK, b_outer = at.tile_n * kTileN;
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
    {
      loaded = min(kStages, k_tiles);
      #pragma unroll 1
      for (int stage = 0; stage < loaded; ++stage) load_stage(stage, stage, at);
    }
  }
  cluster_barrier();
  release_next_kernel();
  wait_for_previous_kernel();
  if (warp >= kConsumerWarps) {
    // specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
    if (warp == kConsumerWarps && elected()) {
      Pipe pipe;
      // specialised/producer.cu (loaded): the first stages have been asked for.
      if (loaded > 0) pipe = {loaded == kStages ? 0 : loaded, loaded == kStages ? 1 : 0};
      #pragma unroll 1
      for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
        const Place at = place_of(cluster, rank, m, n);
        #pragma unroll 1
        for (int k_tile = loaded; k_tile < k_tiles; ++k_tile) {
          wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
          load_stage(pipe.stage, k_tile, at);
          pipe.next();
        }
      }
    }
  } else {
    // specialised/consumer.cu: a group multiplies its part of every k-tile of a tile, then drains it.
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
    // specialised/products.cu (matrices): descriptors of this group's matrices in stage 0.
    const unsigned long long a_matrix = kMatrixA | matrix_address(shared + kOffsetA + matrix_a_base(member));
    const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, m, n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/raster.cu (origin): where the tile begins.
      const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
      // specialised/products.cu: the tensor core reads stages itself; while it multiplies a k-tile, the next
      // one's products are already issued. A stage is free again when its products are done.
      int previous = 0;
      #pragma unroll 1
      for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
        wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
        fence_products();
        // specialised/products.cu (issue): the products of the k-tile that has come, added to what there is.
        const unsigned long long stage_a = a_matrix + pipe.stage * (kStageBytesA / kMatrixUnit);
        const unsigned long long stage_b = b_matrix + pipe.stage * (kStageBytesB / kMatrixUnit);
        #pragma unroll
        for (int k_step = 0; k_step < kKSteps; ++k_step) {
          #pragma unroll
          for (int j = 0; j < kRepeatN; ++j) {
            #pragma unroll
            for (int i = 0; i < kRepeatM; ++i)
              mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j),
                  stage_a + matrix_a(0, i + kRepeatM * k_step) / kMatrixUnit,
                  stage_b + matrix_b(0, j + kRepeatN * k_step) / kMatrixUnit, k_tile > 0 || k_step > 0);
          }
        }
        commit_products();
        // Only this k-tile's products may still run: those of the one before have read their stage.
        wait_products<1>();
        if (k_tile > 0) release_stage(previous);
        previous = pipe.stage;
        pipe.next();
      }
      wait_products<0>();
      if (k_tiles > 0) release_stage(previous);
      #pragma unroll
      for (int i = 0; i < kAccumulatorRegisters; ++i) hold(acc.reg[i]);
      // specialised/products.cu (none): without k-tiles sums are zeros.
      if (k_tiles == 0) {
        #pragma unroll
        for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
      }
      // specialised/slices.cu (parts): where the sums of the tile's slices are left.
      const long long met_tile = blockIdx.x + gridDim.x * (blockIdx.y + static_cast<long long>(gridDim.y) * at.matrix);
      Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;
      // specialised/slices.cu (share): every block of a tile leaves its sums in the workspace, in the order of stores, and
      // waits until all have: they run together. Then each adds parts of the tile, slice by slice, while what else they take is on
      // its way, and stores them.
      typedef Vector<Accum, kPartElems> Part;
      #pragma unroll
      for (int i = 0; i < kParts; ++i) {
        Part mine;
        #pragma unroll
        for (int e = 0; e < kPartElems; ++e) mine.elem[e] = acc.elem[out_acc(kPartElems * i + e)];
        tile_parts[(slice * kParts + i) * kConsumerThreads].word = mine.word;
      }
      group_barrier(kGroups, kConsumerThreads);
      if (thread == 0) {
        count_arrival(arrived + met_tile, 2 * kSplitK - 1);
        while (arrivals_of(arrived + met_tile) < kSplitK) {}
        count_arrival(arrived + met_tile, 2 * kSplitK - 1);  // the last to have seen all leaves it at 0
      }
      group_barrier(kGroups, kConsumerThreads);
      #pragma unroll 1
      for (int own_part = slice; own_part < kParts; own_part += kSplitK) {
        Part sums;
        const auto add_slices = [&] {
          sums.word = tile_parts[own_part * kConsumerThreads].word;
          #pragma unroll 8
          for (int other = 1; other < kSplitK; ++other) {
            Part more;
            more.word = tile_parts[(other * kParts + own_part) * kConsumerThreads].word;
            #pragma unroll
            for (int e = 0; e < kPartElems; ++e) sums.elem[e] = sums.elem[e] + more.elem[e];
          }
        };
        const int part_start = kPartElems * own_part;
        // epilogue/direct.cu: every thread stores what becomes of the accumulators that it holds. What kInFlight stores take it asks for
        // together: C may lie where D does, so no compiler asks ahead of a store.
        const int out_row = first_m + out_m_base(thread), out_col = first_n + out_n_base(thread);
        ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
        // epilogue/c.cu (source by rows): where this thread's part of D starts in C, contiguous along N.
        const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_row) * ldc + out_col;
        #pragma unroll
        for (int first = part_start; first < part_start + kPartElems; first += kInFlight * kOutElems) {
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
            if (i == part_start) add_slices();
            Vector<ElemD, kOutElems> result;
            #pragma unroll
            for (int e = 0; e < kOutElems; ++e) result.elem[e] = epilogue(sums.elem[i - part_start + e], alpha, beta, from_c[turn][e]);
            put_vector(d_thread + row * ldd + col, result, kOutElems);
          }
        }
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

// prelude/cluster.cu (of one): a block that shares nothing of what it loads.
__device__ __forceinline__ int cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_barrier() { __syncthreads(); }

// prelude/arrivals.cu: blocks that count each other.
// From 0 to `last`, and anew from 0. Who counts later sees what was written before.
__device__ __forceinline__ unsigned count_arrival(unsigned* counter, unsigned last) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(last) : "memory");
  return before;
}

// prelude/arrivals.cu (seen): how many blocks there are. Who sees them sees what was written before.
__device__ __forceinline__ unsigned arrivals_of(const unsigned* counter) {
  unsigned count;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
  return count;
}

// prelude/group_barrier.cu: a barrier of one group of threads.
__device__ __forceinline__ void group_barrier(int group, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(1 + group), "r"(threads) : "memory"); }

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

// ---- A: where it is copied from, put, and read ----
// box_a: where a box of A begins in its stage; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int box_a(int value) {
  return 0;
}
// matrix_a: where a group's matrices of A begin; bytes.
//   thread 1:0   value 4:32
__device__ __forceinline__ int matrix_a_base(int thread) {
  return 0;
}
__device__ __forceinline__ int matrix_a(int base, int value) {
  return base + value * 32;
}

// ---- B: likewise ----
// box_b: where a box of B begins in its stage; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int box_b(int value) {
  return 0;
}
// matrix_b: where a group's matrices of B begin; bytes.
//   thread 1:0   value 4:32
__device__ __forceinline__ int matrix_b_base(int thread) {
  return 0;
}
__device__ __forceinline__ int matrix_b(int base, int value) {
  return base + value * 32;
}

// ---- D: from accumulators to memory ----
// out_acc: the accumulator that is stored next.
//   (2,8,2):(1,4,2)
__device__ __forceinline__ int out_acc(int value) {
  return value % 2 + (value / 2 % 8) * 4 + (value / 16) * 2;
}
// out_m: row of D in the tile, in store order.
//   thread (4,8,4):(0,1,16)   value (16,2):(0,8)
__device__ __forceinline__ int out_m_base(int thread) {
  return thread / 4 % 8 + (thread / 32) * 16;
}
__device__ __forceinline__ int out_m(int value) {
  return (value / 16) * 8;
}
// out_n: column of D in the tile, in store order.
//   thread (4,32):(2,0)   value (2,8,2):(1,8,0)
__device__ __forceinline__ int out_n_base(int thread) {
  return (thread % 4) * 2;
}
__device__ __forceinline__ int out_n(int value) {
  return value % 2 + (value / 2 % 8) * 8;
}
// epilogue/expression.cu: D = alpha*acc + beta*c, rounded; every way out of a block calls it.
__device__ __forceinline__ ElemD epilogue(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  ElemD result;
  from_compute(sum, &result);
  return result;
}

// mma/wgmma.cu: SM90_64x64x16_F32BF16BF16_SS; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say. What begins anew is said by -1: of a 0 compilers would make the
// register of an accumulator that is 0, and so read it behind the fence.
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds ? 1 : -1};
  asm volatile("{ .reg .pred scale_d; setp.gt.s32 scale_d, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, scale_d, 1, 1, 0, 0; }"
      : "+f"(d_reg[0]), "+f"(d_reg[1]), "+f"(d_reg[2]), "+f"(d_reg[3]), "+f"(d_reg[4]), "+f"(d_reg[5]), "+f"(d_reg[6]), "+f"(d_reg[7]),
        "+f"(d_reg[8]), "+f"(d_reg[9]), "+f"(d_reg[10]), "+f"(d_reg[11]), "+f"(d_reg[12]), "+f"(d_reg[13]), "+f"(d_reg[14]), "+f"(d_reg[15]),
        "+f"(d_reg[16]), "+f"(d_reg[17]), "+f"(d_reg[18]), "+f"(d_reg[19]), "+f"(d_reg[20]), "+f"(d_reg[21]), "+f"(d_reg[22]), "+f"(d_reg[23]),
        "+f"(d_reg[24]), "+f"(d_reg[25]), "+f"(d_reg[26]), "+f"(d_reg[27]), "+f"(d_reg[28]), "+f"(d_reg[29]), "+f"(d_reg[30]), "+f"(d_reg[31])
      : "l"(a_reg[0]), "l"(b_reg[0]), "r"(scale_d_reg[0])
      : "memory");
}

// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
// Computed where it is asked for, not where it is first used.
__device__ __forceinline__ Place known_here(Place at) {
  asm volatile("" : "+r"(at.tile_m), "+r"(at.tile_n), "+r"(at.matrix));
  return at;
}
// specialised/place.cu (grid): the tile of a block, by its place in the grid; blocks of other slices have it too.
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.z) / kSplitK};
}
