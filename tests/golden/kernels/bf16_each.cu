// acc on sm_90a; acc is A*B, alpha 1, beta 0
//   M run-time, N run-time, K run-time; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 8 elements an access
//   B (N,K) bf16, K-major, ld run-time; 8 elements an access
//   D (M,N) bf16, row-major, ld run-time; 8 elements an access
//   256 threads (consumer 4 warps, producer 4 warps) compute a tile of (64,128,64): M, N, K of a stage
//   stages 8, slices of K 1
// SM90_64x128x16_F32BF16BF16_SS: atoms (1,1,1):(0,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  (128,((64,16),(1,1))):(0,((1,64),(0,0)))
//   B (n + N*k)  (128,((128,16),(1,1))):(0,((1,128),(0,0)))
//   D (m + M*n)  ((4,8,4),((2,2,16),(1,1))):((128,1,16),((64,8,512),(0,0)))
//   shared a from 0, 65536 bytes, aligned to 1024, copies 8, whole_kernel
//   shared b from 65536, 131072 bytes, aligned to 1024, copies 8, whole_kernel
//   shared subtile from 196608, 16384 bytes, aligned to 1024, copies 1, whole_kernel
//   shared full from 212992, 64 bytes, aligned to 8, copies 8, whole_kernel
//   shared free from 213056, 64 bytes, aligned to 8, copies 8, whole_kernel
//   shared groups from 213120, 292 bytes, aligned to 128, copies 1, whole_kernel
//   one copy of a as (m,k) -> element  Sw<3,3,3>o0o(64,(64,1)):(64,(1,4096))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o(128,(64,1)):(64,(1,8192))
//   signal full mbarrier x8, 1 arrivals and 24576 bytes in the block, producer > consumer
//   signal free mbarrier x8, 1 arrivals and 0 bytes in the block, consumer > producer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// What memory holds:
//   a group is a problem of its own: ends[g], of 8, says its M, N and K, where its operands lie and how far apart their lines
// Lines:
//     37  types
//     46  the kernel
//     78  constants: the tile, the ways of A and B, the accumulators
//    165  what the kernel calls
//    493  conversions, accesses to memory, instructions
//    632  where threads find A
//    647  where threads find B
//    662  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef bf16 ElemA;
typedef bf16 ElemB;
typedef bf16 ElemD;
typedef f32 Accum;
typedef float Compute;
// kernel/each.cu: an entry of the list: a problem, of which the device alone knows where its operands lie and how large they are.
struct EachGroup {
  const void *a, *b, *c;
  void* d;
  long long lda, ldb, ldc, ldd;
  int m, n, k, reserved;
};
typedef EachGroup GroupEnd;

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
constexpr int kTileK = 64;               // k of one stage
constexpr int kStages = 8;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kConsumerWarps = 4;        // the producer's come after them
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kClusterBlocks = 1;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 24576;        // of a stage
constexpr int kFreeArrivals = 1;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 65536;          // B's stages
constexpr int kFullOffset = 212992;      // barriers of stages that land
constexpr int kFreeOffset = 213056;      // barriers of stages that are read
constexpr int kSubtileOffset = 196608;   // the groups' subtiles
constexpr int kSubtileTurns = 1;         // subtiles that a group drains of a tile
constexpr int kSubtileCopies = 1;        // of a group's subtile
constexpr int kSubtileBytes = 16384;     // from one copy to the next
constexpr int kStoreRegisters = 4;       // registers that a matrix store takes
constexpr int kSubtileStores = 8;        // matrix stores of a warp for a subtile
constexpr int kSubtileRows = 64;         // rows of a subtile
constexpr int kSubtileColumns = 128;     // columns of a subtile
constexpr unsigned long long kMatrixA = 1ull << 62 | 64ull << 32 | 1ull << 16;  // A's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr unsigned long long kMatrixB = 1ull << 62 | 64ull << 32 | 1ull << 16;  // B's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr int kProblemGroups = 8;        // problems, by the list `ends`
constexpr int kGroupSearch = 8;          // first step of the search for a tile's
constexpr int kGroupsOfLane = 1;         // that a lane reads of the list
constexpr int kGroupsOffset = 213376;    // their tables
constexpr int kMapsOffset = 213120;      // maps of a group's operands
constexpr int kMapTurns = 2;             // pairs of them in use
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
constexpr int kStageBytesB = 16384;      // from one stage to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 64;           // contiguous elements of a box
constexpr int kBoxOuterB = 128;          // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 64;        // elements of D
constexpr int kAtomRegistersC = 64;      // registers of one instruction
constexpr int kAccumulatorRegisters = 64; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kOutElems = 8;             // elements of one store to D

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
// specialised/place.cu (groups): tiles of neighbouring blocks lie together, in groups of rows of tiles that go from column to
// column: the SMs of a part of the chip, on which blocks begin one after the other, load a row once. A division takes a hundred
// clocks, which few groups need not wait for.
struct TileInGroups { int row, column; };

