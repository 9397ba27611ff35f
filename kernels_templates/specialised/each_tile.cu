// specialised/each_tile.cu: the tiles of a block, cluster by cluster; open for what is done with each.
#pragma unroll 1
for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
  const Place at = place_of(cluster, rank, m, n);
