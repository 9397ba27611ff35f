// prelude/pipe.cu: stages in their turn; the parity of a stage's barrier changes every time round.
//   needs: int kStages
//   gives: type Pipe
struct Pipe {
  int stage = 0, parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};
