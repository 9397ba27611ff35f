// specialised/slab_wait.cu: of the slab's last contents, TMA has read all.
if (in_group == 0) wait_stores_read<kSlabCopies - 1>();
group_barrier(group, kGroupThreads);
