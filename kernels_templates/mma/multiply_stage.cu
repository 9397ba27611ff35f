// mma/multiply_stage.cu: every k-step of a stage: fragments are read, then multiplied.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatN
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
//   gives: void multiply(int)
//   fills: unrolled = 2
const auto multiply = [&](int stage) {
  #pragma unroll${unrolled}
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    FragmentA a_frag;
    FragmentB b_frag;
    feed_a(a_frag, stage, k_step, 0, kReadsA);
    feed_b(b_frag, stage, k_step, 0, kReadsB);
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) multiply_row(acc, a_frag, b_frag, j);
  }
};
