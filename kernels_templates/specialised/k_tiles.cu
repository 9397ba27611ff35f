// specialised/k_tiles.cu (all): the k-tiles of a tile of D.
//   needs: int kTileK; int k
//   gives: int k_tiles
const int k_tiles = (k + kTileK - 1) / kTileK;

// specialised/k_tiles.cu (most): the k-tiles of a tile of D at most: how many its group has is found with it.
//   needs: int kTileK; int most_k
//   gives: int k_tiles
const int k_tiles = (most_k + kTileK - 1) / kTileK;

// specialised/k_tiles.cu (slice): the k-tiles of this block's slice.
//   needs: int kSlices, kTileK; int k
//   gives: int first_k_tile, k_tiles, slice
const int slice = static_cast<int>(blockIdx.z) % kSlices;
const long long all_k_tiles = (k + kTileK - 1) / kTileK;
const int first_k_tile = static_cast<int>(all_k_tiles * slice / kSlices);
const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / kSlices) - first_k_tile;

// specialised/k_tiles.cu (some): likewise, where some tiles are whole.
//   needs: int kTileK; int k, slice, slices
//   gives: int first_k_tile, k_tiles
const long long all_k_tiles = (k + kTileK - 1) / kTileK;
const int first_k_tile = static_cast<int>(all_k_tiles * slice / slices);
const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / slices) - first_k_tile;

// specialised/k_tiles.cu (launched): the k-tiles of this block's slice, of which there are as many as the grid is deep.
//   needs: int kTileK; int k
//   gives: int first_k_tile, k_tiles, slice, slices
const int slice = blockIdx.z, slices = gridDim.z;
int first_k_tile = 0, k_tiles = (k + kTileK - 1) / kTileK;
if (slices > 1) {
  const int each = k_tiles / slices, more = k_tiles % slices;  // slices that have one more
  first_k_tile = each * slice + min(slice, more);
  k_tiles = each + (slice < more ? 1 : 0);
}
