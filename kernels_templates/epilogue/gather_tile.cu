// epilogue/gather_tile.cu: what a warp found of ${name} in the tile.
//   needs: Compute gathered${place}; Compute* partials${place}; int gatherer; long long tile_place
//   needs: type Sum; Number over_lanes<>(Number, Combine)
//   fills: name = a; place = 2; combine = Sum
gathered${place} = over_lanes<31>(gathered${place}, ${combine}());
if (gatherer % 32 == 0) partials${place}[tile_place + gatherer / 32] = gathered${place};
