// specialised/team_tiles.cu: the tiles of a team, every other one of the block; open for what is done with each.
#pragma unroll 1
for (int cluster = first_cluster + team * cluster_step; cluster < clusters; cluster += kTeams * cluster_step) {
  const Place at = place_of(cluster, rank, m, n);
