// epilogue/gather_add.cu: a warp's share of what all warps found of ${name}.
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
