// specialised/slab_c_read.cu: C where D will lie, in the order of the accumulators.
Vector<ElemC, 2> from_c[kStoreRegisters];
load_matrix(from_c, slab_row(slab + slab_thread, i));