// ---- What the kernel calls ----
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid);
__device__ __forceinline__ bool elected();
__device__ __forceinline__ unsigned settled_address(const void* pointer);
__device__ __forceinline__ void init_barrier(unsigned barrier, int arrivals);
__device__ __forceinline__ void publish_barriers();
__device__ __forceinline__ void arrive(unsigned barrier);
__device__ __forceinline__ void expect_bytes(unsigned barrier, int bytes);
__device__ __forceinline__ void wait_for(unsigned barrier, int parity);
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ unsigned past_chunk(const void* pointer);
__device__ __forceinline__ uint4 chunk_behind(uint4 low, uint4 high, unsigned bytes);
__device__ __forceinline__ void store_chunk(void* to, uint4 chunk);
__device__ __forceinline__ int cluster_rank();
__device__ __forceinline__ void cluster_barrier();
__device__ __forceinline__ void replace_map(unsigned map, const void* base, int line, int lines, long long line_bytes);
__device__ __forceinline__ void copy_map(TensorMap& to, const TensorMap& from);
__device__ __forceinline__ void publish_map(TensorMap& to, const TensorMap& from);
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
__device__ __forceinline__ unsigned pair_from_compute(float first, float second);
__device__ __forceinline__ Compute unrounded(Accum acc);
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds);
__device__ __forceinline__ int group_of(const int* tiles_before, int tile);
__device__ __forceinline__ TileInGroups in_groups(unsigned number, unsigned rows, unsigned columns, unsigned group);
__device__ __forceinline__ int subtile_row_base(int thread);
__device__ __forceinline__ int subtile_row(int base, int value);
__device__ __forceinline__ int subtile_m_base(int thread);
__device__ __forceinline__ int subtile_m(int value);
__device__ __forceinline__ int subtile_n_base(int thread);
__device__ __forceinline__ int subtile_n(int value);
__device__ __forceinline__ int edge_row_base(int thread);
__device__ __forceinline__ int edge_row(int base, int value);
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_64x128x64_s8_40930585(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const GroupEnd* ends,
    unsigned* fault,
    TensorMap* maps,
    int most_m,
    int most_n,
    int most_k
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  // specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
  const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  constexpr int batch = 8;
  wait_for_previous_kernel();
  // kernel/each.cu (right): is an entry of the list within the bounds, and do its operands lie as they were promised to?
  const auto lies = [](const void* base, long long row_bytes, int alignment) {
    return (reinterpret_cast<unsigned long long>(base) | row_bytes) % alignment == 0;
  };
  const auto is_right = [&](const EachGroup& one) {
    return one.m >= 0 && one.m <= most_m && one.n >= 0 && one.n <= most_n && one.k >= 0 && one.k <= most_k &&
           lies(one.a, one.lda * sizeof(ElemA), 16) && lies(one.b, one.ldb * sizeof(ElemB), 16) && lies(one.d, one.ldd * sizeof(ElemD), 16) && one.lda >= 0
               && one.ldb >= 0;
  };
  // kernel/each.cu (table): how many tiles lie ahead of each group's own, in shared memory: a warp reads the list, each lane some
  // neighbours of it. A list that has a wrong entry has no tiles, and its first is left.
  int* const tiles_before = reinterpret_cast<int*>(smem + kGroupsOffset);
  if (thread < 32) {
    const auto tiles_of = [](const EachGroup& one) { return (one.m + kTileM - 1) / kTileM * ((one.n + kTileN - 1) / kTileN); };
    const int first = thread * kGroupsOfLane, last = min(first + kGroupsOfLane, kProblemGroups);
    int tiles = 0, wrong = kProblemGroups;
    #pragma unroll 1
    for (int group = first; group < last; ++group) {
      const EachGroup one = ends[group];
      if (is_right(one))
        tiles += tiles_of(one);
      else
        wrong = min(wrong, group);
    }
    int before = tiles;
    #pragma unroll
    for (int lane = 1; lane < 32; lane *= 2) {
      const int left = __shfl_up_sync(0xffffffff, before, lane);
      if (thread >= lane) before += left;
    }
    const int all = __shfl_sync(0xffffffff, before, 31);
    const unsigned faults = __ballot_sync(0xffffffff, wrong < kProblemGroups);
    before -= tiles;
    #pragma unroll 1
    for (int group = first; group < last; ++group) {
      tiles_before[group] = before;
      before += tiles_of(ends[group]);
    }
    if (thread == 0) tiles_before[kProblemGroups] = faults == 0 ? all : 0;
    if (blockIdx.x == 0 && thread + 1 == __ffs(faults)) atomicCAS(fault, 0u, wrong + 1u);
  }
  __syncthreads();
  // kernel/each.cu (place): tiles of groups, one group behind the other, of each those of neighbouring blocks together.
  const auto clusters_of = [&](int, int, int) { return tiles_before[kProblemGroups]; };
  const auto place_of = [&](int tile, int, int, int) -> Place {
    const int matrix = group_of(tiles_before, tile);
    const int tiles_m = (ends[matrix].m + kTileM - 1) / kTileM, tiles_n = (ends[matrix].n + kTileN - 1) / kTileN;
    const TileInGroups place = in_groups(tile - tiles_before[matrix], tiles_m, tiles_n, kRasterWidth);
    return {place.row, place.column, matrix};
  };
  // kernel/each.cu (maps): maps of a group's operands, as its entry of the list describes them: a pair in shared memory, whose fields
  // are replaced, and in the workspace what this block has published of it, pairs by turns.
  TensorMap *const draft = reinterpret_cast<TensorMap*>(smem + kMapsOffset), *const published = maps + blockIdx.x * 2 * kMapTurns;
  int map_turn = 0;
  // specialised/walk.cu: how many tiles there are for clusters, and which come to this block.
  const int clusters = clusters_of(most_m, most_n, batch);
  const int rank = cluster_rank(), first_cluster = blockIdx.x / kClusterBlocks, cluster_step = gridDim.x / kClusterBlocks;
  // specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
  const auto load_stage = [&](int stage, int k_tile, const Place& at) {
    const unsigned stage_full = full + kBarrierBytes * stage;
    expect_bytes(stage_full, kFullBytes);
    // kernel/each.cu (maps of a stage): the maps by which boxes of a k-tile come.
    const TensorMap &stage_map_a = published[2 * map_turn], &stage_map_b = published[2 * map_turn + 1];
    // specialised/load_stage.cu (boxes): the boxes of A's k-tile, of every term.
    const int a_inner = k_tile * kTileK, a_outer = at.tile_m * kTileM;
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box)
      load_box(shared + kOffsetA + stage * kStageBytesA + box_a(box), stage_map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, 0, stage_full);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = k_tile * kTileK, b_outer = at.tile_n * kTileN;
    #pragma unroll
    for (int box = 0; box < kBoxesB; ++box)
      load_box(shared + kOffsetB + stage * kStageBytesB + box_b(box), stage_map_b,
               b_inner + box % kBoxesInnerB * kBoxInnerB, b_outer + box / kBoxesInnerB * kBoxOuterB, 0, stage_full);
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
  }
  cluster_barrier();
  release_next_kernel();
  wait_for_previous_kernel();
  if (warp >= kConsumerWarps) {
    // specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
    if (warp == kConsumerWarps && elected()) {
      Pipe pipe;
      // kernel/each.cu (first maps): what the producer replaces fields of.
      copy_map(draft[0], map_a);
      copy_map(draft[1], map_b);
      int map_group = -1, issued = 0;
      int maps_left = 0;
      #pragma unroll 1
      for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
        const Place at = place_of(cluster, rank, most_m, most_n);
        // kernel/each.cu (group of a tile): what the list says of the tile's group.
        const EachGroup own = ends[at.matrix];
        const int k_tiles = (own.k + kTileK - 1) / kTileK;
        // kernel/each.cu (maps of a tile): the maps of the tile's group, unless they were the last tile's. They take the place of others, by
        // which no box may still be on its way: those of k-tiles in whose stages no later one is have landed.
        if (k_tiles > 0 && at.matrix != map_group) {
          #pragma unroll 1
          for (int i = max(issued - kStages, 0); i < maps_left; ++i) wait_for(full + kBarrierBytes * (i % kStages), i / kStages & 1);
          map_group = at.matrix;
          map_turn = (map_turn + 1) % kMapTurns;
          maps_left = issued;
          replace_map(shared + kMapsOffset, own.a, own.k, own.m, own.lda * 2);
          replace_map(shared + kMapsOffset + sizeof(TensorMap), own.b, own.k, own.n, own.ldb * 2);
          publish_map(published[2 * map_turn], draft[0]);
          publish_map(published[2 * map_turn + 1], draft[1]);
        }
        issued += k_tiles;
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
    // specialised/subtiles.cu (place): the subtiles of this group, and which part of the tile passes through them.
    const unsigned group_subtile = shared + kSubtileOffset + group * kSubtileCopies * kSubtileBytes;
    const int subtile_thread = subtile_row_base(in_group);
    const int subtile_m_group = subtile_m_base(member), subtile_n_group = subtile_n_base(member);
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, most_m, most_n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/each.cu (tile): what a tile's group has of its own, by the names that all kernels have for it.
      const EachGroup own = ends[matrix];
      const int m = own.m, n = own.n, k_tiles = (own.k + kTileK - 1) / kTileK;
      ElemD* const d = static_cast<ElemD*>(own.d);
      const long long ldd = own.ldd;
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
      // specialised/subtiles_by_rows.cu: a group's accumulators, turn by turn, through a subtile of shared memory, from which
      // its threads store rows of D that begin anywhere, or inside sectors: by chunks of 16 bytes as D has them, each from the two of the
      // subtile that it lies across.
      #pragma unroll
      for (int turn = 0; turn < kSubtileTurns; ++turn) {
        const unsigned subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
        const int row = first_m + subtile_m_group + subtile_m(turn), col = first_n + subtile_n_group + subtile_n(turn);
        group_barrier(group, kGroupThreads);
        // specialised/fill.cu: rows of a subtile by matrix stores, each of what neighbouring lanes hold.
        #pragma unroll
        for (int i = 0; i < kSubtileStores; ++i) {
          const int first = (turn * kSubtileStores + i) * 2 * kStoreRegisters;
          unsigned pair[kStoreRegisters];
          #pragma unroll
          for (int e = 0; e < 2 * kStoreRegisters; e += 2)
            pair[e / 2] = pair_from_compute(unrounded(acc.elem[out_acc(first + e)]),
                                            unrounded(acc.elem[out_acc(first + e + 1)]));
          store_matrix(subtile_row(subtile + subtile_thread, i), pair);
        }
        group_barrier(group, kGroupThreads);
        constexpr int kChunkElems = 16 / sizeof(ElemD), kRowChunks = kSubtileColumns / kChunkElems, kChunks = kSubtileRows * kRowChunks;
        const int left = min(kSubtileColumns, n - col);
        ElemD* const corner = d + row * ldd + col;
        const auto subtile_at = [&](int line, int column) { return smem + (subtile - shared) + edge_row(edge_row_base(line), column); };
        // Elements of a row ahead of its first whole chunk.
        const auto ahead_of = [](const ElemD* to) {
          return kOutElems == kChunkElems ? 0 : static_cast<int>(16 - past_chunk(to)) % 16 / static_cast<int>(sizeof(ElemD));
        };
        #pragma unroll 2
        for (int i = 0; i < kChunks; i += kGroupThreads) {
          const int unit = i + in_group, line = unit / kRowChunks, column = unit % kRowChunks * kChunkElems;
          if (kChunks % kGroupThreads != 0 && unit >= kChunks) break;
          ElemD* const to = corner + line * ldd;
          const int ahead = ahead_of(to);
          const auto chunk_at = [&](int first) { return *reinterpret_cast<const uint4*>(subtile_at(line, min(first, kSubtileColumns - kChunkElems))); };
          // Where it lies across one alone, the next may be past what was computed.
          const uint4 chunk = chunk_behind(chunk_at(column), chunk_at(ahead == 0 ? column : column + kChunkElems), ahead * sizeof(ElemD));
          if (row + line < m && ahead + column + kChunkElems <= left) store_chunk(to + ahead + column, chunk);
        }
        // specialised/subtiles_by_rows.cu (ends): what no whole chunk holds, ahead of a row's first and behind its last: by as many
        // elements as all rows are aligned to.
        constexpr int kOfEnd = kChunkElems / kOutElems, kEnds = 2 * kOfEnd;
        #pragma unroll 2
        for (int i = 0; i < kSubtileRows * kEnds; i += kGroupThreads) {
          const int line = (i + in_group) / kEnds, end = in_group % kEnds;
          ElemD* const to = corner + line * ldd;
          const int ahead = min(left, ahead_of(to)), behind = left - (left - ahead) % kChunkElems;
          const int column = end < kOfEnd ? end * kOutElems : behind + (end - kOfEnd) * kOutElems;
          if (row + line < m && column < (end < kOfEnd ? ahead : left)) {
            Vector<ElemD, kOutElems> piece;
            piece.word = *reinterpret_cast<const decltype(piece.word)*>(subtile_at(line, column));
            put_vector(to + column, piece, left - column);
          }
        }
      }
      // Accumulators that begin anew do not hold their registers while rows are stored.
      #pragma unroll
      for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
    }
  }
}

