// fragment/ldmatrix_read.cu: values of ${X} for one k-step by ${atom}; each lane points
// at one row of 16 bytes.
#pragma unroll
for (int i = ${first}; i < ${end}; ++i)
  ldmatrix_${x}(${frag}.reg + kReadRegisters${X} * i,
             read_${x}(shared_${x}${stage_offset} + ${x}_read, ${reads_before}i));
