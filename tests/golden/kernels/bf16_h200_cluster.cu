// alpha*acc + beta*c on sm_90a; acc is A*B, alpha run-time, beta run-time
//   M run-time, N 4096, K 4096; accumulates in f32
//   A (M,K) bf16, K-major, ld run-time; 8 elements an access
//   B (N,K) bf16, K-major, ld 4096; 8 elements an access
//   C (M,N) bf16, row-major, ld run-time; 8 elements an access
//   D (M,N) bf16, row-major, ld run-time; 8 elements an access
//   384 threads (consumer 8 warps of 232 registers, producer 4 warps of 40 registers) compute a tile of (128,256,64): M, N, K of a stage
//   stages 4, slices of K 1
// SM90_64x256x16_F32BF16BF16_SS: atoms (2,1,1):(1,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((128,2),((64,16),(1,1))):((0,64),((1,128),(0,0)))
//   B (n + N*k)  (256,((256,16),(1,1))):(0,((1,256),(0,0)))
//   D (m + M*n)  ((4,8,8),((2,2,32),(1,1))):((256,1,16),((128,8,1024),(0,0)))
//   shared a from 0, 65536 bytes, aligned to 1024, copies 4, whole_kernel
//   shared b from 65536, 131072 bytes, aligned to 1024, copies 4, whole_kernel
//   shared subtile from 196608, 32768 bytes, aligned to 1024, copies 4, whole_kernel
//   shared full from 229376, 32 bytes, aligned to 8, copies 4, whole_kernel
//   shared free from 229408, 32 bytes, aligned to 8, copies 4, whole_kernel
//   shared c_full from 229440, 32 bytes, aligned to 8, copies 4, whole_kernel
//   one copy of a as (m,k) -> element  Sw<3,3,3>o0o(128,(64,1)):(64,(1,8192))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o(256,(64,1)):(64,(1,16384))
//   signal full mbarrier x4, 1 arrivals and 49152 bytes in the cluster, producer > consumer
//   signal free mbarrier x4, 4 arrivals and 0 bytes in the cluster, consumer > producer
//   signal c_full mbarrier x4, 1 arrivals and 8192 bytes in the block, consumer > consumer
//   signal stored bulk_group x2, 1 arrivals and 0 bytes in the block, consumer > consumer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// Lines:
//     38  types
//     69  constants: the tile, the ways of A and B, the accumulators
//    151  what the kernel calls
//    206  the kernel
//    445  conversions, accesses to memory, instructions
//    584  where threads find A
//    599  where threads find B
//    614  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
typedef bf16 ElemC;
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
constexpr int kTileN = 256;              // columns of D that a block computes
constexpr int kTileK = 64;               // k of one stage
constexpr int kStages = 4;               // k-tiles in shared memory, landed or on their way
constexpr int kRasterWidth = 8;          // tiles along M that run together
constexpr int kConsumerWarps = 8;        // the producer's come after them
constexpr int kGroups = 2;               // groups of consumers
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kClusterM = 2;             // blocks along M that share tiles of B
constexpr int kClusterN = 1;             // blocks along N that share tiles of A
constexpr int kClusterBlocks = 2;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 49152;        // of a stage
constexpr int kFreeArrivals = 4;         // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 65536;          // B's stages
constexpr int kFullOffset = 229376;      // barriers of stages that land
constexpr int kFreeOffset = 229408;      // barriers of stages that are read
constexpr int kSubtileOffset = 196608;   // the groups' subtiles
constexpr int kSubtileTurns = 4;         // subtiles that a group drains of a tile
constexpr int kSubtileCopies = 2;        // of a group's subtile
constexpr int kSubtileBytes = 8192;      // from one copy to the next
constexpr int kStoreRegisters = 4;       // registers that a matrix store takes
constexpr int kSubtileStores = 4;        // matrix stores of a warp for a subtile
constexpr int kSubtileBoxes = 1;         // boxes that a subtile is stored as
constexpr int kSubtileBoxesInner = 1;    // of them side by side along what is contiguous
constexpr int kSubtileBoxInner = 64;     // contiguous elements of a box
constexpr int kSubtileBoxOuter = 64;     // rows of a box
constexpr int kCFullOffset = 229440;     // barriers of subtiles that C lands in
constexpr int kCBytes = 8192;            // of C in a subtile
constexpr unsigned long long kMatrixA = 1ull << 62 | 64ull << 32 | 1ull << 16;  // A's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr unsigned long long kMatrixB = 1ull << 62 | 64ull << 32 | 1ull << 16;  // B's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr int kKSteps = 4;               // instructions along K in a stage
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 16384;      // from one stage to the next
constexpr int kBoxesA = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 64;           // contiguous elements of a box
constexpr int kBoxOuterA = 128;          // rows of a box
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 32768;      // from one stage to the next
constexpr int kBoxesB = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 64;           // contiguous elements of a box
constexpr int kBoxOuterB = 128;          // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 128;       // elements of D
constexpr int kAtomRegistersC = 128;     // registers of one instruction
constexpr int kAccumulatorRegisters = 128; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;

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
__device__ __forceinline__ int box_a(int value);
__device__ __forceinline__ int matrix_a_base(int thread);
__device__ __forceinline__ int matrix_a(int base, int value);
__device__ __forceinline__ int box_b(int value);
__device__ __forceinline__ int matrix_b_base(int thread);
__device__ __forceinline__ int matrix_b(int base, int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ unsigned pair_from_compute(float first, float second);
__device__ __forceinline__ Compute unrounded(Accum acc, Compute alpha, Compute beta, const ElemC& c);
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds);
__device__ __forceinline__ int clusters_of(int m, int n, int batch);
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n);
__device__ __forceinline__ int subtile_row_base(int thread);
__device__ __forceinline__ int subtile_row(int base, int value);
__device__ __forceinline__ int subtile_m_base(int thread);
__device__ __forceinline__ int subtile_m(int value);
__device__ __forceinline__ int subtile_n_base(int thread);
__device__ __forceinline__ int subtile_n(int value);
__device__ __forceinline__ int subtile_box(int value);
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg);
__device__ __forceinline__ void load_matrix(Vector<ElemC, 2>* part, unsigned row);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_128x256x64_s4_386e920c(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const __grid_constant__ TensorMap map_c,
    const __grid_constant__ TensorMap map_d,
    int m,
    int batch,
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
    for (int box = 0; box < kBoxesA; ++box)
      load_box(shared + kOffsetA + stage * kStageBytesA + box_a(box), map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, at.matrix, stage_full);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = k_tile * kTileK, b_outer = at.tile_n * kTileN + rank % kClusterM * 128;
    #pragma unroll
    for (int box = 0; box < kBoxesB; ++box)
      load_box_for(shared + kOffsetB + stage * kStageBytesB + box_b(rank % kClusterM + 2 * box), map_b,
               b_inner + box % kBoxesInnerB * kBoxInnerB, b_outer + box / kBoxesInnerB * kBoxOuterB, at.matrix, stage_full, 0x3u
                   << rank / kClusterM * kClusterM);
  };
  // specialised/start.cu (after the barrier): every thread of the block sees the barriers before anybody loads.
  if (thread == 0) {
    #pragma unroll
    for (int stage = 0; stage < kStages; ++stage) {
      init_barrier(full + kBarrierBytes * stage, kFullArrivals);
      init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
    }
    // specialised/start.cu (barriers of C): those of subtiles that C lands in.
    #pragma unroll
    for (int subtile = 0; subtile < kGroups * kSubtileCopies; ++subtile) init_barrier(shared + kCFullOffset + kBarrierBytes * subtile, 1);
    publish_barriers();
  }
  if (thread == 32 * kConsumerWarps) {
    prefetch_map(map_a);
    prefetch_map(map_b);
    prefetch_map(map_c);
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
    // specialised/subtiles.cu (place): the subtiles of this group, and which part of the tile passes through them.
    const unsigned group_subtile = shared + kSubtileOffset + group * kSubtileCopies * kSubtileBytes;
    const int subtile_thread = subtile_row_base(in_group);
    const int subtile_m_group = subtile_m_base(member), subtile_n_group = subtile_n_base(member);
    // specialised/subtile_c.cu (load): a subtile of C, as D will lie there.
    const unsigned c_full = shared + kCFullOffset + kBarrierBytes * kSubtileCopies * group;
    int c_turns = 0;
    // Not all at once: the tiles of A and B that are asked for behind it would be late.
    const int c_every = max(k_tiles - kStages, 0) / (kGroups * kSubtileCopies + 1);
    int c_turn = 0, c_at = min(kStages + group * c_every, k_tiles - 1);
    const auto load_c = [&](int turn, const Place& at) {
      const unsigned subtile_full = c_full + kBarrierBytes * (turn % kSubtileCopies), subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
      const int row = at.tile_m * kTileM + subtile_m_group + subtile_m(turn), col = at.tile_n * kTileN + subtile_n_group + subtile_n(turn);
      expect_bytes(subtile_full, kCBytes);
      #pragma unroll
      for (int box = 0; box < kSubtileBoxes; ++box)
        load_box(subtile + subtile_box(box), map_c, col + box % kSubtileBoxesInner * kSubtileBoxInner,
                 row + box / kSubtileBoxesInner * kSubtileBoxOuter, at.matrix, subtile_full);
    };
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
        // specialised/subtile_c.cu (ahead): C for the first subtiles is on its way while the tile is multiplied, now one subtile, now another.
        if (k_tile == c_at && beta != 0 && in_group == 0) {
          if (c_turn == 0) wait_stores_read<0>();
          do {
            load_c(c_turn, at);
            c_at += kGroups * c_every;
          } while (++c_turn < kSubtileCopies && c_every == 0);
          if (c_turn == kSubtileCopies) {
            c_at -= kGroups * kSubtileCopies * c_every;
            c_turn = 0;
          }
        }
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
        // specialised/fill.cu (with C): beta = 0 never reads C.
        if (beta != 0) {
          // specialised/subtile_c.cu (read): C of a turn is where D will lie.
          wait_for(c_full + kBarrierBytes * (turn % kSubtileCopies), c_turns++ / kSubtileCopies % 2);
          const unsigned from = subtile;
          // specialised/subtile_c.cu (parts): a turn's C in the order of the accumulators, which leave few registers: all loads of a part
          // are on their way before the first store takes the place of what was loaded.
          constexpr int kPartOfC = 4;  // matrices
          Vector<ElemC, 2> from_c[kPartOfC][kStoreRegisters];
          const auto load_part = [&](int first) {
            #pragma unroll
            for (int i = 0; i < kPartOfC; ++i)
              if (first + i < kSubtileStores) load_matrix(from_c[i], subtile_row(from + subtile_thread, first + i));
          };
          // specialised/fill.cu: rows of a subtile by matrix stores, each of what neighbouring lanes hold.
          #pragma unroll
          for (int i = 0; i < kSubtileStores; ++i) {
            const int first = (turn * kSubtileStores + i) * 2 * kStoreRegisters;
            if (i % kPartOfC == 0) load_part(i);
            unsigned pair[kStoreRegisters];
            #pragma unroll
            for (int e = 0; e < 2 * kStoreRegisters; e += 2)
              pair[e / 2] = pair_from_compute(unrounded(acc.elem[out_acc(first + e)], alpha, beta, from_c[i % kPartOfC][e / 2].elem[0]),
                                              unrounded(acc.elem[out_acc(first + e + 1)], alpha, beta, from_c[i % kPartOfC][e / 2].elem[1]));
            store_matrix(subtile_row(subtile + subtile_thread, i), pair);
          }
        } else {
          // specialised/fill.cu: rows of a subtile by matrix stores, each of what neighbouring lanes hold.
          #pragma unroll
          for (int i = 0; i < kSubtileStores; ++i) {
            const int first = (turn * kSubtileStores + i) * 2 * kStoreRegisters;
            unsigned pair[kStoreRegisters];
            #pragma unroll
            for (int e = 0; e < 2 * kStoreRegisters; e += 2)
              pair[e / 2] = pair_from_compute(unrounded(acc.elem[out_acc(first + e)], alpha, 0, ElemC{}),
                                              unrounded(acc.elem[out_acc(first + e + 1)], alpha, 0, ElemC{}));
            store_matrix(subtile_row(subtile + subtile_thread, i), pair);
          }
        }
        hand_to_tma();
        group_barrier(group, kGroupThreads);
        // specialised/subtiles.cu (store): what the subtile holds, box by box.
        if (in_group == 0) {
          #pragma unroll
          for (int box = 0; box < kSubtileBoxes; ++box)
            store_box(map_d, col + box % kSubtileBoxesInner * kSubtileBoxInner, row + box / kSubtileBoxesInner * kSubtileBoxOuter,
                      matrix, subtile + subtile_box(box));
        }
        if (in_group == 0) commit_stores();  // also of nothing: groups are counted by turns
        // specialised/subtile_c.cu (next): C for the turn that this subtile serves next.
        if (turn + kSubtileCopies < kSubtileTurns && beta != 0 && in_group == 0) {
          wait_stores_read<0>();
          load_c(turn + kSubtileCopies, at);
        }
      }
    }
    if (in_group == 0) wait_stores_read<0>();
  }
  // specialised/release.cu (leave): a block's shared memory stays until its neighbours are done with it.
  __syncwarp();
  cluster_barrier();
}