// ---- How it is done ----
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

// prelude/vector_access.cu (chunks): 16 bytes that begin anywhere, from the chunks of 16 around them.
// Bytes from the start of its chunk of 16 to where the pointer points.
__device__ __forceinline__ unsigned past_chunk(const void* pointer) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(pointer)) % 16;
}

// The 16 bytes that begin so many bytes behind where `low` does; `high` lies behind it.
__device__ __forceinline__ uint4 chunk_behind(uint4 low, uint4 high, unsigned bytes) {
  const unsigned both[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  unsigned pair[6], word[5];
  #pragma unroll
  for (int i = 0; i < 6; ++i) pair[i] = bytes & 8 ? both[i + 2] : both[i];
  #pragma unroll
  for (int i = 0; i < 5; ++i) word[i] = bytes & 4 ? pair[i + 1] : pair[i];
  const unsigned bits = bytes % 4 * 8;
  return make_uint4(__funnelshift_r(word[0], word[1], bits), __funnelshift_r(word[1], word[2], bits),
                    __funnelshift_r(word[2], word[3], bits), __funnelshift_r(word[3], word[4], bits));
}

// In one access to global memory, wherever the words come from: of an assignment the compiler may make four.
__device__ __forceinline__ void store_chunk(void* to, uint4 chunk) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
               :: "l"(to), "r"(chunk.x), "r"(chunk.y), "r"(chunk.z), "r"(chunk.w) : "memory");
}

