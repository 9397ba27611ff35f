// prelude/tma_once.cu: boxes that no other block reads; their lines leave the L2 cache first.
//   needs: type TensorMap
//   gives: unsigned long long evict_first()
//   gives: void load_box_once(unsigned, const TensorMap&, int, int, int, unsigned, unsigned long long)
__device__ __forceinline__ unsigned long long evict_first() {
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ void load_box_once(unsigned target, const TensorMap& map, int inner, int outer, int matrix, unsigned full, unsigned long long policy) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6;"
               ::"r"(target), "l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(full), "l"(policy) : "memory");
}
