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
//   needs: int batch, cluster, cluster_step, clusters, m, matrix, n, rank; unsigned gathered_tiles; type Place; Place place_of(int, int, int, int)
++gathered_tiles;
if (cluster + cluster_step >= clusters || (batch > 1 && place_of(cluster + cluster_step, rank, m, n).matrix != matrix)) {
  $[end]
  gathered_tiles = 0;
}

// epilogue/gather_end.cu (add): a warp's share of what all warps found of ${name}.
//   needs: type Gathered; Gathered* partials${place}; int kDrainWarps; int gatherer; long long matrix_place, tile_values
//   needs: type Sum; Number over_lanes<>(Number, Combine)
//   gives: Gathered share${place}
//   fills: name = a; place = 2; combine = Sum
Gathered share${place} = 0;
#pragma unroll 16
for (long long i = gatherer; i < tile_values; i += 32 * kDrainWarps)
  share${place} = ${combine}()(share${place}, partials${place}[matrix_place + i]);
share${place} = over_lanes<31>(share${place}, ${combine}());
if (gatherer % 32 == 0) partials${place}[matrix_place + tile_values + gatherer / 32] = share${place};

// epilogue/gather_end.cu (lines): the block that ends a line of tiles adds the parts of its lines.
//   needs: int gatherer, matrix, tile_${along}, tiles_along_m, tiles_along_n; unsigned* lines${place}
//   needs: bool ends_matrix(unsigned*, unsigned, unsigned)
//   fills: barrier = __syncthreads(); any = __syncthreads_or(; place = 2; along = m; across = n
${barrier};
if (${any}gatherer == 0 && ends_matrix(lines${place} + matrix * tiles_along_${along} + tile_${along}, 1, tiles_along_${across}))) {
  $[add]
}

// epilogue/gather_end.cu (lines_add): the parts of each line of ${name}, in the order of the tiles.
//   needs: type Gathered; Gathered* partials${place}; int kDrainWarps, kParts${place}, kTile${Along}
//   needs: int gatherer, matrix, tile_${along}, tiles_along_m, tiles_along_n, ${along}
//   needs: type ElemOut${place}, ${combine}; ElemOut${place}* out${place}; long long batch_stride_out${place}
//   needs: void from_compute(Gathered, ElemOut${place}*)
//   fills: name = r; place = 2; along = m; across = n; Along = M; combine = Sum
for (int in_tile = gatherer; in_tile < kTile${Along} && tile_${along} * kTile${Along} + in_tile < ${along}; in_tile += 32 * kDrainWarps) {
  const int line = tile_${along} * kTile${Along} + in_tile;
  const Gathered* const parts_of_line = partials${place} + static_cast<long long>(matrix) * tiles_along_${across} * kParts${place} * tiles_along_${along} * kTile${Along} + line;
  Gathered whole = 0;
  #pragma unroll 32
  for (int part = 0; part < tiles_along_${across} * kParts${place}; ++part)
    whole = ${combine}()(whole, parts_of_line[static_cast<long long>(part) * tiles_along_${along} * kTile${Along}]);
  from_compute(whole, out${place} + matrix * batch_stride_out${place} + line);
}

// epilogue/gather_end.cu (take): ${name} of the matrix is what all warps have raised it to.
//   needs: type Gathered; Gathered* partials${place}; int gatherer, matrix; long long batch_stride_out${place}
//   needs: type ElemOut${place}; ElemOut${place}* out${place}; void from_compute(Gathered, ElemOut${place}*); Number taken<>(Number*)
//   fills: name = a; place = 2
if (gatherer == 0) from_compute(taken(partials${place} + matrix), out${place} + matrix * batch_stride_out${place});

// epilogue/gather_end.cu (store): ${name} of the matrix, by one thread.
//   needs: type Gathered; Gathered* partials${place}; int kDrainWarps; int gatherer, matrix; long long batch_stride_out${place}, matrix_place, tile_values
//   needs: type ElemOut${place}, Sum; ElemOut${place}* out${place}; void from_compute(Gathered, ElemOut${place}*)
//   fills: name = a; place = 2; combine = Sum
if (gatherer == 0) {
  Gathered whole = 0;
  #pragma unroll
  for (int share = 0; share < kDrainWarps; ++share)
    whole = ${combine}()(whole, partials${place}[matrix_place + tile_values + share]);
  from_compute(whole, out${place} + matrix * batch_stride_out${place});
}
