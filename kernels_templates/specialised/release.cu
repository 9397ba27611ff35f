// specialised/release.cu (block): a group says that it has read a stage.
//   needs: int kBarrierBytes
//   needs: int in_group; unsigned free; void arrive(unsigned)
//   gives: void release_stage(int)
const auto release_stage = [&](int stage) {
  if (in_group == 0) arrive(free + kBarrierBytes * stage);
};

// specialised/release.cu (cluster): a group says to each block of the cluster that it has read a stage.
//   needs: int kBarrierBytes
//   needs: int kClusterBlocks; int in_group; unsigned free; unsigned in_block(unsigned, int)
//   needs: void arrive_in_cluster(unsigned)
//   gives: void release_stage(int)
const unsigned free_there = in_block(free, in_group < kClusterBlocks ? in_group : 0);
const auto release_stage = [&](int stage) {
  if (in_group < kClusterBlocks) arrive_in_cluster(free_there + kBarrierBytes * stage);
};

// specialised/release.cu (launched): likewise, or to its own block where the launch has no clusters.
//   needs: int kBarrierBytes
//   needs: int in_group, kClusterBlocks; unsigned free; unsigned in_block(unsigned, int)
//   needs: void arrive(unsigned), arrive_in_cluster(unsigned)
//   gives: void release_stage(int)
const unsigned free_there = in_block(free, in_group < kClusterBlocks ? in_group : 0);
const auto release_stage = [&](int stage) {
  if (in_group >= kClusterBlocks) return;
  if (kClusterBlocks == 1)
    arrive(free + kBarrierBytes * stage);
  else
    arrive_in_cluster(free_there + kBarrierBytes * stage);
};

// specialised/release.cu (leave): a block's shared memory stays until its neighbours are done with it.
//   needs: void cluster_barrier()
__syncwarp();
cluster_barrier();

// specialised/release.cu (leave, launched): likewise, where a launch has clusters.
//   needs: int kClusterBlocks; void cluster_barrier()
if (kClusterBlocks > 1) {
  __syncwarp();
  cluster_barrier();
}

// specialised/release.cu (warp): each warp says that it has read a stage.
//   needs: int kBarrierBytes
//   needs: int in_group; unsigned free; void arrive(unsigned)
//   gives: void release_stage(int)
const auto release_stage = [&](int stage) {
  __syncwarp();
  if (in_group % 32 == 0) arrive(free + kBarrierBytes * stage);
};

// specialised/release.cu (warp, cluster): likewise to each block of the cluster.
//   needs: int kBarrierBytes
//   needs: int kClusterBlocks; int in_group; unsigned free; unsigned in_block(unsigned, int)
//   needs: void arrive_in_cluster(unsigned)
//   gives: void release_stage(int)
const unsigned free_there = in_block(free, in_group % 32 < kClusterBlocks ? in_group % 32 : 0);
const auto release_stage = [&](int stage) {
  __syncwarp();
  if (in_group % 32 < kClusterBlocks) arrive_in_cluster(free_there + kBarrierBytes * stage);
};
