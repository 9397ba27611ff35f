// epilogue/c.cu (source by rows): where this thread's part of D starts in C, contiguous along N.
//   needs: type ElemC; const ElemC* c; int matrix, out_col, out_row; long long batch_stride_c, ldc
//   gives: const ElemC* c_thread
const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_row) * ldc + out_col;

// epilogue/c.cu (source by columns): where this thread's part of D starts in C, contiguous along M.
//   needs: type ElemC; const ElemC* c; int matrix, out_col, out_row; long long batch_stride_c, ldc
//   gives: const ElemC* c_thread
const ElemC* const c_thread = c + matrix * batch_stride_c + static_cast<long long>(out_col) * ldc + out_row;

// epilogue/c.cu (read by rows): what the next vectors of D take from C, contiguous along N${unless}.
//   needs: type ElemC, Vector<>; ${factor}const ElemC* c_thread; int kInElems, kInFlight, kOutElems; int first
//   needs: long long ldc; int out_m(int), out_n(int); Vec load_vector<>(const Elem*, int)
//   gives: int col, i, row
//   fills: unless = ; when = if (beta != 0); factor = Compute beta;; left = kInElems
ElemC from_c[kInFlight][kOutElems];
${when}{
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
    $[edge]
    #pragma unroll
    for (int begin = 0; begin < kOutElems; begin += kInElems) {
      const Vector<ElemC, kInElems> in =
          load_vector<Vector<ElemC, kInElems>>(c_thread + (row * ldc + col + begin), ${left});
      #pragma unroll
      for (int e = 0; e < kInElems; ++e) from_c[turn][begin + e] = in.elem[e];
    }
  }
}

// epilogue/c.cu (read by columns): what the next vectors of D take from C, contiguous along M${unless}.
//   needs: type ElemC; ${factor}const ElemC* c_thread; int kInFlight, kOutElems; int first; long long ldc
//   needs: int out_m(int), out_n(int)
//   gives: int col, i, row
//   fills: unless = ; when = if (beta != 0); factor = Compute beta;; left = kOutElems
ElemC from_c[kInFlight][kOutElems];
${when}{
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
    $[edge]
    #pragma unroll
    for (int e = 0; e < kOutElems; ++e) from_c[turn][e] = e < ${left} ? c_thread[(col + e) * ldc + row] : ElemC{};
  }
}

// epilogue/c.cu (read by view): what the next vectors of D take from C, where its View has it${unless}.
//   needs: type ElemC, Vector<>; ${factor}const ElemC* c; int kInElems, kInFlight, kOutElems; int first, matrix, out_col, out_row
//   needs: int out_m(int), out_n(int); Vec load_vector<>(const Elem*, int); long long element_c(unsigned, unsigned, unsigned)
//   gives: int col, i, row
//   fills: unless = ; when = if (beta != 0); factor = Compute beta;; left = kInElems; place = out_row + row, out_col + col + begin
ElemC from_c[kInFlight][kOutElems];
${when}{
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
    $[edge]
    #pragma unroll
    for (int begin = 0; begin < kOutElems; begin += kInElems) {
      const Vector<ElemC, kInElems> in =
          load_vector<Vector<ElemC, kInElems>>(c + element_c(${place}, matrix), ${left});
      #pragma unroll
      for (int e = 0; e < kInElems; ++e) from_c[turn][begin + e] = in.elem[e];
    }
  }
}

// epilogue/c.cu (staged): what the next vectors of D take from C; zeros past the edge${unless}.
//   needs: type ElemC, Vector<>; ${factor}const ElemC* c_thread; int kInElems, kInFlight, kOutElems; int first
//   needs: long long ldc; int row_m(int), row_n(int)
//   gives: int col, i, row
//   fills: unless = ; when = if (beta != 0); factor = Compute beta;; place = row * ldc + col + e; edge = const bool whole = true;; if_whole = if (whole)
ElemC from_c[kInFlight][kOutElems];
${when}{
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
    $[edge]
    #pragma unroll
    for (int e = 0; e < kOutElems; e += kInElems) {
      Vector<ElemC, kInElems> in = {};
      ${if_whole}in.word = *reinterpret_cast<const decltype(in.word)*>(c_thread + (${place}));
      #pragma unroll
      for (int one = 0; one < kInElems; ++one) from_c[turn][e + one] = in.elem[one];
    }
  }
}