// prelude/cluster.cu (of one): a block that shares nothing of what it loads.
__device__ __forceinline__ int cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_barrier() { __syncthreads(); }

// prelude/tma.cu (replace): a map in shared memory becomes that of another matrix: whose lines, so many elements long, lie so many
// bytes apart (sm_90a).
__device__ __forceinline__ void replace_map(unsigned map, const void* base, int line, int lines, long long line_bytes) {
  asm volatile(
      "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;\n\t"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %2;\n\t"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %3;\n\t"
      "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %4;"
      :
      : "r"(map), "l"(base), "r"(line), "r"(lines), "l"(line_bytes)
      : "memory");
}

// prelude/tma.cu (publish): a copy of a map, which this thread's boxes may then come by.
__device__ __forceinline__ void copy_map(TensorMap& to, const TensorMap& from) {
  #pragma unroll
  for (int i = 0; i < sizeof(TensorMap) / sizeof(uint4); ++i) reinterpret_cast<uint4*>(&to)[i] = reinterpret_cast<const uint4*>(&from)[i];
}
__device__ __forceinline__ void publish_map(TensorMap& to, const TensorMap& from) {
  copy_map(to, from);
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&to) : "memory");
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
//   64:1
__device__ __forceinline__ int out_acc(int value) {
  return value;
}
// convert/bf16.cu (pair): two neighbours rounded together; the first in the lower half (sm_80).
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}
// epilogue/unrounded.cu: acc; what is stored rounds it, two elements at a time.
__device__ __forceinline__ Compute unrounded(Accum acc) {
  return acc;
}

