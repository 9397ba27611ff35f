// specialised/slabs_in_stages.cu: slabs lie where stages were; no group reads one any more.
group_barrier(kGroups, 32 * kConsumerWarps);
