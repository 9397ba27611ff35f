// kernel/raster.cu: blocks that run together cover a compact group of tiles, so that they share
// rows of A and columns of B in the L2 cache.
//   needs: int kRasterGroup, kTileM, kTileN; int m, n
//   gives: int matrix, tile_m, tile_n
const int tiles_m = (m + kTileM - 1) / kTileM;
const int tiles_n = (n + kTileN - 1) / kTileN;
const int matrix = static_cast<int>(blockIdx.x) / (tiles_m * tiles_n);
const int tile = static_cast<int>(blockIdx.x) % (tiles_m * tiles_n);
const int group = tile / (kRasterGroup * tiles_n);
const int group_rows = min(kRasterGroup, tiles_m - group * kRasterGroup);
const int in_group = tile % (kRasterGroup * tiles_n);
const int tile_m = group * kRasterGroup + in_group % group_rows;
const int tile_n = in_group / group_rows;
