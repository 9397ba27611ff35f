// acc on sm_90a; acc is A*B, alpha 1, beta 0
//   M run-time, N 2048, K 2048; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 8 elements an access
//   B (N,K) bf16, K-major, ld 2048; 8 elements an access
//   D (M,N) bf16, row-major, ld run-time; 8 elements an access
//   384 threads (consumer 8 warps of 232 registers, producer 4 warps of 40 registers) compute a tile of (128,128,64): M, N, K of a stage
//   stages 6, slices of K 1
// SM90_64x128x16_F32BF16BF16_SS: atoms (1,1,1):(0,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  (128,((64,16),(1,1))):(0,((1,64),(0,0)))
//   B (n + N*k)  (128,((128,16),(1,1))):(0,((1,128),(0,0)))
//   D (m + M*n)  ((4,8,4),((2,2,16),(1,1))):((128,1,16),((64,8,512),(0,0)))
//   shared a from 0, 98304 bytes, aligned to 1024, copies 6, whole_kernel
//   shared b from 98304, 98304 bytes, aligned to 1024, copies 6, whole_kernel
//   shared subtile from 196608, 32768 bytes, aligned to 1024, copies 4, whole_kernel
//   shared full from 229376, 48 bytes, aligned to 8, copies 6, whole_kernel
//   shared free from 229424, 48 bytes, aligned to 8, copies 6, whole_kernel
//   shared turn from 229472, 16 bytes, aligned to 8, copies 2, whole_kernel
//   shared groups from 229488, 72 bytes, aligned to 16, copies 1, whole_kernel
//   one copy of a as (m,k) -> element  Sw<3,3,3>o0o(128,(64,1)):(64,(1,8192))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o(128,(64,1)):(64,(1,8192))
//   signal full mbarrier x6, 1 arrivals and 32768 bytes in the block, producer > consumer
//   signal free mbarrier x6, 1 arrivals and 0 bytes in the block, consumer > producer
//   signal stored bulk_group x2, 1 arrivals and 0 bytes in the block, consumer > consumer
//   signal turn mbarrier x2, 4 arrivals and 0 bytes in the block, consumer > consumer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// What memory holds:
//   group g of 8 has the rows of A and D from ends[g - 1] up to ends[g], ints; it is multiplied by matrix g of B
// Lines:
//     40  types
//     72  constants: the tile, the ways of A and B, the accumulators
//    167  what the kernel calls
//    226  the kernel
//    476  conversions, accesses to memory, instructions
//    609  where threads find A
//    624  where threads find B
//    639  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef bf16 ElemD;
typedef f32 Accum;
typedef float Compute;
typedef int GroupEnd;

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
constexpr int kTileK = 64;               // k of one stage
constexpr int kStages = 6;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kConsumerWarps = 8;        // the producer's come after them
constexpr int kPingPong = 2;             // that take turns
constexpr int kTeamGroups = 1;           // groups of a team
constexpr int kTeamThreads = 128;        // threads of a team
constexpr int kTurnOffset = 229472;      // barriers of teams' turns
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kClusterBlocks = 1;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 32768;        // of a stage
constexpr int kFreeArrivals = 1;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 98304;          // B's stages
constexpr int kFullOffset = 229376;      // barriers of stages that land
constexpr int kFreeOffset = 229424;      // barriers of stages that are read
constexpr int kSubtileOffset = 196608;   // the groups' subtiles
constexpr int kSubtileTurns = 4;         // subtiles that a group drains of a tile
constexpr int kSubtileCopies = 2;        // of a group's subtile
constexpr int kSubtileBytes = 8192;      // from one copy to the next
constexpr int kStoreRegisters = 4;       // registers that a matrix store takes
constexpr int kSubtileStores = 4;        // matrix stores of a warp for a subtile
constexpr int kSubtileRows = 64;         // rows of a subtile
constexpr int kSubtileColumns = 64;      // columns of a subtile
constexpr int kSubtileBoxes = 1;         // boxes that a subtile is stored as
constexpr int kSubtileBoxesInner = 1;    // of them side by side along what is contiguous
constexpr int kSubtileBoxInner = 64;     // contiguous elements of a box
constexpr int kSubtileBoxOuter = 64;     // rows of a box
constexpr unsigned long long kMatrixA = 1ull << 62 | 64ull << 32 | 1ull << 16;  // A's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr unsigned long long kMatrixB = 1ull << 62 | 64ull << 32 | 1ull << 16;  // B's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr int kProblemGroups = 8;        // problems, by the list `ends`
constexpr int kGroupSearch = 8;          // first step of the search for a tile's
constexpr int kGroupsOfLane = 1;         // that a lane reads of the list
constexpr int kGroupsOffset = 229488;    // their tables
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 2;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 16384;      // from one stage to the next
constexpr int kBoxesA = 2;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 64;           // contiguous elements of a box
constexpr int kBoxOuterA = 64;           // rows of a box
constexpr int kEdgeUnitA = 64;           // rows past the edge that are left out together
constexpr int kRowBytesA = 128;          // of a row of a stage
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 16384;      // from one stage to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 64;           // contiguous elements of a box
constexpr int kBoxOuterB = 128;          // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 128;       // elements of D
constexpr int kAtomRegistersC = 64;      // registers of one instruction
constexpr int kAccumulatorRegisters = 128; // registers of all instructions
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
__device__ __forceinline__ void prefetch_map(const TensorMap& map);
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full);
__device__ __forceinline__ void wait_for_previous_kernel();
__device__ __forceinline__ void release_next_kernel();
__device__ __forceinline__ int cluster_rank();
__device__ __forceinline__ void cluster_barrier();
template <int kTile, int kUnit>
__device__ __forceinline__ int rows_left_out(int tile, int extent);
__device__ __forceinline__ void store_box(const TensorMap& map, int inner, int outer, int matrix, unsigned source);
__device__ __forceinline__ void commit_stores();
template <int kNewest>
__device__ __forceinline__ void wait_stores_read();
__device__ __forceinline__ void hand_to_tma();
__device__ __forceinline__ void group_barrier(int group, int threads);
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
__device__ __forceinline__ void skip(Pipe& pipe, int k_tiles);
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
__device__ __forceinline__ int subtile_box(int value);
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_128x128x64_s6_46a35020(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const __grid_constant__ TensorMap map_d,
    ElemD* d,
    const GroupEnd* ends,
    unsigned* fault,
    int most_m,
    long long ldd
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  // specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
  const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  constexpr int n = 2048;
  constexpr int k = 2048;
  constexpr int batch = 8;
  wait_for_previous_kernel();
  // kernel/groups.cu (table): how many tiles lie ahead of each group's own, and where its part ends, in shared memory: a warp reads
  // the list, each lane some neighbours of it. A list that goes down, or past the bound, has no tiles, and its first fault is left.
  int *const tiles_before = reinterpret_cast<int*>(smem + kGroupsOffset), *const group_end = tiles_before + kProblemGroups + 1;
  if (thread < 32) {
    const int first = thread * kGroupsOfLane, last = min(first + kGroupsOfLane, kProblemGroups);
    int tiles = 0, wrong = kProblemGroups;
    #pragma unroll 8
    for (int group = first; group < last; ++group) {
      const long long begin = group > 0 ? ends[group - 1] : 0, end = ends[group];
      if (begin <= end && end <= most_m)
        tiles += (static_cast<int>(end - begin) + kTileM - 1) / kTileM;
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
    #pragma unroll 8
    for (int group = first; group < last; ++group) {
      const int begin = static_cast<int>(group > 0 ? ends[group - 1] : 0), end = static_cast<int>(ends[group]);
      tiles_before[group] = before;
      group_end[group + 1] = end;
      before += (end - begin + kTileM - 1) / kTileM;
    }
    if (thread == 0) tiles_before[kProblemGroups] = faults == 0 ? all : 0, group_end[0] = 0;
    if (blockIdx.x == 0 && thread + 1 == __ffs(faults)) atomicCAS(fault, 0u, wrong + 1u);
  }
  __syncthreads();
  // specialised/place.cu (problem groups): tiles of groups, one group behind the other, of each those of neighbouring blocks
  // together: as many as the list says.
  const int tiles_across = (n + kTileN - 1) / kTileN;
  const auto clusters_of = [&](int, int, int) { return tiles_before[kProblemGroups] * tiles_across; };
  const auto place_of = [&](int tile, int, int, int) -> Place {
    const int matrix = group_of(tiles_before, tile / tiles_across), first_tile = tiles_before[matrix];
    const int of_group = tiles_before[matrix + 1] - first_tile;
    const TileInGroups place = in_groups(tile - first_tile * tiles_across, of_group, tiles_across, kRasterWidth);
    return {place.row, place.column, matrix};
  };
  // specialised/k_tiles.cu (all): the k-tiles of a tile of D.
  const int k_tiles = (k + kTileK - 1) / kTileK;
  // specialised/walk.cu: how many tiles there are for clusters, and which come to this block.
  const int clusters = clusters_of(most_m, n, batch);
  const int rank = cluster_rank(), first_cluster = blockIdx.x / kClusterBlocks, cluster_step = gridDim.x / kClusterBlocks;
  // specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
  const auto load_stage = [&](int stage, int k_tile, const Place& at) {
    const unsigned stage_full = full + kBarrierBytes * stage;
    expect_bytes(stage_full, kFullBytes - rows_left_out<kTileM, kEdgeUnitA>(at.tile_m, group_end[at.matrix + 1] - group_end[at.matrix]) * kRowBytesA);
    // specialised/load_stage.cu (boxes inside): those boxes of A's k-tile that hold rows ahead of the edge, of every term.
    const int a_inner = k_tile * kTileK, a_outer = group_end[at.matrix] + at.tile_m * kTileM;
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box) {
      const int inner = a_inner + box % kBoxesInnerA * kBoxInnerA, outer = a_outer + box / kBoxesInnerA * kBoxOuterA;
      const unsigned target = shared + kOffsetA + stage * kStageBytesA + box_a(box);
      // specialised/load_stage.cu (ask): a box, unless it lies past the edge; the last one ahead of it may have a map of its own.
      if (outer < group_end[at.matrix + 1]) load_box(target, map_a, inner, outer, 0, stage_full);
    }
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = k_tile * kTileK, b_outer = at.tile_n * kTileN;
    #pragma unroll
    for (int box = 0; box < kBoxesB; ++box)
      load_box(shared + kOffsetB + stage * kStageBytesB + box_b(box), map_b,
               b_inner + box % kBoxesInnerB * kBoxInnerB, b_outer + box / kBoxesInnerB * kBoxOuterB, at.matrix, stage_full);
  };
  // specialised/start.cu (after the barrier): every thread of the block sees the barriers before anybody loads.
  if (thread == 0) {
    #pragma unroll
    for (int stage = 0; stage < kStages; ++stage) {
      init_barrier(full + kBarrierBytes * stage, kFullArrivals);
      init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
    }
    // specialised/start.cu (barriers of turns): those of teams that wait for their turn.
    #pragma unroll
    for (int team = 0; team < kPingPong; ++team) init_barrier(shared + kTurnOffset + kBarrierBytes * team, kTeamThreads / 32);
    publish_barriers();
  }
  if (thread == 32 * kConsumerWarps) {
    prefetch_map(map_a);
    prefetch_map(map_b);
    prefetch_map(map_d);
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
        const Place at = place_of(cluster, rank, most_m, n);
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
    // specialised/release.cu (block): a group says that it has read a stage.
    const auto release_stage = [&](int stage) {
      if (in_group == 0) arrive(free + kBarrierBytes * stage);
    };
    // specialised/ping_pong.cu (in turn): teams take turns: one multiplies its tile while the other drains. The stages of the
    // other team's tiles are skipped.
    const int team = group / kTeamGroups, member = group % kTeamGroups, worker = thread % kTeamThreads;
    const int my_first = first_cluster + team * cluster_step, my_step = kPingPong * cluster_step;
    const unsigned my_turn = shared + kTurnOffset + kBarrierBytes * team, next_turn = shared + kTurnOffset + kBarrierBytes * ((team + 1) % kPingPong);
    int turn_parity = team == 0;
    skip(pipe, team * k_tiles);
    // specialised/products.cu (matrices): descriptors of this group's matrices in stage 0.
    const unsigned long long a_matrix = kMatrixA | matrix_address(shared + kOffsetA + matrix_a_base(member));
    const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));
    // specialised/subtiles.cu (place): the subtiles of this group, and which part of the tile passes through them.
    const unsigned group_subtile = shared + kSubtileOffset + group * kSubtileCopies * kSubtileBytes;
    const int subtile_thread = subtile_row_base(in_group);
    const int subtile_m_group = subtile_m_base(member), subtile_n_group = subtile_n_base(member);
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, most_m, n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/groups.cu (origin): where the tile begins, which is a part of its group's, and where that ends.
      const int first_m = group_end[matrix] + tile_m * kTileM, first_n = tile_n * kTileN, m = group_end[matrix + 1];
      // specialised/ping_pong.cu (take): the team before has issued its products.
      wait_for(my_turn, turn_parity);
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
        // specialised/ping_pong.cu (give): while a tile's last products run, the next team may issue its own behind them. Each warp has
        // seen its turn by then: no turn comes a second time before all of them have.
        if (k_tile + 1 == k_tiles && in_group % 32 == 0) arrive(next_turn);
        // Only this k-tile's products may still run: those of the one before have read their stage.
        wait_products<1>();
        if (k_tile > 0) release_stage(previous);
        previous = pipe.stage;
        pipe.next();
      }
      wait_products<0>();
      release_stage(previous);
      #pragma unroll
      for (int i = 0; i < kAccumulatorRegisters; ++i) hold(acc.reg[i]);
      // specialised/ping_pong.cu (over): the stages of the other teams' tiles are skipped.
      turn_parity ^= 1;
      skip(pipe, (kPingPong - 1) * k_tiles);
      if (cluster + cluster_step >= clusters) release_next_kernel();
      // specialised/subtiles.cu: a group's accumulators, turn by turn, through a subtile of shared memory that TMA
      // stores; a subtile is written again when TMA has read it.
      #pragma unroll
      for (int turn = 0; turn < kSubtileTurns; ++turn) {
        const unsigned subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
        const int row = first_m + subtile_m_group + subtile_m(turn), col = first_n + subtile_n_group + subtile_n(turn);
        // specialised/subtiles.cu (wait): of the subtile's last contents, TMA has read all.
        if (in_group == 0) wait_stores_read<kSubtileCopies - 1>();
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
        hand_to_tma();
        group_barrier(group, kGroupThreads);
        // specialised/subtiles.cu (edge of a group): where the subtile reaches past the rows of its problem group, or N ends inside 16 bytes,
        // threads store what is in it, by 16 bytes, neighbours of a row together.
        const bool by_rows = row + kSubtileRows > m || (n % kOutElems != 0 && col + kSubtileColumns > n);
        if (by_rows) {
          constexpr int kRowChunks = kSubtileColumns / kOutElems;
          #pragma unroll 2
          for (int i = in_group; i < kSubtileRows * kRowChunks; i += kGroupThreads) {
            const int line = i / kRowChunks, first = i % kRowChunks * kOutElems;
            if (row + line >= m || col + first >= n) continue;
            Vector<ElemD, kOutElems> piece;
            piece.word = *reinterpret_cast<const uint4*>(smem + (subtile - shared) + edge_row(edge_row_base(line), first));
            put_vector(d + (row + line) * ldd + col + first, piece, n - col - first);
          }
          group_barrier(group, kGroupThreads);
        }
        // specialised/subtiles.cu (store): what the subtile holds, box by box.
        if (!by_rows && in_group == 0) {
          #pragma unroll
          for (int box = 0; box < kSubtileBoxes; ++box)
            store_box(map_d, col + box % kSubtileBoxesInner * kSubtileBoxInner, row + box / kSubtileBoxesInner * kSubtileBoxOuter,
                      0, subtile + subtile_box(box));
        }
        if (in_group == 0) commit_stores();  // also of nothing: groups are counted by turns
      }
    }
    if (in_group == 0) wait_stores_read<0>();
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

