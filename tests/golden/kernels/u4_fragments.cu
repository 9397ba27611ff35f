// acc on sm_90a; acc is A*B, alpha 1, beta 0
// planned transposed: A is the problem's B
//   M 4096, N run-time, K 4096; accumulates in f32
//   A (M,K) bf16, K-major, ld 4096; 8 elements an access
//   B (N,K) bf16, K-major, ld run-time; 8 elements an access
//   D (M,N) bf16, col-major, ld run-time; 8 elements an access
//   384 threads (consumer 8 warps of 232 registers, producer 4 warps of 40 registers) compute a tile of (128,128,128): M, N, K of a stage
//   stages 5, slices of K 2
// SM90_64x128x16_F32BF16BF16_RS: atoms (2,1,1):(1,0,0), permutation (_,_,_); (thread,value) of the TiledMma's tile:
//   A (m + M*k)  ((4,8,8),((2,2,2),(1,1))):((256,1,16),((128,8,1024),(0,0)))
//   B (n + N*k)  (256,((128,16),(1,1))):(0,((1,128),(0,0)))
//   D (m + M*n)  ((4,8,8),((2,2,16),(1,1))):((256,1,16),((128,8,1024),(0,0)))
//   shared a from 0, 40960 bytes, aligned to 512, copies 5, main_loop
//   shared b from 40960, 163840 bytes, aligned to 1024, copies 5, main_loop
//   shared subtile from 0, 32768 bytes, aligned to 1024, copies 4, epilogue
//   shared full from 204800, 40 bytes, aligned to 8, copies 5, whole_kernel
//   shared free from 204840, 40 bytes, aligned to 8, copies 5, whole_kernel
//   one copy of a as (m,k) -> element  Sw<2,4,3>o0o(128,(64,1)):(64,(1,8192))
//   one copy of b as (n,k) -> element  Sw<3,3,3>o0o(128,(64,2)):(64,(1,8192))
//   signal full mbarrier x5, 1 arrivals and 40960 bytes in the cluster, producer > consumer
//   signal free mbarrier x5, 16 arrivals and 0 bytes in the cluster, consumer > producer
//   signal stored bulk_group x2, 1 arrivals and 0 bytes in the block, consumer > consumer
//   signal arrived counter x1, 2 arrivals and 0 bytes in the block, consumer > consumer
// Layouts are (shape):(stride), the first mode fastest; Sw<b,m,s> XORs b bits, s places higher,
// onto those from bit m. Below, a function `x_base(thread)` is the part of a layout that a
// thread computes once; `x(base, value)` adds, or XORs, what its unrolled values make constant.
// What memory holds:
//   A: q is u4 (0 to 15, two a byte, the first in its low bits)
//     counts as (q - 8) * scale, rounded to bf16
//     scale: bf16, one for 1 of M by 128 of K
// Lines:
//     41  types
//     76  constants: the tile, the ways of A and B, the accumulators
//    165  what the kernel calls
//    232  the kernel
//    537  conversions, accesses to memory, instructions
//    747  where threads find A
//    776  where threads find B
//    791  how D leaves; the multiplication

// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
struct bf16 { unsigned short bits; };
// convert/f32.cu
typedef float f32;
// convert/u4.cu: the low half of a byte.
struct u4 { unsigned char bits; };
// convert/pairs.cu (half): the 8 elements of 4 bits in a word as the last bits of larger numbers, two neighbours in each of `pairs`:
// 0x4300 | q is 128 + q in bf16, whose last bit of fraction is 1 there. A byte permutation brings bytes i of the word and of the word 4 bits on, elements 2i
//   and 2i + 1, to the two halves.
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
constexpr int kTileK = 128;              // k of one stage
constexpr int kStages = 5;               // k-tiles in shared memory, landed or on their way
constexpr int kConsumerWarps = 8;        // the producer's come after them
constexpr int kGroups = 2;               // groups of consumers
constexpr int kGroupThreads = 128;       // threads that multiply and drain together
constexpr int kClusterM = 1;             // blocks along M that share tiles of B
constexpr int kClusterBlocks = 2;        // blocks of a cluster
constexpr int kFullArrivals = 1;         // of the producer, when it has asked for a stage
constexpr int kFullBytes = 40960;        // of a stage
constexpr int kFreeArrivals = 16;        // of the groups that have read a stage
constexpr int kOffsetA = 0;              // A's stages in shared memory
constexpr int kOffsetB = 40960;          // B's stages
constexpr int kFullOffset = 204800;      // barriers of stages that land
constexpr int kFreeOffset = 204840;      // barriers of stages that are read
constexpr int kSubtileOffset = 0;        // the groups' subtiles
constexpr int kSubtileTurns = 2;         // subtiles that a group drains of a tile
constexpr int kSubtileCopies = 2;        // of a group's subtile
constexpr int kSubtileBytes = 8192;      // from one copy to the next
constexpr int kStoreRegisters = 4;       // registers that a matrix store takes
constexpr int kSubtileStores = 4;        // matrix stores of a warp for a subtile
constexpr int kSubtileBoxes = 1;         // boxes that a subtile is stored as
constexpr int kSubtileBoxesInner = 1;    // of them side by side along what is contiguous
constexpr int kSubtileBoxInner = 64;     // contiguous elements of a box
constexpr int kSubtileBoxOuter = 64;     // rows of a box
constexpr unsigned long long kMatrixB = 1ull << 62 | 64ull << 32 | 1ull << 16;  // B's matrices: swizzle of 128 bytes, patterns 1024 apart, leading 16
constexpr int kRepeatM = 1;              // instructions of a warp along M
constexpr int kRepeatN = 1;              // instructions of a warp along N
// A on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesA = 8192;       // from one stage to the next
constexpr int kBoxesA = 1;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerA = 1;          // of them side by side along what is contiguous
constexpr int kBoxInnerA = 64;           // contiguous elements of a box
constexpr int kBoxOuterA = 64;           // rows of a box
constexpr int kRowBytesA = 64;           // of a row of a stage
constexpr int kOfWord = 8;               // stored elements of a word
constexpr int kPartsOfTile = 4;          // of a k-tile, converted one by one
constexpr int kStepsOfPart = 2;          // instructions along K in a part
constexpr int kRowsOfThread = 2;         // of a tile, in its fragments
constexpr int kWords = 2;                // of a thread's elements in a part
constexpr int kPartRegisters = 8;        // of its fragments
constexpr int kNumbersOfRow = 1;         // blocks that a row has in a k-tile
// B on its way: global memory, a stage, a thread's fragments.
constexpr int kStageBytesB = 32768;      // from one stage to the next
constexpr int kBoxesB = 2;               // boxes that a block asks for in a stage
constexpr int kBoxesInnerB = 2;          // of them side by side along what is contiguous
constexpr int kBoxInnerB = 64;           // contiguous elements of a box
constexpr int kBoxOuterB = 128;          // rows of a box
// The accumulators of a thread.
constexpr int kAccumulators = 64;        // elements of D
constexpr int kAtomRegistersC = 64;      // registers of one instruction
constexpr int kAccumulatorRegisters = 64; // registers of all instructions
typedef float RegisterC;
typedef Fragment<Accum, kAccumulators, RegisterC> FragmentC;
// The way out.
constexpr int kSplitK = 2;               // of K, each a block's
constexpr int kPartElems = 4;            // sums that a thread stores at a time
constexpr int kParts = 16;               // times that it does
constexpr int kConsumerThreads = 256;    // who hold its sums

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
__device__ __forceinline__ float number_at(const bf16* from, long long at);
__device__ __forceinline__ unsigned pair_fma(unsigned x, unsigned factor, unsigned addend);
__device__ __forceinline__ unsigned rounded_pair(float first, float second);
__device__ __forceinline__ void pairs_of_u4(unsigned word, unsigned* pairs);
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
__device__ __forceinline__ unsigned count_arrival(unsigned* counter, unsigned last);
__device__ __forceinline__ bool any_in_group(int group, int threads, bool says);
__device__ __forceinline__ void group_barrier(int group, int threads);
__device__ __forceinline__ unsigned long long matrix_address(unsigned address);
__device__ __forceinline__ void fence_products();
__device__ __forceinline__ void commit_products();
template <int kNewest>
__device__ __forceinline__ void wait_products();
__device__ __forceinline__ void hold(float& accumulator);
__device__ __forceinline__ void hold(unsigned& accumulator);
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
__device__ __forceinline__ int copy_a_mn_base(int thread);
__device__ __forceinline__ int copy_a_mn(int value);
__device__ __forceinline__ int copy_a_k_base(int thread);
__device__ __forceinline__ int read_a_base(int thread);
__device__ __forceinline__ int read_a(int base, int value);
__device__ __forceinline__ int box_b(int value);
__device__ __forceinline__ int matrix_b_base(int thread);
__device__ __forceinline__ int matrix_b(int base, int value);
__device__ __forceinline__ int out_acc(int value);
__device__ __forceinline__ unsigned pair_from_compute(float first, float second);
__device__ __forceinline__ Compute unrounded(Accum acc);
__device__ __forceinline__ void mma(float* c, const unsigned* a, unsigned long long b, int scale_d);
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n);
__device__ __forceinline__ int subtile_row_base(int thread);
__device__ __forceinline__ int subtile_row(int base, int value);
__device__ __forceinline__ int subtile_m_base(int thread);
__device__ __forceinline__ int subtile_m(int value);
__device__ __forceinline__ int subtile_n_base(int thread);
__device__ __forceinline__ int subtile_n(int value);
__device__ __forceinline__ int subtile_box(int value);
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg);

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
jute_sm90a_bf16_128x128x128_s5_1e15b0c7(
    const __grid_constant__ TensorMap map_a,
    const __grid_constant__ TensorMap map_b,
    const __grid_constant__ TensorMap map_d,
    const unsigned char* a_scale,
    long long a_scale_inner,
    long long a_scale_outer,
    long long a_scale_batch_stride,
    unsigned* arrived,
    Vector<Accum, kPartElems>* parts,
    int n
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  // specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
  const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  constexpr int m = 4096;
  constexpr int k = 4096;
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
    const int a_inner = (first_k_tile + k_tile) * kRowBytesA, a_outer = at.tile_m * kTileM + rank / kClusterM * 64;
    #pragma unroll
    for (int box = 0; box < kBoxesA; ++box)
      load_box_for(shared + kOffsetA + stage * kStageBytesA + box_a(rank / kClusterM + 2 * box), map_a,
               a_inner + box % kBoxesInnerA * kBoxInnerA, a_outer + box / kBoxesInnerA * kBoxOuterA, at.matrix, stage_full, 0x3u << rank % kClusterM);
    // specialised/load_stage.cu (boxes): the boxes of B's k-tile, of every term.
    const int b_inner = (first_k_tile + k_tile) * kTileK, b_outer = at.tile_n * kTileN;
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
    // specialised/release.cu (warp, cluster): likewise to each block of the cluster.
    const unsigned free_there = in_block(free, in_group % 32 < kClusterBlocks ? in_group % 32 : 0);
    const auto release_stage = [&](int stage) {
      __syncwarp();
      if (in_group % 32 < kClusterBlocks) arrive_in_cluster(free_there + kBarrierBytes * stage);
    };
    // specialised/ping_pong.cu (one): all groups multiply parts of the same tile.
    const int member = group, worker = thread, my_first = first_cluster, my_step = cluster_step;
    // specialised/fragments.cu (stored places): where this thread finds its words of A in stage 0, and which of their elements are its own.
    const int in_read = copy_a_k_base(worker);
    const unsigned stored_a = shared + kOffsetA + read_a_base(worker);
    const unsigned long long b_matrix = kMatrixB | matrix_address(shared + kOffsetB + matrix_b_base(member));
    // specialised/fragments.cu (words of 4 bits): of each row what one read brings, a byte of which in each of its words is the thread's;
    // those of all four in one word. A selector of j and 4 + j takes byte j of two words, 0x5410 puts two such pairs together.
    const unsigned own_byte = 0x40 + 0x11 * (in_read / 2);
    const auto read_words = [&](int stage, int part, unsigned* words) {
      #pragma unroll
      for (int i = 0; i < kRowsOfThread; ++i) {
        uint4 read;
        read_shared(read, read_a(stored_a + stage * kStageBytesA, 8 * (i / 2 + kRepeatM * kStepsOfPart * part) + 2 * (i % 2)));
        words[i] = __byte_perm(__byte_perm(read.x, read.y, own_byte), __byte_perm(read.z, read.w, own_byte), 0x5410);
      }
    };
    // specialised/subtiles.cu (place): the subtiles of this group, and which part of the tile passes through them.
    const unsigned group_subtile = shared + kSubtileOffset + group * kSubtileCopies * kSubtileBytes;
    const int subtile_thread = subtile_row_base(in_group);
    const int subtile_m_group = subtile_m_base(member), subtile_n_group = subtile_n_base(member);
    #pragma unroll 1
    for (int cluster = my_first; cluster < clusters; cluster += my_step) {
      const Place at = place_of(cluster, rank, m, n);
      const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
      // kernel/raster.cu (origin): where the tile begins.
      const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
      // specialised/fragments.cu (numbers): those of the blocks that a thread's rows have in a k-tile, asked for while the one before it is
      // converted. Rows past the edge, which nobody stores, take the last one's.
      bf16 a_scale_of[kNumbersOfRow * kRowsOfThread], a_scale_next[kNumbersOfRow * kRowsOfThread];
      const auto ask_numbers = [&](int k_tile) {
        #pragma unroll
        for (int number = 0; number < kNumbersOfRow * kRowsOfThread; ++number) {
          const int i = number % kRowsOfThread;
          const unsigned row = min(first_m + copy_a_mn_base(worker) + copy_a_mn(8 * (i / 2) + 2 * (i % 2)), m - 1);
          const unsigned place = (first_k_tile + k_tile) * kTileK + number / kRowsOfThread * (kTileK / kNumbersOfRow);
          a_scale_next[number] = reinterpret_cast<const bf16*>(a_scale)[matrix * a_scale_batch_stride + row * a_scale_outer + place / 128 * a_scale_inner];
        }
      };
      const auto take_numbers = [&] {
        #pragma unroll
        for (int number = 0; number < kNumbersOfRow * kRowsOfThread; ++number) {
          a_scale_of[number] = a_scale_next[number];
        }
      };
      // specialised/fragments.cu (pairs): what is multiplied, two neighbours at a time in the type that is.
      const auto convert = [&](const unsigned* words, int part, unsigned* fragments) {
        constexpr int kStepsOfWord = kOfWord / 4;
        #pragma unroll
        for (int i = 0; i < kRowsOfThread; ++i) {
          // convert/pairs.cu (constants): 1, and what two neighbours are less, in the type that is multiplied.
          const unsigned one = 0x3f803f80, less = 0xc308c308;
          // convert/pairs.cu (factor): the block's scale, for two neighbours.
          const float factor = number_at(&a_scale_of[i + kRowsOfThread * (part * kNumbersOfRow / kPartsOfTile)], 0);
          const unsigned scale = rounded_pair(factor, factor);
          #pragma unroll
          for (int step = 0; step < kStepsOfPart; step += kStepsOfWord) {
            unsigned pairs[kOfWord / 2];
            pairs_of_u4(words[(i * kStepsOfPart + step) / kStepsOfWord], pairs);
            #pragma unroll
            for (int p = 0; p < kOfWord / 2; ++p) {
              unsigned& pair = pairs[p];
              // convert/pairs.cu (less): q - zero as pair * 1 - less: whole numbers that the type holds, and so is what is left. Nothing is rounded.
              pair = pair_fma(pair, one, less);
              // convert/pairs.cu (times): (q - zero) * scale, rounded once; -0 is added, which leaves the sign of a zero.
              pair = pair_fma(pair, scale, 0x80008000);
              fragments[4 * (i / 2 + kRepeatM * (step + p / 2)) + i % 2 + 2 * (p % 2)] = pair;
            }
          }
        }
      };
      // specialised/fragments.cu (multiply): starts the products of a part of a k-tile, added to what there is. What begins anew is said
      // by -1. All that instructions take is computed ahead of the fence: behind it, or of sums of which products run, nobody may write.
      const auto multiply = [&](unsigned* fragments, int stage, int part, bool adds) {
        unsigned long long b[kRepeatN * kStepsOfPart];
        int first = adds ? 1 : -1;
        asm volatile("" : "+r"(first));
        #pragma unroll
        for (int i = 0; i < kRepeatN * kStepsOfPart; ++i) {
          b[i] = b_matrix + stage * (kStageBytesB / kMatrixUnit) + matrix_b(0, i + kRepeatN * kStepsOfPart * part) / kMatrixUnit;
          asm volatile("" : "+l"(b[i]));
        }
        #pragma unroll
        for (int i = 0; i < kPartRegisters; ++i) hold(fragments[i]);
        fence_products();
        #pragma unroll
        for (int step = 0; step < kStepsOfPart; ++step) {
          #pragma unroll
          for (int j = 0; j < kRepeatN; ++j) {
            #pragma unroll
            for (int i = 0; i < kRepeatM; ++i)
              mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), fragments + 4 * (i + kRepeatM * step), b[j + kRepeatN * step], step > 0 ? 1 : first);
          }
        }
        commit_products();
      };
      // specialised/fragments.cu (stored): stages have A as it is stored. Threads read their words of it and make fragments of them, whose
      // products read B from its stages; while these run, the next part of K becomes fragments in other registers, those of the part
      // before. The first part of a k-tile is converted ahead of it; all products are done where one ends: across that the assembler
      // would run them one by one.
      unsigned fragments[2][kPartRegisters];
      const auto begin_tile = [&](int k_tile, const Pipe& turn, unsigned* words) {
        take_numbers();
        ask_numbers(min(k_tile + 1, k_tiles - 1));
        wait_for(full + kBarrierBytes * turn.stage, turn.parity);
        read_words(turn.stage, 0, words);
      };
      if (k_tiles > 0) {
        unsigned words[kWords];
        ask_numbers(0);
        begin_tile(0, pipe, words);
        convert(words, 0, fragments[0]);
      }
      #pragma unroll 1
      for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
        Pipe next = pipe;
        next.next();
        #pragma unroll
        for (int part = 0; part < kPartsOfTile; ++part) {
          unsigned words[kWords];
          if (part + 1 < kPartsOfTile) read_words(pipe.stage, part + 1, words);
          multiply(fragments[part % 2], pipe.stage, part, k_tile > 0 || part > 0);
          if (part + 1 == kPartsOfTile && k_tile + 1 == k_tiles) break;
          if (part + 1 == kPartsOfTile) begin_tile(k_tile + 1, next, words);
          // Only the products of this part may still run.
          wait_products<1>();
          convert(words, (part + 1) % kPartsOfTile, fragments[(part + 1) % 2]);
        }
        wait_products<0>();
        release_stage(pipe.stage);
        pipe = next;
      }
      #pragma unroll
      for (int i = 0; i < kAccumulatorRegisters; ++i) hold(acc.reg[i]);
      // specialised/products.cu (none): without k-tiles sums are zeros.
      if (k_tiles == 0) {
        #pragma unroll
        for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
      }
      if (cluster + cluster_step >= clusters) release_next_kernel();
      // specialised/slices.cu (parts): where the sums of the tile's slices are left.
      const long long met_tile = blockIdx.x + gridDim.x * (blockIdx.y + static_cast<long long>(gridDim.y) * at.matrix);
      Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;
      // specialised/slices.cu (meet): every block of a tile leaves its sums in the workspace, in the order of its registers,
      // and counts. Nobody waits: the one that counts last adds all of them, slice by slice.
      typedef Vector<Accum, kPartElems> Part;
      #pragma unroll
      for (int i = 0; i < kParts; ++i) {
        Part sums;
        #pragma unroll
        for (int e = 0; e < kPartElems; ++e) sums.elem[e] = acc.elem[kPartElems * i + e];
        tile_parts[(slice * kParts + i) * kConsumerThreads].word = sums.word;
      }
      group_barrier(kGroups, kConsumerThreads);
      const bool counts_last = thread == 0 && count_arrival(arrived + met_tile, kSplitK - 1) == kSplitK - 1;
      const bool is_last = any_in_group(kGroups, kConsumerThreads, counts_last);
      if (is_last) {
        // specialised/slices.cu (add): a thread's sums of a slice are all asked for at once, small ones of several slices.
        #pragma unroll (kParts < 16 ? 16 / kParts : 1)
        for (int other = 0; other < kSplitK; ++other) {
          #pragma unroll
          for (int i = 0; i < kParts; ++i) {
            Vector<Accum, kPartElems> sums;
            sums.word = tile_parts[(other * kParts + i) * kConsumerThreads].word;
            #pragma unroll
            for (int e = 0; e < kPartElems; ++e) {
              Accum& sum = acc.elem[kPartElems * i + e];
              sum = other == 0 ? sums.elem[e] : sum + sums.elem[e];
            }
          }
        }
      }
      // specialised/slices.cu (last): D is for the block that holds all sums.
      if (is_last) {
        // specialised/subtiles.cu: a group's accumulators, turn by turn, through a subtile of shared memory that TMA
        // stores; a subtile is written again when TMA has read it.
        // specialised/subtiles.cu (in stages): subtiles lie where stages were; no group reads one any more.
        group_barrier(kGroups, 32 * kConsumerWarps);
        #pragma unroll
        for (int turn = 0; turn < kSubtileTurns; ++turn) {
          const unsigned subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
          const int row = first_m + subtile_m_group + subtile_m(turn), col = first_n + subtile_n_group + subtile_n(turn);
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
          // specialised/subtiles.cu (store): what the subtile holds, box by box.
          if (in_group == 0) {
            #pragma unroll
            for (int box = 0; box < kSubtileBoxes; ++box)
              store_box(map_d, row + box % kSubtileBoxesInner * kSubtileBoxInner, col + box / kSubtileBoxesInner * kSubtileBoxOuter,
                        matrix, subtile + subtile_box(box));
          }
          if (in_group == 0) commit_stores();  // also of nothing: groups are counted by turns
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

// prelude/arrivals.cu: blocks that count each other.
// From 0 to `last`, and anew from 0. Who counts later sees what was written before.
__device__ __forceinline__ unsigned count_arrival(unsigned* counter, unsigned last) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(last) : "memory");
  return before;
}
// A barrier of the group that tells whether one of its threads said yes. A vote says it once more: then compilers know that
// a warp stays together, and keep addresses of the main loop around it in registers that lanes share.
__device__ __forceinline__ bool any_in_group(int group, int threads, bool says) {
  int any;
  asm volatile(
      "{ .reg .pred says, any;\n"
      "setp.ne.s32 says, %3, 0;\n"
      "bar.red.or.pred any, %1, %2, says;\n"
      "selp.s32 %0, 1, 0, any; }" : "=r"(any) : "r"(1 + group), "r"(threads), "r"(static_cast<int>(says)) : "memory");
  return __any_sync(0xffffffff, any != 0) != 0;
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
//   (2,1,1):(4096,0,0)
__device__ __forceinline__ int box_a(int value) {
  return (value % 2) * 4096;
}
// copy_a_mn: m of a thread's fragments.
//   thread (4,8,8):(0,1,16)   value (2,2,16):(0,8,0)
__device__ __forceinline__ int copy_a_mn_base(int thread) {
  return thread / 4 % 8 + (thread / 32) * 16;
}
__device__ __forceinline__ int copy_a_mn(int value) {
  return (value / 2 % 2) * 8;
}
// copy_a_k: k of a thread's fragments.
//   thread (4,64):(2,0)   value (2,2,16):(1,0,8)
__device__ __forceinline__ int copy_a_k_base(int thread) {
  return (thread % 4) * 2;
}
// read_a: where a thread finds its fragments of A; bytes, Sw<2,4,3>, folded.
//   thread (4,8,8):(0,64,1024)   value (2,2,16):(0,512,0) ^ (16,4):(0,16)
__device__ __forceinline__ int read_a_base(int thread) {
  const int x = (thread / 4 % 8) * 64 + (thread / 32) * 1024;
  return x ^ ((x & 0x180) >> 3);
}
__device__ __forceinline__ int read_a(int base, int value) {
  return (base ^ ((value / 16) * 16)) + (value / 2 % 2) * 512;
}

// ---- B: likewise ----
// box_b: where a box of B begins in its stage; bytes.
//   (1,2,1):(0,16384,0)
__device__ __forceinline__ int box_b(int value) {
  return (value % 2) * 16384;
}
// matrix_b: where a group's matrices of B begin; bytes.
//   thread 2:0   value (4,2):(32,16384)
__device__ __forceinline__ int matrix_b_base(int thread) {
  return 0;
}
__device__ __forceinline__ int matrix_b(int base, int value) {
  return base + (value % 4) * 32 + (value / 4) * 16384;
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

// instruction/function.cu: SM90_64x128x16_F32BF16BF16_RS; c += a * b.
__device__ __forceinline__ void mma(float* c, const unsigned* a, unsigned long long b, int scale_d) {
  asm volatile("{ .reg .pred scale_d; setp.gt.s32 scale_d, %69, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, scale_d, 1, 1, "
      "0; }"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
        "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
        "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
        "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
        "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
        "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
        "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d)
      : "memory");
}
// specialised/place.cu (grid): the tile of a block, by its place in the grid; blocks of other slices have it too.
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z) / kSplitK};
}
// subtile_row: the row of a subtile that a lane points at; bytes, Sw<3,4,3>, folded.
//   thread (8,2,2,4):(128,16,1024,32)   value 4:2048 ^ 4:0
__device__ __forceinline__ int subtile_row_base(int thread) {
  const int x = (thread % 8) * 128 + (thread / 8 % 2) * 16 + (thread / 16 % 2) * 1024 + (thread / 32) * 32;
  return x ^ ((x & 0x380) >> 3);
}
__device__ __forceinline__ int subtile_row(int base, int value) {
  return base + value * 2048;
}
// subtile_m: first row of a subtile in the tile, by group and turn.
//   thread 2:64   value 2:0
__device__ __forceinline__ int subtile_m_base(int thread) {
  return thread * 64;
}
__device__ __forceinline__ int subtile_m(int value) {
  return 0;
}
// subtile_n: its first column.
//   thread 2:0   value 2:64
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
// specialised/fill.cu (store): SM90_U16x8_STSM_T; rows of 16 bytes, `row` is the lane's own.
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  asm volatile("stmatrix.sync.aligned.x4.trans.m8n8.shared.b16 [%0], {%1, %2, %3, %4};"
      :
      : "r"(dst_reg[0]), "r"(src_reg[0]), "r"(src_reg[1]), "r"(src_reg[2]), "r"(src_reg[3])
      : "memory");
}
