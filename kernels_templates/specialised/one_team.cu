// specialised/one_team.cu: all groups multiply parts of the same tile.
//   needs: int cluster_step, first_cluster, group, thread
//   gives: int member, my_first, my_step, worker
const int member = group, worker = thread, my_first = first_cluster, my_step = cluster_step;
