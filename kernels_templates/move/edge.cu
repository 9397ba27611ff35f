// move/edge.cu: 16 bytes of ${X} that may not all be its: zeros behind the valid ones.
//   needs: type Elem${X}, Vector<>
//   gives: uint4 edge_${x}(const Elem${X}*, int)
__device__ __forceinline__ uint4 edge_${x}(const Elem${X}* from, int valid) {
  Vector<Elem${X}, 16 / sizeof(Elem${X})> piece;
  #pragma unroll
  for (int e = 0; e < piece.kCount; ++e) piece.elem[e] = e < valid ? from[e] : Elem${X}{};
  return piece.word;
}
