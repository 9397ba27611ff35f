// specialised/slabs_in_stages.cu: slabs lie where stages were; no group reads one any more.
//   needs: int kConsumerWarps, kGroups; void group_barrier(int, int)
group_barrier(kGroups, 32 * kConsumerWarps);
