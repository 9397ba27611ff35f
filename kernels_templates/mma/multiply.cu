// mma/multiply.cu (row): the products with column j; along M back and forth, so that one operand stays put.
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

// mma/multiply.cu (stage): every k-step of a stage: fragments are read, then multiplied.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatN
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
//   gives: void multiply(int)
//   fills: unrolled = 2; of_a = stage; of_b = stage; sums = acc
const auto multiply = [&](int stage) {
  $[begin]
  #pragma unroll${unrolled}
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    FragmentA a_frag;
    FragmentB b_frag;
    feed_a(a_frag, ${of_a}, k_step, 0, kReadsA);
    feed_b(b_frag, ${of_b}, k_step, 0, kReadsB);
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) multiply_row(${sums}, a_frag, b_frag, j);
  }
  $[add]
};

// mma/multiply.cu (terms): the same for each product of terms, the smallest first.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatN
//   needs: int kProducts, kTermBits, kTermMask, kTerms, kTermsOfA, kTermsOfB
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
//   gives: void multiply(int)
//   fills: unrolled = 2
const auto multiply = [&](int stage) {
  #pragma unroll
  for (int product = 0; product < kProducts; ++product) {
    const int copy_of_a = stage * kTerms + (kTermsOfA >> kTermBits * product & kTermMask);
    const int copy_of_b = stage * kTerms + (kTermsOfB >> kTermBits * product & kTermMask);
    #pragma unroll${unrolled}
    for (int k_step = 0; k_step < kKSteps; ++k_step) {
      FragmentA a_frag;
      FragmentB b_frag;
      feed_a(a_frag, copy_of_a, k_step, 0, kReadsA);
      feed_b(b_frag, copy_of_b, k_step, 0, kReadsB);
      #pragma unroll
      for (int j = 0; j < kRepeatN; ++j) multiply_row(acc, a_frag, b_frag, j);
    }
  }
};

// mma/multiply.cu (steps): the same of k-steps that are read together, one behind the other, where one operand lies along K;
// along M back and forth, so that one operand stays put.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatM, kRepeatN, kStepsAtOnce
//   needs: int kAtomRegistersA, kAtomRegistersB, kAtomRegistersC
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
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
    for (int step = 0; step < kStepsAtOnce; ++step)
      #pragma unroll
      for (int j = 0; j < kRepeatN; ++j) {
        #pragma unroll
        for (int turn = 0; turn < kRepeatM; ++turn) {
          const int i = j % 2 == 0 ? turn : kRepeatM - 1 - turn;
          mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a_frag.reg + kAtomRegistersA * (i + kRepeatM * step),
              b_frag.reg + kAtomRegistersB * (j + kRepeatN * step));
        }
      }
  }
};

// mma/multiply.cu (columns): the same of k-steps that are read together, one column behind the other, where neither lies along K.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatM, kRepeatN, kStepsAtOnce
//   needs: int kAtomRegistersA, kAtomRegistersB, kAtomRegistersC
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
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
    for (int j = 0; j < kRepeatN; ++j)
      #pragma unroll
      for (int step = 0; step < kStepsAtOnce; ++step) {
        #pragma unroll
        for (int turn = 0; turn < kRepeatM; ++turn) {
          const int i = (step + j) % 2 == 0 ? turn : kRepeatM - 1 - turn;
          mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a_frag.reg + kAtomRegistersA * (i + kRepeatM * step),
              b_frag.reg + kAtomRegistersB * (j + kRepeatN * step));
        }
      }
  }
};

// mma/multiply.cu (rows): the same of k-steps that are read together, where both lie along K: one read of A takes part in all
// of them. What a read brings fills registers of both banks in turns, so the products of a step read the same one: rows begin
// with one step or the other, and either bank has half of the accumulators.
//   needs: type FragmentA, FragmentB; FragmentC acc; int kKSteps, kReadsA, kReadsB, kRepeatM, kRepeatN, kStepsAtOnce
//   needs: int kAtomRegistersA, kAtomRegistersB, kAtomRegistersC
//   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int)
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   gives: void multiply(int)
//   fills: unrolled = 2
const auto multiply = [&](int stage) {
  #pragma unroll${unrolled}
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    FragmentA a_frag;
    FragmentB b_frag;
    feed_b(b_frag, stage, k_step, 0, kReadsB);
    feed_a(a_frag, stage, k_step, 0, kReadsA);
    #pragma unroll
    for (int i = 0; i < kRepeatM; ++i)
      #pragma unroll
      for (int turn = 0; turn < kStepsAtOnce; ++turn) {
        #pragma unroll
        for (int j = 0; j < kRepeatN; ++j) {
          const int step = turn ^ i % 2;
          mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a_frag.reg + kAtomRegistersA * (i + kRepeatM * step),
              b_frag.reg + kAtomRegistersB * (j + kRepeatN * step));
        }
      }
  }
};
