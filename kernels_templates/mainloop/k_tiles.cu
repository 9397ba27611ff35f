// mainloop/k_tiles.cu: how many k-tiles there are, and where this thread finds its fragments in stage 0.
//   needs: int kSmemABytes, kTileK; int k, thread; unsigned char* smem; int read_a_base(int), read_b_base(int)
//   gives: int a_read, b_read, k_tiles; unsigned char* smem_a, smem_b
//   fills: k_tiles = const int k_tiles = (k + kTileK - 1) / kTileK;
unsigned char *const smem_a = smem, *const smem_b = smem + kSmemABytes;
$[k_tiles]
const int a_read = read_a_base(thread), b_read = read_b_base(thread);

// mainloop/k_tiles.cu (addresses): stage 0 of A and of B, as copies and matrix loads name them.
//   needs: unsigned char* smem_a, smem_b; unsigned shared_address(const void*)
//   gives: unsigned shared_a, shared_b
const unsigned shared_a = shared_address(smem_a), shared_b = shared_address(smem_b);
