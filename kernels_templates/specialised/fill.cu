// specialised/fill.cu: rows of a subtile by matrix stores, each of what neighbouring lanes hold.
//   needs: int kSubtileStores, kStoreRegisters; int subtile_thread, turn; unsigned subtile; int subtile_row(int, int)
//   needs: unsigned pair_from_compute(float, float); void store_matrix(unsigned, const unsigned*)
//   gives: int first, i
//   fills: left = 1.f; right = 2.f
#pragma unroll
for (int i = 0; i < kSubtileStores; ++i) {
  const int first = (turn * kSubtileStores + i) * 2 * kStoreRegisters;
  $[read_c]
  unsigned pair[kStoreRegisters];
  #pragma unroll
  for (int e = 0; e < 2 * kStoreRegisters; e += 2)
    pair[e / 2] = pair_from_compute(${left},
                                    ${right});
  store_matrix(subtile_row(subtile + subtile_thread, i), pair);
}

// specialised/fill.cu (words): elements of 32 bits, by pairs of neighbours.
//   needs: type ElemD; int kSubtileStores, kStoreRegisters; int subtile_thread, turn; unsigned subtile; int subtile_row(int, int)
//   needs: void store_words(unsigned, const ElemD*)
//   gives: int first, i
//   fills: left = 1; right = 2
#pragma unroll
for (int i = 0; i < kSubtileStores; ++i) {
  const int first = (turn * kSubtileStores + i) * 2 * kStoreRegisters;
  $[read_c]
  ElemD word[2 * kStoreRegisters];
  #pragma unroll
  for (int e = 0; e < 2 * kStoreRegisters; e += 2) {
    word[e] = ${left};
    word[e + 1] = ${right};
  }
  store_words(subtile_row(subtile + subtile_thread, i), word);
}

// specialised/fill.cu (with C): beta = 0 never reads C.
//   needs: Compute beta
if (beta != 0) {
  $[with_c]
} else {
  $[without]
}

// specialised/fill.cu (store): ${atom}; rows of 16 bytes, `row` is the lane's own.
//   gives: void store_matrix(unsigned, const unsigned*)
//   fills: atom = SM90_U32x4_STSM_N
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  $[instruction]
}

// specialised/fill.cu (store pair): two neighbours of 8 bits, for no matrix store has them side by side; `row` is where they lie.
//   gives: void store_matrix(unsigned, const unsigned*)
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* pair) {
  asm volatile("st.shared.b16 [%0], %1;" ::"r"(row), "h"(static_cast<unsigned short>(*pair)) : "memory");
}

// specialised/fill.cu (store words): two neighbours of 32 bits; `row` is where they lie.
//   needs: type ElemD
//   gives: void store_words(unsigned, const ElemD*)
__device__ __forceinline__ void store_words(unsigned row, const ElemD* word) {
  const unsigned* const bits = reinterpret_cast<const unsigned*>(word);
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(row), "r"(bits[0]), "r"(bits[1]) : "memory");
}
