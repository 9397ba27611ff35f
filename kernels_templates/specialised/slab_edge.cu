// specialised/slab_edge.cu: where N ends inside 16 bytes, TMA would write on to their end: such a slab is
// stored by threads, a row each.
//   needs: type ElemD, Vector<>; ElemD* d; bool by_rows; int kGroupThreads, kOutElems, kSlabColumns, kSlabRows
//   needs: int col, group, in_group, m, matrix, n, row; long long batch_stride_d, ldd; unsigned shared, slab
//   needs: unsigned char* smem; int edge_row(int, int), edge_row_base(int)
//   needs: void group_barrier(int, int), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
by_rows = n % kOutElems != 0 && col + kSlabColumns > n;
if (by_rows) {
  if (in_group < kSlabRows && row + in_group < m) {
    ElemD* const d_row = d + matrix * batch_stride_d + (row + in_group) * ldd + col;
    #pragma unroll 1
    for (int first = 0; first < n - col; first += kOutElems) {
      Vector<ElemD, kOutElems> piece;
      piece.word = *reinterpret_cast<const uint4*>(smem + (slab - shared) + edge_row(edge_row_base(in_group), first));
      put_vector(d_row + first, piece, n - col - first);
    }
  }
  group_barrier(group, kGroupThreads);
}
