// mma/multiply_tile.cu: every k-step of a stage; fragments are read, then every pair is multiplied.
//   needs: read_stage   gives: acc += A tile * B tile
#pragma unroll
for (int k_step = 0; k_step < kKSteps; ++k_step) {
  ElemA a_frag[kFragmentA];
  ElemB b_frag[kFragmentB];
  $[read]
  #pragma unroll
  for (int j = 0; j < kRepeatN; ++j) {
    #pragma unroll
    for (int i = 0; i < kRepeatM; ++i)
      mma(acc + kValuesC * (i + kRepeatM * j), a_frag + kValuesA * i, b_frag + kValuesB * j);
  }
}
