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

// prelude/pipe.cu (skip): passes over the stages of k-tiles that are not this one's.
//   needs: type Pipe; int kStages
//   gives: void skip(Pipe&, int)
__device__ __forceinline__ void skip(Pipe& pipe, int k_tiles) {
  const int stages = pipe.stage + k_tiles;
  pipe.parity ^= stages / kStages % 2;
  pipe.stage = stages % kStages;
}

// prelude/pipe.cu (launched): likewise, of as many stages as a launch says.
//   gives: type Pipe; void skip(Pipe&, int)
struct Pipe {
  int stage, parity, stages;
  __device__ __forceinline__ void next() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};
__device__ __forceinline__ void skip(Pipe& pipe, int k_tiles) {
  const int rounds = k_tiles / pipe.stages;  // every time the same
  pipe.stage += k_tiles - rounds * pipe.stages;
  pipe.parity ^= rounds & 1;
  if (pipe.stage < pipe.stages) return;
  pipe.stage -= pipe.stages;
  pipe.parity ^= 1;
}
