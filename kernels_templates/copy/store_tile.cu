// copy/store_tile.cu: the staged tile of ${X} from registers into a stage of shared memory.
//   needs: ${x}_staged, ${x}_store (this thread's base), stage
#pragma unroll
for (int i = 0; i < kCopies${X}; ++i) {
  #pragma unroll
  for (int e = 0; e < kCopyElems${X}; e += kStoreElems${X})
    store_vector<kStoreElems${X}>(
        smem_${x} + stage * kStageBytes${X} + store_${x}(${x}_store, i * kCopyElems${X} + e), ${x}_staged[i].elem + e);
}
