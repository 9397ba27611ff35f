// specialised/slab_c.cu: what a matrix store takes from C; zeros past the edge.
//   needs: type ElemC, Vector<>; const ElemC* c_matrix; int kInElems, kStoreRegisters; int c_col, c_row, first, m, n
//   needs: long long ldc; Vec load_vector<>(const Elem*, int); int out_m(int), out_n(int)
//   gives: ElemC from_c[]
//   fills: place = row * ldc + col
ElemC from_c[2 * kStoreRegisters];
#pragma unroll
for (int e = 0; e < 2 * kStoreRegisters; e += kInElems) {
  const int row = c_row + out_m(first + e), col = c_col + out_n(first + e);
  const Vector<ElemC, kInElems> in = load_vector<Vector<ElemC, kInElems>>(c_matrix + (${place}), row < m ? n - col : 0);
  #pragma unroll
  for (int one = 0; one < kInElems; ++one) from_c[e + one] = in.elem[one];
}
