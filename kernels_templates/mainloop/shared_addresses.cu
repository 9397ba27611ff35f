const unsigned shared_a = shared_address(smem_a), shared_b = shared_address(smem_b);
