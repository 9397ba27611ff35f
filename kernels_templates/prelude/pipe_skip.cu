// prelude/pipe_skip.cu: passes over the stages of k-tiles that are not this one's.
//   needs: type Pipe; int kStages
//   gives: void skip(Pipe&, int)
__device__ __forceinline__ void skip(Pipe& pipe, int k_tiles) {
  const int stages = pipe.stage + k_tiles;
  pipe.parity ^= stages / kStages % 2;
  pipe.stage = stages % kStages;
}
