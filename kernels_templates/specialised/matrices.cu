// specialised/matrices.cu: descriptors of this group's matrices in stage 0.
//   needs: int kOffsetA, kOffsetB; int member; unsigned shared; unsigned long long kMatrixA, kMatrixB
//   needs: int matrix_a_base(int), matrix_b_base(int)
//   gives: unsigned long long a_matrix, b_matrix
const unsigned long long a_matrix = kMatrixA | ((shared + kOffsetA + matrix_a_base(member)) & 0x3ffff) / 16;
const unsigned long long b_matrix = kMatrixB | ((shared + kOffsetB + matrix_b_base(member)) & 0x3ffff) / 16;