// mma/wgmma.cu: SM90_64x128x16_F32BF16BF16_SS; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say. What begins anew is said by -1: of a 0 compilers would make the
// register of an accumulator that is 0, and so read it behind the fence.
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds ? 1 : -1};
  asm volatile("{ .reg .pred scale_d; setp.gt.s32 scale_d, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, scale_d, 1, 1, 0, 0; }"
      : "+f"(d_reg[0]), "+f"(d_reg[1]), "+f"(d_reg[2]), "+f"(d_reg[3]), "+f"(d_reg[4]), "+f"(d_reg[5]), "+f"(d_reg[6]), "+f"(d_reg[7]),
        "+f"(d_reg[8]), "+f"(d_reg[9]), "+f"(d_reg[10]), "+f"(d_reg[11]), "+f"(d_reg[12]), "+f"(d_reg[13]), "+f"(d_reg[14]), "+f"(d_reg[15]),
        "+f"(d_reg[16]), "+f"(d_reg[17]), "+f"(d_reg[18]), "+f"(d_reg[19]), "+f"(d_reg[20]), "+f"(d_reg[21]), "+f"(d_reg[22]), "+f"(d_reg[23]),
        "+f"(d_reg[24]), "+f"(d_reg[25]), "+f"(d_reg[26]), "+f"(d_reg[27]), "+f"(d_reg[28]), "+f"(d_reg[29]), "+f"(d_reg[30]), "+f"(d_reg[31]),
        "+f"(d_reg[32]), "+f"(d_reg[33]), "+f"(d_reg[34]), "+f"(d_reg[35]), "+f"(d_reg[36]), "+f"(d_reg[37]), "+f"(d_reg[38]), "+f"(d_reg[39]),
        "+f"(d_reg[40]), "+f"(d_reg[41]), "+f"(d_reg[42]), "+f"(d_reg[43]), "+f"(d_reg[44]), "+f"(d_reg[45]), "+f"(d_reg[46]), "+f"(d_reg[47]),
        "+f"(d_reg[48]), "+f"(d_reg[49]), "+f"(d_reg[50]), "+f"(d_reg[51]), "+f"(d_reg[52]), "+f"(d_reg[53]), "+f"(d_reg[54]), "+f"(d_reg[55]),
        "+f"(d_reg[56]), "+f"(d_reg[57]), "+f"(d_reg[58]), "+f"(d_reg[59]), "+f"(d_reg[60]), "+f"(d_reg[61]), "+f"(d_reg[62]), "+f"(d_reg[63])
      : "l"(a_reg[0]), "l"(b_reg[0]), "r"(scale_d_reg[0])
      : "memory");
}
// kernel/groups.cu (search): the group that has a tile: the last whose own begin there or ahead of it. Of those without tiles
// it is never one.
__device__ __forceinline__ int group_of(const int* tiles_before, int tile) {
  int group = 0;
  #pragma unroll 1
  for (int step = kGroupSearch; step > 0; step /= 2)
    if (group + step < kProblemGroups && tiles_before[group + step] <= tile) group += step;
  return group;
}
// specialised/place.cu (groups): tiles of neighbouring blocks lie together, in groups of rows of tiles that go from column to
// column: the SMs of a part of the chip, on which blocks begin one after the other, load a row once. A division takes a hundred
// clocks, which few groups need not wait for.
__device__ __forceinline__ TileInGroups in_groups(unsigned number, unsigned rows, unsigned columns, unsigned group) {
  constexpr unsigned kFewGroups = 8;
  const unsigned of_group = group * columns;
  unsigned first = number < kFewGroups * of_group ? 0 : number / of_group;
  number -= first * of_group;
  for (; number >= of_group; number -= of_group) ++first;
  first *= group;
  const unsigned group_rows = min(group, rows - first);
  const unsigned column = group_rows == group ? number / group : number / group_rows;
  return {static_cast<int>(first + number - column * group_rows), static_cast<int>(column)};
}
// subtile_row: the row of a subtile that a lane points at; bytes, Sw<3,4,3>, folded.
//   thread (16,2,4):(128,16,2048)   value (4,2):(0,8192) ^ (4,2):(32,0)
__device__ __forceinline__ int subtile_row_base(int thread) {
  const int x = (thread % 16) * 128 + (thread / 16 % 2) * 16 + (thread / 32) * 2048;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int subtile_row(int base, int value) {
  return (base ^ ((value % 4) * 32)) + (value / 4) * 8192;
}
// subtile_m: first row of a subtile in the tile, by group and turn.
//   thread 1:0   value 1:0
__device__ __forceinline__ int subtile_m_base(int thread) {
  return 0;
}
__device__ __forceinline__ int subtile_m(int value) {
  return 0;
}
// subtile_n: its first column.
//   thread 1:0   value 1:0
__device__ __forceinline__ int subtile_n_base(int thread) {
  return 0;
}
__device__ __forceinline__ int subtile_n(int value) {
  return 0;
}
// edge_row: a row of a subtile, and its columns; bytes, Sw<3,4,3>, folded.
//   thread 64:128   value (8,8,2):(2,0,8192) ^ (8,8,2):(0,16,0)
__device__ __forceinline__ int edge_row_base(int thread) {
  const int x = thread * 128;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int edge_row(int base, int value) {
  return (base ^ ((value / 8 % 8) * 16)) + (value % 8) * 2 + (value / 64) * 8192;
}
// specialised/fill.cu (store): SM90_U32x4_STSM_N; rows of 16 bytes, `row` is the lane's own.
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %2, %3, %4};"
      :
      : "r"(dst_reg[0]), "r"(src_reg[0]), "r"(src_reg[1]), "r"(src_reg[2]), "r"(src_reg[3])
      : "memory");
}
