// specialised/no_walk.cu: one tile comes to this block.
//   gives: int cluster_step, clusters, first_cluster
const int clusters = 1, first_cluster = 0, cluster_step = 1;
