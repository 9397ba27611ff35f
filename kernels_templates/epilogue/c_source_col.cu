const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_col) * ldc + out_row;
