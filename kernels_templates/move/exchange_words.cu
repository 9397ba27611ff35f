// move/exchange_words.cu: four chunks of four words each, rows for columns.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  #pragma unroll
  for (int row = 0; row < 4; ++row) {
    out[row] = rows[row].x;
    out[4 + row] = rows[row].y;
    out[8 + row] = rows[row].z;
    out[12 + row] = rows[row].w;
  }
}
