// epilogue/gather_rows_add.cu: the parts of each row of ${name}, in the order of the tiles.
//   needs: Compute* partials${place}; int kDrainWarps, kParts${place}, kTileM; int m, gatherer, matrix, tiles_along_m, tiles_along_n
//   needs: type ElemOut${place}, Sum; ElemOut${place}* out${place}; long long batch_stride_out${place}
//   needs: void from_compute(Compute, ElemOut${place}*)
//   fills: name = r; place = 2
for (int line = gatherer; line < m; line += 32 * kDrainWarps) {
  const Compute* const parts_of_line = partials${place} + static_cast<long long>(matrix) * tiles_along_n * kParts${place} * tiles_along_m * kTileM + line;
  Compute whole = 0;
  #pragma unroll 4
  for (int part = 0; part < tiles_along_n * kParts${place}; ++part)
    whole = Sum()(whole, parts_of_line[static_cast<long long>(part) * tiles_along_m * kTileM]);
  from_compute(whole, out${place} + matrix * batch_stride_out${place} + line);
}
