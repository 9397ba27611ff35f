// fragment/ldmatrix_read.cu: values of ${X} for one k-step by ${atom}; each lane points
// at one row of 16 bytes.
//   needs: type Fragment${X}; int kReadRegisters${X}; int ${x}_read; unsigned shared_${x}; int read_${x}(int, int)
//   needs: void ldmatrix_${x}(unsigned*, unsigned)
//   fills: atom = SM75_U32x4_LDSM_N; first = 0; end = 2; frag = FragmentA(); stage_offset = + 0; reads_before = 2 +
#pragma unroll
for (int i = ${first}; i < ${end}; ++i)
  ldmatrix_${x}(${frag}.reg + kReadRegisters${X} * i,
             read_${x}(shared_${x}${stage_offset} + ${x}_read, ${reads_before}i));