// prelude/tma.cu (left out): rows of a tile that lie past the edge, as far as they are left out of stages.
template <int kTile, int kUnit>
__device__ __forceinline__ int rows_left_out(int tile, int extent) {
  return min(max((tile + 1) * kTile - extent, 0), kTile) / kUnit * kUnit;
}

// prelude/tma.cu (store): a box from shared to global memory.
__device__ __forceinline__ void store_box(const TensorMap& map, int inner, int outer, int matrix, unsigned source) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
      :
      : "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(source)
      : "memory");
}

// prelude/tma.cu (stores): a thread's own stores, counted in groups.
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Of all groups but the newest, shared memory has been read.
template <int kNewest>
__device__ __forceinline__ void wait_stores_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory"); }

// prelude/tma.cu (order): what this thread has read and written in shared memory it has done before TMA does
// what is asked for from now on.
__device__ __forceinline__ void hand_to_tma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

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

// prelude/registers.cu: registers that warps of a role hold; all four warps of a group ask together.
template <int kCount>
__device__ __forceinline__ void give_registers_away() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount)); }
template <int kCount>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount)); }

// prelude/pipe.cu (skip): passes over the stages of k-tiles that are not this one's.
__device__ __forceinline__ void skip(Pipe& pipe, int k_tiles) {
  const int stages = pipe.stage + k_tiles;
  pipe.parity ^= stages / kStages % 2;
  pipe.stage = stages % kStages;
}

