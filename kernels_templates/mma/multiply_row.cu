// mma/multiply_row.cu: the products with column j; along M back and forth, so that one operand stays put.
//   needs: type FragmentA, FragmentB, FragmentC; int kAtomRegistersA, kAtomRegistersB, kAtomRegistersC, kRepeatM
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   gives: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
__device__ __forceinline__ void multiply_row(FragmentC& acc, const FragmentA& a, const FragmentB& b, int j) {
  #pragma unroll
  for (int turn = 0; turn < kRepeatM; ++turn) {
    const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
    mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a.reg + kAtomRegistersA * i, b.reg + kAtomRegistersB * j);
  }
}
