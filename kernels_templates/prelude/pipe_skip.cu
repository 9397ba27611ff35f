__device__ __forceinline__ void skip(int k_tiles) {
  stage += k_tiles;
  parity ^= stage / kStages % 2;
  stage %= kStages;
}
