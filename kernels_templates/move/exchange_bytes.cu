// move/exchange_bytes.cu: sixteen chunks of sixteen bytes each, rows for columns, by permutes of four bytes by four.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_four_${x}(unsigned* out, unsigned first, unsigned second, unsigned third, unsigned fourth) {
  const unsigned low = __byte_perm(first, second, 0x5140), high = __byte_perm(first, second, 0x7362);
  const unsigned low_behind = __byte_perm(third, fourth, 0x5140), high_behind = __byte_perm(third, fourth, 0x7362);
  out[0] = __byte_perm(low, low_behind, 0x5410);
  out[4] = __byte_perm(low, low_behind, 0x7632);
  out[8] = __byte_perm(high, high_behind, 0x5410);
  out[12] = __byte_perm(high, high_behind, 0x7632);
}
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  #pragma unroll
  for (int four = 0; four < 4; ++four) {
    const uint4 *const row = rows + 4 * four;
    exchange_four_${x}(out + four, row[0].x, row[1].x, row[2].x, row[3].x);
    exchange_four_${x}(out + 16 + four, row[0].y, row[1].y, row[2].y, row[3].y);
    exchange_four_${x}(out + 32 + four, row[0].z, row[1].z, row[2].z, row[3].z);
    exchange_four_${x}(out + 48 + four, row[0].w, row[1].w, row[2].w, row[3].w);
  }
}
