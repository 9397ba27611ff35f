// mainloop/interleave.cu: reads and copies stand between the products that they hide behind: reads behind the
// rows of the first half of a k-step, the copies of A in the middle of the first, those of B of the second.
// With reads before the first products the assembler would look for that order itself, for three times as long.
//   needs: int kKSteps, kReadsA, kReadsB, kRepeatN
//   gives: int kCopyStepB, kRowReadsA, kRowReadsB
constexpr int kCopyStepB = kKSteps > 2 ? 1 : 0;
constexpr int kReadRows = (kRepeatN + 1) / 2;
constexpr int kRowReadsA = (kReadsA + kReadRows - 1) / kReadRows;
constexpr int kRowReadsB = (kReadsB + kReadRows - 1) / kReadRows;
