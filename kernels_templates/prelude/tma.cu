// prelude/tma.cu: boxes of a tensor map, moved behind the program's back (sm_90). Coordinates count
// elements: the contiguous dimension, the other, the matrix of the batch.
//   gives: type TensorMap
//   gives: void prefetch_map(const TensorMap&), load_box(unsigned, const TensorMap&, int, int, int, unsigned)
struct alignas(64) TensorMap { unsigned char bytes[128]; };
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ __forceinline__ void load_box(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
               ::"r"(target), "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(full) : "memory");
}
