// mma/multiply_stage.cu: every k-step of a stage: fragments are read, then multiplied.
//   needs: type FragmentA, FragmentB; int kKSteps, kRepeatN
//   gives: FragmentA a_frag; FragmentB b_frag; int j, k_step
//   fills: unrolled = 2
#pragma unroll${unrolled}
for (int k_step = 0; k_step < kKSteps; ++k_step) {
  FragmentA a_frag;
  FragmentB b_frag;
  $[read]
  #pragma unroll
  for (int j = 0; j < kRepeatN; ++j) {
    $[multiply_row]
  }
}
