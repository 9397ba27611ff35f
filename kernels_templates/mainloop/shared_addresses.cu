// mainloop/shared_addresses.cu: stage 0 of A and of B, as copies and matrix loads name them.
//   needs: unsigned char* smem_a, smem_b; unsigned shared_address(const void*)
//   gives: unsigned shared_a, shared_b
const unsigned shared_a = shared_address(smem_a), shared_b = shared_address(smem_b);
