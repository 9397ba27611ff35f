// mainloop/multistage.cu: kStages - 1 tiles are on their way while one is multiplied; fragments of
// the next k-step are read while this one is multiplied, also across the edge of a stage.
//   needs: type FragmentA, FragmentB; int kKSteps, kReadsA, kReadsB, kRepeatN, kStageBytesA, kStageBytesB, kStages, kTileK
//   needs: int k, thread; int read_a_base(int), read_b_base(int), store_a_base(int), store_b_base(int)
//   needs: void commit_copies(), wait_copies<>()
//   gives: int a_read, b_read, j, k_step, k_tiles, next_step, read_stage; unsigned a_target, b_target
//   fills: shared = const unsigned shared_a = 0, shared_b = 0;
const int k_tiles = (k + kTileK - 1) / kTileK;
$[shared]
const int a_read = read_a_base(thread), b_read = read_b_base(thread);
unsigned a_target = shared_a + store_a_base(thread), b_target = shared_b + store_b_base(thread);
FragmentA a_frag[2];
FragmentB b_frag[2];
// Fill all stages but one. Where there is no tile left a group is closed all the same: counting
// groups then counts stages.
#pragma unroll 1
for (int ahead = 0; ahead < kStages - 1; ++ahead) {
  if (ahead < k_tiles) {
    $[copy_a]
    $[copy_b]
  }
  commit_copies();
  a_target += kStageBytesA;
  b_target += kStageBytesB;
}
wait_copies<kStages - 2>();
__syncthreads();
// The fragments of the very first k-step: those of each later one are read a step ahead.
if (k_tiles > 0) {
  $[read_first]
}
int read_stage = 0, write_stage = kStages - 1;
// Reads and copies stand between the products that they hide behind: reads behind the rows of the
// first half of a k-step, the copies of A in the middle of the first, those of B of the second. With
// reads before the first products the assembler would look for that order itself, for three times as
// long.
constexpr int kCopyStepB = kKSteps > 2 ? 1 : 0;
constexpr int kReadRows = (kRepeatN + 1) / 2;
constexpr int kRowReadsA = (kReadsA + kReadRows - 1) / kReadRows;
constexpr int kRowReadsB = (kReadsB + kReadRows - 1) / kReadRows;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  const bool copies = k_tile + kStages - 1 < k_tiles;
  #pragma unroll
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    if (k_step == kKSteps - 1) {
      // The one barrier of a k-tile: the next stage has landed for every thread, and every thread
      // has read all of this one, which may then be written again.
      commit_copies();
      write_stage = write_stage + 1 == kStages ? 0 : write_stage + 1;
      a_target += write_stage == 0 ? (1 - kStages) * kStageBytesA : kStageBytesA;
      b_target += write_stage == 0 ? (1 - kStages) * kStageBytesB : kStageBytesB;
      wait_copies<kStages - 2>();
      __syncthreads();
      // Behind the last tile its first fragments are read once more, and not used.
      if (k_tile + 1 < k_tiles) read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
    }
    const int next_step = (k_step + 1) % kKSteps;
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) {
      $[multiply_row]
      $[read_next]
      if (k_step == 0 && j == kRepeatN / 2 && copies) {
        $[copy_a]
      }
      if (k_step == kCopyStepB && j == kRepeatN / 2 && copies) {
        $[copy_b]
      }
    }
  }
}
// The epilogue may use the stages: nothing is on its way to them, nobody reads them.
wait_copies<0>();
__syncthreads();
