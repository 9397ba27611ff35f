// mainloop/stages.cu: kStages - 1 k-tiles are on their way while one is multiplied.
//   needs: int kStageBytesA, kStageBytesB, kStages; int k_tiles, thread; unsigned shared_a, shared_b
//   needs: int store_a_base(int), store_b_base(int)
//   needs: void commit_copies(), load_a(unsigned), load_b(unsigned), wait_copies<>()
//   gives: int read_stage; unsigned a_target, b_target; void fill_stages(), next_stage(bool)
unsigned a_target = shared_a + store_a_base(thread), b_target = shared_b + store_b_base(thread);
int read_stage = 0, write_stage = kStages - 1;
// Fills all stages but one, and waits for the first. Where there is no tile left a group is closed all the
// same: counting groups then counts stages.
const auto fill_stages = [&] {
  #pragma unroll 1
  for (int ahead = 0; ahead < kStages - 1; ++ahead) {
    if (ahead < k_tiles) {
      load_a(a_target);
      load_b(b_target);
    }
    commit_copies();
    a_target += kStageBytesA;
    b_target += kStageBytesB;
  }
  wait_copies<kStages - 2>();
  __syncthreads();
};
// The one barrier of a k-tile: the next stage has landed for every thread, and every thread has read all
// of this one, which may then be written again. Behind the last tile its first fragments are read once
// more, and not used.
const auto next_stage = [&](bool is_one_left) {
  commit_copies();
  write_stage = write_stage + 1 == kStages ? 0 : write_stage + 1;
  a_target += write_stage == 0 ? (1 - kStages) * kStageBytesA : kStageBytesA;
  b_target += write_stage == 0 ? (1 - kStages) * kStageBytesB : kStageBytesB;
  wait_copies<kStages - 2>();
  __syncthreads();
  if (is_one_left) read_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
};

// mainloop/stages.cu (interleave): reads and copies stand between the products that they hide behind: reads behind the
// rows of the first half of a k-step, the copies of A in the middle of the first, those of B of the second.
// With reads before the first products the assembler would look for that order itself, for three times as long.
//   needs: int kKSteps, kReadsA, kReadsB, kRepeatN
//   gives: int kCopyStepB, kRowReadsA, kRowReadsB
constexpr int kCopyStepB = kKSteps > 2 ? 1 : 0;
constexpr int kReadRows = (kRepeatN + 1) / 2;
constexpr int kRowReadsA = (kReadsA + kReadRows - 1) / kReadRows;
constexpr int kRowReadsB = (kReadsB + kReadRows - 1) / kReadRows;

// mainloop/stages.cu (converting): stages have operands as memory has them, and each thread converts what it has copied itself of
// what is not multiplied so, into one of two places. Stages go round, and places take turns.
//   needs: int kStages; void commit_copies()
//   gives: int read_place, read_stage, write_stage; void ask_stage(bool), convert_stage(int), load_stored(int)
//   fills: ask = commit_copies();; load = commit_copies();; put = commit_copies();
int read_stage = 0, write_stage = 0, read_place = 0;
// Where there is no tile left a group is closed all the same: counting groups then counts stages.
const auto ask_stage = [&](bool is_one_left) {
  if (is_one_left) {
    $[ask]
  }
  commit_copies();
  write_stage = write_stage + 1 == kStages ? 0 : write_stage + 1;
};
const auto load_stored = [&](int stage) {
  $[load]
};
const auto convert_stage = [&](int place) {
  $[put]
};
