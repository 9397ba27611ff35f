// prelude/tma.cu: boxes of a tensor map, moved behind the program's back (sm_90). Coordinates count
// elements: the contiguous dimension, the other, the matrix of the batch.
//   gives: type TensorMap
//   gives: void prefetch_map(const TensorMap&)
struct alignas(64) TensorMap { unsigned char bytes[128]; };
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// prelude/tma.cu (load): a box for this block; the barrier `full` counts its bytes.
//   needs: type TensorMap
//   gives: void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   fills: coordinates = int inner, int outer, int matrix
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, ${coordinates}, unsigned full) {
  $[instruction]
}

// prelude/tma.cu (multicast): the same box for every block of the cluster whose bit is set in `blocks`,
// at the same place in the shared memory of each, counted by the same barrier of each.
//   needs: type TensorMap
//   gives: void load_box_for(unsigned, const TensorMap&, int, int, int, unsigned, unsigned)
//   fills: coordinates = int inner, int outer, int matrix
__device__ __forceinline__ void load_box_for(unsigned target, const TensorMap& map, ${coordinates}, unsigned full, unsigned blocks) {
  $[instruction]
}

// prelude/tma.cu (once): boxes that no other block reads; their lines leave the L2 cache first.
//   needs: type TensorMap
//   gives: void load_box_once(unsigned, const TensorMap&, int, int, int, unsigned, unsigned long long)
//   fills: coordinates = int inner, int outer, int matrix
__device__ __forceinline__ void load_box_once(unsigned target, const TensorMap& map, ${coordinates}, unsigned full, unsigned long long policy) {
  $[instruction]
}

// prelude/tma.cu (policy): what a box that is read once asks of the L2 cache.
//   gives: unsigned long long evict_first()
__device__ __forceinline__ unsigned long long evict_first() {
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

// prelude/tma.cu (prefetch): a box on its way to the L2 cache alone.
//   needs: type TensorMap
//   gives: void prefetch_box(const TensorMap&, int, int, int)
//   fills: coordinates = int inner, int outer, int matrix
__device__ __forceinline__ void prefetch_box(const TensorMap& map, ${coordinates}) {
  $[instruction]
}

// prelude/tma.cu (store): a box from shared to global memory.
//   needs: type TensorMap
//   gives: void store_box(const TensorMap&, int, int, int, unsigned)
//   fills: coordinates = int inner, int outer, int matrix
__device__ __forceinline__ void store_box(const TensorMap& map, ${coordinates}, unsigned source) {
  $[instruction]
}

// prelude/tma.cu (stores): a thread's own stores, counted in groups.
//   gives: void commit_stores(), wait_stores_read<>()
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Of all groups but the newest, shared memory has been read.
template <int kNewest>
__device__ __forceinline__ void wait_stores_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory"); }

// prelude/tma.cu (order): what this thread has read and written in shared memory it has done before TMA does
// what is asked for from now on.
//   gives: void hand_to_tma()
__device__ __forceinline__ void hand_to_tma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// prelude/tma.cu (replace): a map in shared memory becomes that of another matrix: whose lines, so many elements long, lie so many
// bytes apart (sm_90a).
//   gives: void replace_map(unsigned, const void*, int, int, long long)
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
//   needs: type TensorMap
//   gives: void copy_map(TensorMap&, const TensorMap&), publish_map(TensorMap&, const TensorMap&)
__device__ __forceinline__ void copy_map(TensorMap& to, const TensorMap& from) {
  #pragma unroll
  for (int i = 0; i < sizeof(TensorMap) / sizeof(uint4); ++i) reinterpret_cast<uint4*>(&to)[i] = reinterpret_cast<const uint4*>(&from)[i];
}
__device__ __forceinline__ void publish_map(TensorMap& to, const TensorMap& from) {
  copy_map(to, from);
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&to) : "memory");
}

// prelude/tma.cu (left out): rows of a tile that lie past the edge, as far as they are left out of stages.
//   gives: int rows_left_out<>(int, int)
template <int kTile, int kUnit>
__device__ __forceinline__ int rows_left_out(int tile, int extent) {
  return min(max((tile + 1) * kTile - extent, 0), kTile) / kUnit * kUnit;
}

// prelude/tma.cu (left out of any): likewise, of tiles that have as many rows as a launch says.
//   gives: int rows_left_out_of<>(int, int, int)
template <int kUnit>
__device__ __forceinline__ int rows_left_out_of(int rows, int tile, int extent) {
  return min(max((tile + 1) * rows - extent, 0), rows) / kUnit * kUnit;
}

// prelude/tma.cu (elected): one thread of a whole warp, always the same (sm_90). What it alone does the compiler then knows to be
// done once: behind a comparison of thread numbers it writes each TMA instruction as a loop over the warp's lanes.
//   gives: bool elected()
__device__ __forceinline__ bool elected() {
  unsigned chosen;
  asm volatile("{ .reg .pred leads; elect.sync _|leads, 0xffffffff; selp.b32 %0, 1, 0, leads; }" : "=r"(chosen));
  return chosen != 0;
}
