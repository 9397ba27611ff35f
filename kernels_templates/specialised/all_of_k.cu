// specialised/all_of_k.cu: the k-tiles of a tile of D.
//   needs: int kTileK; int k
//   gives: int k_tiles
const int k_tiles = (k + kTileK - 1) / kTileK;
