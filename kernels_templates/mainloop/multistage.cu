// mainloop/multistage.cu: kStages - 1 tiles are on their way while one is multiplied; fragments of
// the next k-step are read while this one is multiplied, also across the edge of a stage.
//   needs: acc, a_source, b_source   gives: acc = sum over k
const int k_tiles = (k + kTileK - 1) / kTileK;
$[shared]
const int a_store = store_a_base(thread), b_store = store_b_base(thread);
const int a_read = read_a_base(thread), b_read = read_b_base(thread);
FragmentA a_frag[2];
FragmentB b_frag[2];
// Fill all stages but one. Where there is no tile left a group is closed all the same: counting
// groups then counts stages.
#pragma unroll 1
for (int tile = 0; tile < kStages - 1; ++tile) {
  if (tile < k_tiles) {
    $[load_first]
  }
  commit_copies();
}
wait_copies<kStages - 2>();
__syncthreads();
// The fragments of the very first k-step: those of each later one are read a step ahead.
if (k_tiles > 0) {
  $[read_first]
}
int read_stage = 0, write_stage = kStages - 1;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  #pragma unroll
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    if (k_step == kKSteps - 1) {
      // The one barrier of a k-tile: the next stage has landed for every thread, and every thread
      // has read all of this one, which may then be written again.
      wait_copies<kStages - 2>();
      __syncthreads();
      read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
    }
    const int next_step = (k_step + 1) % kKSteps;
    if (next_step > 0 || k_tile + 1 < k_tiles) {
      $[read_next]
    }
    if (k_step == 0) {
      if (k_tile + kStages - 1 < k_tiles) {
        $[load_next]
      }
      commit_copies();
      write_stage = write_stage + 1 == kStages ? 0 : write_stage + 1;
    }
    $[multiply]
  }
}
// The epilogue may use the stages: nothing is on its way to them, nobody reads them.
wait_copies<0>();
__syncthreads();
