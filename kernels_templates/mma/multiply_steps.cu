// mma/multiply_steps.cu: the products with column j, of the k-steps that were read together; along M
// back and forth, so that one operand stays put.
//   needs: type FragmentA, FragmentB, FragmentC
//   needs: int kAtomRegistersA, kAtomRegistersB, kAtomRegistersC, kRepeatM, kRepeatN, kStepsAtOnce
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   gives: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int step = 0; step < kStepsAtOnce; ++step) {
    #pragma unroll
    for (int turn = 0; turn < kRepeatM; ++turn) {
      const int i = (step + j) % 2 == 0 ? turn : kRepeatM - 1 - turn;
      mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * (i + kRepeatM * step),
          b.reg + kAtomRegistersB * (j + kRepeatN * step));
    }
  }
}
