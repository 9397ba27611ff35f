// kernel/raster.cu: the tiles of a matrix, and which of them this block has.
//   needs: int kTileM, kTileN; int m, n
//   gives: int matrix, tile, tiles_m, tiles_n
const int tiles_m = (m + kTileM - 1) / kTileM;
const int tiles_n = (n + kTileN - 1) / kTileN;
const int matrix = static_cast<int>(blockIdx.x) / (tiles_m * tiles_n);
const int tile = static_cast<int>(blockIdx.x) % (tiles_m * tiles_n);

// kernel/raster.cu (whole tiles): likewise, where only tiles behind the first ones are cut into slices, whose blocks lie side by side.
//   needs: int kSplitK, kTileM, kTileN, kWholeTiles; int m, n
//   gives: int behind, ${matrix}, slice, split_k, tile, tiles_m, tiles_n
//   fills: matrix = matrix
const int tiles_m = (m + kTileM - 1) / kTileM;
const int tiles_n = (n + kTileN - 1) / kTileN;
const int behind = static_cast<int>(blockIdx.x) - kWholeTiles;
const int split_k = behind < 0 ? 1 : kSplitK, slice = behind < 0 ? 0 : behind % kSplitK;
const int number = behind < 0 ? static_cast<int>(blockIdx.x) : kWholeTiles + behind / kSplitK;
const int ${matrix} = number / (tiles_m * tiles_n), tile = number % (tiles_m * tiles_n);

// kernel/raster.cu (groups): likewise of problem groups, whose tiles lie one group behind the other. There are more blocks than
// tiles: the grid is made for the bound.
//   needs: int kProblemGroups, kTile${ACROSS}; int ${across}; int* tiles_before; int group_of(const int*, int)
//   gives: int matrix, tile, tiles_m, tiles_n
//   fills: across = n; ACROSS = N; rows = tiles_before[matrix + 1] - first_tile; columns = tiles_across
const int tiles_across = (${across} + kTile${ACROSS} - 1) / kTile${ACROSS}, number = static_cast<int>(blockIdx.x);
if (number >= tiles_before[kProblemGroups] * tiles_across) return;
const int matrix = group_of(tiles_before, number / tiles_across), first_tile = tiles_before[matrix];
const int tile = number - first_tile * tiles_across, tiles_m = ${rows}, tiles_n = ${columns};

// kernel/raster.cu (tile): blocks that run together cover a compact group of tiles, so that they share
// rows of A and columns of B in the L2 cache.
//   needs: int kRasterWidth, tile, tiles_m, tiles_n
//   gives: int tile_m, tile_n
const int group = tile / (kRasterWidth * tiles_n);
const int group_rows = min(kRasterWidth, tiles_m - group * kRasterWidth);
const int in_group = tile % (kRasterWidth * tiles_n);
const int tile_m = group * kRasterWidth + in_group % group_rows;
const int tile_n = in_group / group_rows;

// kernel/raster.cu (origin): where the tile begins.
//   needs: int kTileM, kTileN, tile_m, tile_n
//   gives: int first_m, first_n
const int first_m = tile_m * kTileM, first_n = tile_n * kTileN;
