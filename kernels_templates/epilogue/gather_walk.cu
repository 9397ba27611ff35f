// epilogue/gather_walk.cu: a block says what it did of a matrix when it goes on to another.
//   needs: int cluster, cluster_step, clusters, m, matrix, n, rank; unsigned gathered_tiles; type Place; Place place_of(int, int, int, int)
++gathered_tiles;
if (cluster + cluster_step >= clusters || place_of(cluster + cluster_step, rank, m, n).matrix != matrix) {
  $[end]
  gathered_tiles = 0;
}