// ---- A: where it is copied from, put, and read ----
// box_a: where a box of A begins in its stage; bytes.
//   (1,1,2):(0,0,8192)
__device__ __forceinline__ int box_a(int value) {
  return value * 8192;
}
// matrix_a: where a group's matrices of A begin; bytes.
//   thread 1:0   value (2,4):(8192,32)
__device__ __forceinline__ int matrix_a_base(int thread) {
  return 0;
}
__device__ __forceinline__ int matrix_a(int base, int value) {
  return base + (value % 2) * 8192 + (value / 2) * 32;
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
//   128:1
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
//   thread (16,2,4):(128,16,2048)   value 4:0 ^ 4:32
__device__ __forceinline__ int subtile_row_base(int thread) {
  const int x = (thread % 16) * 128 + (thread / 16 % 2) * 16 + (thread / 32) * 2048;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int subtile_row(int base, int value) {
  return (base ^ (value * 32));
}
// subtile_m: first row of a subtile in the tile, by group and turn.
//   thread 1:0   value (2,2):(0,64)
__device__ __forceinline__ int subtile_m_base(int thread) {
  return 0;
}
__device__ __forceinline__ int subtile_m(int value) {
  return (value / 2) * 64;
}
// subtile_n: its first column.
//   thread 1:0   value (2,2):(64,0)
__device__ __forceinline__ int subtile_n_base(int thread) {
  return 0;
}
__device__ __forceinline__ int subtile_n(int value) {
  return (value % 2) * 64;
}
// edge_row: a row of a subtile, and its columns; bytes, Sw<3,4,3>, folded.
//   thread 64:128   value (8,8):(2,0) ^ (8,8):(0,16)
__device__ __forceinline__ int edge_row_base(int thread) {
  const int x = thread * 128;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int edge_row(int base, int value) {
  return (base ^ ((value / 8) * 16)) + (value % 8) * 2;
}
// subtile_box: where a box begins in a subtile; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int subtile_box(int value) {
  return 0;
}
// specialised/fill.cu (store): SM90_U32x4_STSM_N; rows of 16 bytes, `row` is the lane's own.
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %2, %3, %4};"
      :
      : "r"(dst_reg[0]), "r"(src_reg[0]), "r"(src_reg[1]), "r"(src_reg[2]), "r"(src_reg[3])
      : "memory");
}
