// specialised/walk.cu: how many tiles there are for clusters, and which come to this block.
//   needs: int kClusterBlocks; int batch, ${extents}; int cluster_rank(), clusters_of(int, int, int)
//   gives: int cluster_step, clusters, first_cluster, rank
//   fills: extents = m, n
const int clusters = clusters_of(${extents}, batch);
const int rank = cluster_rank(), first_cluster = blockIdx.x / kClusterBlocks, cluster_step = gridDim.x / kClusterBlocks;

// specialised/walk.cu (one tile): one tile comes to this block.
//   needs: int cluster_rank()
//   gives: int cluster_step, clusters, first_cluster, rank
const int rank = cluster_rank(), clusters = 1, first_cluster = 0, cluster_step = 1;
