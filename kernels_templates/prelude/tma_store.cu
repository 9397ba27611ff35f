// prelude/tma_store.cu: boxes from shared to global memory; a thread's own stores, counted in groups.
//   needs: type TensorMap
//   gives: void store_box(const TensorMap&, int, int, int, unsigned), commit_stores(), wait_stores_read<>(), show_to_tma()
__device__ __forceinline__ void store_box(const TensorMap& map, int inner, int outer, int matrix, unsigned source) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];"
               ::"l"(&map), "r"(inner), "r"(outer), "r"(matrix), "r"(source) : "memory");
}
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Of all groups but the newest, shared memory has been read.
template <int kNewest>
__device__ __forceinline__ void wait_stores_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kNewest) : "memory"); }
// What this thread has written to shared memory, TMA may now read.
__device__ __forceinline__ void show_to_tma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
