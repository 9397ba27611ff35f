// epilogue/c_source_col.cu: where this thread's part of D starts in C, contiguous along M.
//   needs: type ElemC; const ElemC* c; int matrix, out_col, out_row; long long batch_stride_c, ldc
//   gives: const ElemC* c_thread
const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_col) * ldc + out_row;
