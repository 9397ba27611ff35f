// specialised/k_tiles.cu (all): the k-tiles of a tile of D.
//   needs: int kTileK; int k
//   gives: int k_tiles
const int k_tiles = (k + kTileK - 1) / kTileK;

// specialised/k_tiles.cu (slice): the k-tiles of this block's slice.
//   needs: int kSlices, kTileK; int k
//   gives: int first_k_tile, k_tiles, slice
const int slice = static_cast<int>(blockIdx.z) % kSlices;
const long long all_k_tiles = (k + kTileK - 1) / kTileK;
const int first_k_tile = static_cast<int>(all_k_tiles * slice / kSlices);
const int k_tiles = static_cast<int>(all_k_tiles * (slice + 1) / kSlices) - first_k_tile;
