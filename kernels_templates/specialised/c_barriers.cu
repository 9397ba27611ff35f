// specialised/c_barriers.cu: those of slabs that C lands in.
//   needs: int kCFullOffset, kGroups, kSlabCopies; unsigned shared; void init_barrier(unsigned, int)
#pragma unroll 1
for (int slab = 0; slab < kGroups * kSlabCopies; ++slab) init_barrier(shared + kCFullOffset + 8 * slab, 1);
