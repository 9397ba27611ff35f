// specialised/walk.cu: how many tiles there are for clusters, and which come to this block.
const int clusters = clusters_of(m, n, batch);
const int first_cluster = blockIdx.x / kClusterBlocks, cluster_step = gridDim.x / kClusterBlocks;