// ---- How it is done ----
// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
__device__ __forceinline__ float to_compute(bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
// convert/f32.cu
__device__ __forceinline__ float to_compute(f32 x) { return x; }

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

// ---- A: where it is copied from, put, and read ----
// box_a: where a box of A begins in its stage; bytes.
//   (1,1,1):(0,0,0)
__device__ __forceinline__ int box_a(int value) {
  return 0;
}
// matrix_a: where a group's matrices of A begin; bytes.
//   thread 2:8192   value 4:32
__device__ __forceinline__ int matrix_a_base(int thread) {
  return thread * 8192;
}
__device__ __forceinline__ int matrix_a(int base, int value) {
  return base + value * 32;
}

// ---- B: likewise ----
// box_b: where a box of B begins in its stage; bytes.
//   (2,1,1):(16384,0,0)
__device__ __forceinline__ int box_b(int value) {
  return (value % 2) * 16384;
}
// matrix_b: where a group's matrices of B begin; bytes.
//   thread 2:0   value 4:32
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
// epilogue/unrounded.cu: alpha*acc + beta*c; what is stored rounds it, two elements at a time.
__device__ __forceinline__ Compute unrounded(Accum acc, Compute alpha, Compute beta, const ElemC& c) {
  Compute sum = __fmul_rn(alpha, acc);
  if (beta != 0) sum = __fmaf_rn(beta, to_compute(c), sum);
  return sum;
}

// mma/wgmma.cu: SM90_64x256x16_F32BF16BF16_SS; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say. What begins anew is said by -1: of a 0 compilers would make the
// register of an accumulator that is 0, and so read it behind the fence.
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds ? 1 : -1};
  asm volatile("{ .reg .pred scale_d; setp.gt.s32 scale_d, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, "
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
      "%88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, "
      "%104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, "
      "%120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, scale_d, 1, 1, 0, 0; }"
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
        "+f"(d_reg[88]), "+f"(d_reg[89]), "+f"(d_reg[90]), "+f"(d_reg[91]), "+f"(d_reg[92]), "+f"(d_reg[93]), "+f"(d_reg[94]), "+f"(d_reg[95]),
        "+f"(d_reg[96]), "+f"(d_reg[97]), "+f"(d_reg[98]), "+f"(d_reg[99]), "+f"(d_reg[100]), "+f"(d_reg[101]), "+f"(d_reg[102]), "+f"(d_reg[103]),
        "+f"(d_reg[104]), "+f"(d_reg[105]), "+f"(d_reg[106]), "+f"(d_reg[107]), "+f"(d_reg[108]), "+f"(d_reg[109]), "+f"(d_reg[110]), "+f"(d_reg[111]),
        "+f"(d_reg[112]), "+f"(d_reg[113]), "+f"(d_reg[114]), "+f"(d_reg[115]), "+f"(d_reg[116]), "+f"(d_reg[117]), "+f"(d_reg[118]), "+f"(d_reg[119]),
        "+f"(d_reg[120]), "+f"(d_reg[121]), "+f"(d_reg[122]), "+f"(d_reg[123]), "+f"(d_reg[124]), "+f"(d_reg[125]), "+f"(d_reg[126]), "+f"(d_reg[127])
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
//   thread 2:64   value 4:0
__device__ __forceinline__ int subtile_m_base(int thread) {
  return thread * 64;
}
__device__ __forceinline__ int subtile_m(int value) {
  return 0;
}
// subtile_n: its first column.
//   thread 2:0   value 4:64
__device__ __forceinline__ int subtile_n_base(int thread) {
  return 0;
}
__device__ __forceinline__ int subtile_n(int value) {
  return value * 64;
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
// specialised/subtile_c.cu (matrix): SM75_U32x4_LDSM_N; rows of 16 bytes, `row` is the lane's own.
__device__ __forceinline__ void load_matrix(Vector<ElemC, 2>* part, unsigned row) {
  const unsigned src_reg[] = {row};
  unsigned dst_reg[4];
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(dst_reg[0]), "=r"(dst_reg[1]), "=r"(dst_reg[2]), "=r"(dst_reg[3])
      : "r"(src_reg[0])
      : "memory");
  #pragma unroll
  for (int i = 0; i < 4; ++i) part[i].word = dst_reg[i];
}
