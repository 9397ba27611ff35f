// specialised/no_walk.cu: one tile comes to this block.
//   needs: int cluster_rank()
//   gives: int cluster_step, clusters, first_cluster, rank
const int rank = cluster_rank(), clusters = 1, first_cluster = 0, cluster_step = 1;
