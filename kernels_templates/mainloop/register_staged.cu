// mainloop/register_staged.cu: while one stage is multiplied, the next tile travels through
// registers into the other stage.
//   needs: type VectorA, VectorB; int kCopiesA, kCopiesB, kStages, kTileK; int k, thread
//   needs: int read_a_base(int), read_b_base(int), store_a_base(int), store_b_base(int)
//   gives: VectorA a_staged[]; VectorB b_staged[]; int a_read, a_store, b_read, b_store, k_tiles, read_stage, stage
const int k_tiles = (k + kTileK - 1) / kTileK;
$[shared]
VectorA a_staged[kCopiesA];
VectorB b_staged[kCopiesB];
const int a_store = store_a_base(thread), b_store = store_b_base(thread);
const int a_read = read_a_base(thread), b_read = read_b_base(thread);
int stage = 0;
if (k_tiles > 0) {
  $[load]
  $[store]
}
__syncthreads();
#pragma unroll 1
for (int k_tile = 1; k_tile <= k_tiles; ++k_tile) {
  const int read_stage = stage;
  if (k_tile < k_tiles) {
    $[load]
  }
  $[multiply]
  if (k_tile < k_tiles) {
    stage = stage + 1 == kStages ? 0 : stage + 1;
    $[store]
  }
  __syncthreads();
}
