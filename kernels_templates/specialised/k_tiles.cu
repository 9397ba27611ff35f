// specialised/k_tiles.cu (all): the k-tiles of a tile of D.
//   needs: int kTileK; int k
//   gives: int k_tiles
const int k_tiles = (k + kTileK - 1) / kTileK;

// specialised/k_tiles.cu (slice): the k-tiles of this block's slice.
//   needs: int kSplitK, kTileK; int k
//   gives: int first_k_tile, k_tiles, slice
const int slice = static_cast<int>(blockIdx.z) % kSplitK;
const long long all_k_tiles = (k + kTileK - 1) / kTileK;
const int first_k_tile = static_cast<int>(all_k_tiles * slice / kSplitK);
const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / kSplitK) - first_k_tile;

// specialised/k_tiles.cu (some): likewise, where some tiles are whole.
//   needs: int kTileK; int k, slice, split_k
//   gives: int first_k_tile, k_tiles
const long long all_k_tiles = (k + kTileK - 1) / kTileK;
const int first_k_tile = static_cast<int>(all_k_tiles * slice / split_k);
const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / split_k) - first_k_tile;

// specialised/k_tiles.cu (launched): the k-tiles of this block's slice, of which there are as many as the grid is deep.
//   needs: int kTileK; int k
//   gives: int first_k_tile, k_tiles, slice, split_k
const int slice = blockIdx.z, split_k = gridDim.z;
int first_k_tile = 0, k_tiles = (k + kTileK - 1) / kTileK;
if (split_k > 1) {
  const int each = k_tiles / split_k, more = k_tiles % split_k;  // slices that have one more
  first_k_tile = each * slice + min(slice, more);
  k_tiles = each + (slice < more ? 1 : 0);
}
