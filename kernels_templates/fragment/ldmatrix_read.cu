// fragment/ldmatrix_read.cu: one k-step's values of ${X} by ${atom}; each lane
// points at one row of 16 bytes.
#pragma unroll
for (int i = 0; i < kReads${X}; ++i)
  ldmatrix_${x}(${frag}.reg + kReadRegisters${X} * i,
             read_${x}(shared_${x} + ${stage} * kStageBytes${X} + ${x}_read, ${step} * kReads${X} + i));
