// prelude/tma_multicast.cu: the same box for every block of the cluster whose bit is set in `blocks`,
// at the same place in the shared memory of each, counted by the same barrier of each.
//   needs: type TensorMap
//   gives: void load_box_for(unsigned, const TensorMap&, int, int, int, unsigned, unsigned)
__device__ __forceinline__ void load_box_for(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full, unsigned blocks) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
               ::"r"(target), "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(full), "h"(static_cast<unsigned short>(blocks)) : "memory");
}
