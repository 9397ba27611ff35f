// prelude/pipe_skip.cu: the stages of k-tiles that are not this one's.
__device__ __forceinline__ void skip(int k_tiles) {
  stage += k_tiles;
  parity ^= stage / kStages % 2;
  stage %= kStages;
}
