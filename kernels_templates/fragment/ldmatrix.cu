// fragment/ldmatrix.cu: ${atom}; ${count} registers of a fragment of ${X}, `row` is the lane's own.
//   gives: void ldmatrix_${x}(unsigned*, unsigned)
//   fills: atom = SM75_U32x1_LDSM_N; count = 1
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  $[instruction]
}

// fragment/ldmatrix.cu (bytes): ${atom}; ${count} registers of a fragment of ${X}, `row` is the lane's own. It
// transposes pairs of bytes, of two lines each; a register takes four neighbours in K of one line.
//   gives: void ldmatrix_${x}(unsigned*, unsigned)
//   fills: atom = SM75_U16x4_LDSM_T; count = 2
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  unsigned pairs[${count}];
  $[instruction]
  $[permutes]
}

// fragment/ldmatrix.cu (read): the matrix loads `first` up to `end` of a k-step's fragments of ${X}; each lane points
// at one row of 16 bytes.
//   needs: type Fragment${X}; int kReadRegisters${X}, kReads${X}, kStageBytes${X}; int ${x}_read; unsigned shared_${x}
//   needs: int read_${x}(int, int); void ldmatrix_${x}(unsigned*, unsigned)
//   gives: void feed_${x}(Fragment${X}&, int, int, int, int)
const auto feed_${x} = [&](Fragment${X}& fragment, int stage, int k_step, int first, int end) {
  #pragma unroll
  for (int i = first; i < end; ++i)
    ldmatrix_${x}(fragment.reg + kReadRegisters${X} * i,
               read_${x}(shared_${x} + stage * kStageBytes${X} + ${x}_read, k_step * kReads${X} + i));
};
