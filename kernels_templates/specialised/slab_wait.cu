// specialised/slab_wait.cu: of the slab's last contents, TMA has read all.
//   needs: int kGroupThreads, kSlabCopies; int group, in_group; void group_barrier(int, int), wait_stores_read<>()
if (in_group == 0) wait_stores_read<kSlabCopies - 1>();
group_barrier(group, kGroupThreads);
