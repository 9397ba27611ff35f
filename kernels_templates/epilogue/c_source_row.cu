// epilogue/c_source_row.cu: where this thread's part of D starts in C, contiguous along N.
//   needs: type ElemC; const ElemC* c; int matrix, out_col, out_row; long long batch_stride_c, ldc
//   gives: const ElemC* c_thread
const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_row) * ldc + out_col;
