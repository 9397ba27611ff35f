// specialised/slab_c_read.cu: C where D will lie, in the order of the accumulators.
//   needs: type ElemC, Vector<>; int kStoreRegisters; int i, slab_thread; unsigned slab; int slab_row(int, int)
//   needs: void load_matrix(Vector<ElemC, 2>*, unsigned)
Vector<ElemC, 2> from_c[kStoreRegisters];
load_matrix(from_c, slab_row(slab + slab_thread, i));
