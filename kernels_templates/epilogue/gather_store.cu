// epilogue/gather_store.cu: ${name} of the matrix, by one thread.
//   needs: Compute* partials${place}; int kDrainWarps; int gatherer, matrix; long long batch_stride_out${place}, matrix_place, tile_values
//   needs: type ElemOut${place}, Sum; ElemOut${place}* out${place}; void from_compute(Compute, ElemOut${place}*)
//   fills: name = a; place = 2; combine = Sum
if (gatherer == 0) {
  Compute whole = 0;
  #pragma unroll 1
  for (int share = 0; share < kDrainWarps; ++share)
    whole = ${combine}()(whole, partials${place}[matrix_place + tile_values + share]);
  from_compute(whole, out${place} + matrix * batch_stride_out${place});
}
