// specialised/first_tile.cu: the first tile of a block, if it has one.
if (first_cluster < clusters) {
  const Place at = place_of(first_cluster, rank, m, n);
