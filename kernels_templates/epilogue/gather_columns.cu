// epilogue/gather_columns.cu: sums of ${name} along the columns of the tile; every warp leaves its part of each.
//   needs: Compute gathered${place}[]; Compute* partials${place}; int kLanes${place}, kParts${place}, kSlots${place}, kTileN
//   needs: int gatherer, matrix, tile_m, tile_n, tiles_along_m, tiles_along_n; type Sum; Number over_lanes<>(Number, Combine)
//   needs: int line_of${place}(int), line_part${place}(int), ${base}(int)
//   fills: name = r; place = 2; base = out_n_base
{
  const long long part = static_cast<long long>(matrix * tiles_along_m + tile_m) * kParts${place} + line_part${place}(gatherer);
  Compute* const target = partials${place} + (part * tiles_along_n + tile_n) * kTileN + ${base}(gatherer);
  #pragma unroll
  for (int slot = 0; slot < kSlots${place}; ++slot) {
    const Compute sum = over_lanes<kLanes${place}>(gathered${place}[slot], Sum());
    if ((gatherer & kLanes${place}) == 0) target[line_of${place}(slot)] = sum;
  }
}
