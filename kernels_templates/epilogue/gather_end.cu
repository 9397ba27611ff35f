// epilogue/gather_end.cu: the block that ends a matrix puts together what all warps found, in the order of
// the tiles.
//   needs: int gatherer, matrix, tiles_along_m, tiles_along_n; unsigned* gathered; bool ends_matrix(unsigned*, unsigned, unsigned)
//   fills: barrier = __syncthreads(); any = __syncthreads_or(; tiles = 1
${barrier};
if (${any}gatherer == 0 && ends_matrix(gathered + matrix, ${tiles}, tiles_along_m * tiles_along_n))) {
  $[add]
  ${barrier};
  $[store]
}

// epilogue/gather_end.cu (tiles): tiles of a matrix that this block has drained and not counted yet.
//   gives: unsigned gathered_tiles
unsigned gathered_tiles = 0;

// epilogue/gather_end.cu (walk): a block says what it did of a matrix when it goes on to another.
//   needs: int cluster, cluster_step, clusters, m, matrix, n, rank; unsigned gathered_tiles; type Place; Place place_of(int, int, int, int)
++gathered_tiles;
if (cluster + cluster_step >= clusters || place_of(cluster + cluster_step, rank, m, n).matrix != matrix) {
  $[end]
  gathered_tiles = 0;
}

// epilogue/gather_end.cu (add): a warp's share of what all warps found of ${name}.
//   needs: Compute* partials${place}; int kDrainWarps; int gatherer; long long matrix_place, tile_values
//   needs: type Sum; Number over_lanes<>(Number, Combine)
//   gives: Compute share${place}
//   fills: name = a; place = 2; combine = Sum
Compute share${place} = 0;
#pragma unroll 4
for (long long i = gatherer; i < tile_values; i += 32 * kDrainWarps)
  share${place} = ${combine}()(share${place}, partials${place}[matrix_place + i]);
share${place} = over_lanes<31>(share${place}, ${combine}());
if (gatherer % 32 == 0) partials${place}[matrix_place + tile_values + gatherer / 32] = share${place};

// epilogue/gather_end.cu (rows_add): the parts of each row of ${name}, in the order of the tiles.
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

// epilogue/gather_end.cu (columns_add): the parts of each column of ${name}, in the order of the tiles.
//   needs: Compute* partials${place}; int kDrainWarps, kParts${place}, kTileN; int n, gatherer, matrix, tiles_along_m, tiles_along_n
//   needs: type ElemOut${place}, Sum; ElemOut${place}* out${place}; long long batch_stride_out${place}
//   needs: void from_compute(Compute, ElemOut${place}*)
//   fills: name = r; place = 2
for (int line = gatherer; line < n; line += 32 * kDrainWarps) {
  const Compute* const parts_of_line = partials${place} + static_cast<long long>(matrix) * tiles_along_m * kParts${place} * tiles_along_n * kTileN + line;
  Compute whole = 0;
  #pragma unroll 4
  for (int part = 0; part < tiles_along_m * kParts${place}; ++part)
    whole = Sum()(whole, parts_of_line[static_cast<long long>(part) * tiles_along_n * kTileN]);
  from_compute(whole, out${place} + matrix * batch_stride_out${place} + line);
}

// epilogue/gather_end.cu (store): ${name} of the matrix, by one thread.
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
