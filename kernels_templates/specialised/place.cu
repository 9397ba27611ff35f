// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
//   gives: type Place; Place known_here(Place)
struct Place { int tile_m, tile_n, matrix; };
// Computed where it is asked for, not where it is first used.
__device__ __forceinline__ Place known_here(Place at) {
  asm volatile("" : "+r"(at.tile_m), "+r"(at.tile_n), "+r"(at.matrix));
  return at;
}

// specialised/place.cu (groups): tiles of neighbouring blocks lie together, in groups of rows of tiles that go from column to
// column: the SMs of a part of the chip, on which blocks begin one after the other, load a row once. A division takes a hundred
// clocks, which few groups need not wait for.
//   gives: type TileInGroups; TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
struct TileInGroups { int row, column; };
__device__ __forceinline__ TileInGroups in_groups(unsigned number, unsigned rows, unsigned columns, unsigned group) {
  constexpr unsigned kFewGroups = 8;
  const unsigned of_group = group * columns;
  unsigned first = number < kFewGroups * of_group ? 0 : number / of_group;
  number -= first * of_group;
  for (; number >= of_group; number -= of_group) ++first;
  first *= group;
  const unsigned group_rows = min(group, rows - first);
  const unsigned column = group_rows == group ? number / group : number / group_rows;
  return {static_cast<int>(first + number - column * group_rows), static_cast<int>(column)};
}

// specialised/place.cu (walk): blocks that run together cover a compact group of tiles, so that they share
// rows of A and columns of B in the L2 cache; those of a cluster lie side by side.
//   needs: type Place; int kClusterM, kClusterN, kRasterWidth, kTileM, kTileN
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
__device__ __forceinline__ int clusters_of(int m, int n, int batch) {
  return (m + kClusterM * kTileM - 1) / (kClusterM * kTileM) * ((n + kClusterN * kTileN - 1) / (kClusterN * kTileN)) * batch;
}
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  const int clusters_m = (m + kClusterM * kTileM - 1) / (kClusterM * kTileM);
  const int clusters_n = (n + kClusterN * kTileN - 1) / (kClusterN * kTileN);
  const int matrix = cluster / (clusters_m * clusters_n), in_matrix = cluster % (clusters_m * clusters_n);
  const int group = in_matrix / (kRasterWidth * clusters_n), in_group = in_matrix % (kRasterWidth * clusters_n);
  const int group_rows = min(kRasterWidth, clusters_m - group * kRasterWidth);
  return {(group * kRasterWidth + in_group % group_rows) * kClusterM + rank % kClusterM,
          in_group / group_rows * kClusterN + rank / kClusterM, matrix};
}

// specialised/place.cu (problem groups): tiles of groups, one group behind the other, of each those of neighbouring blocks
// together: as many as the list says.
//   needs: type Place, TileInGroups; int kProblemGroups, kRasterWidth, kTile${ACROSS}; int ${across}; int* tiles_before
//   needs: TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned); int group_of(const int*, int)
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
//   fills: mn = m; across = n; ACROSS = N; rows = of_group; columns = tiles_across
const int tiles_across = (${across} + kTile${ACROSS} - 1) / kTile${ACROSS};
const auto clusters_of = [&](int, int, int) { return tiles_before[kProblemGroups] * tiles_across; };
const auto place_of = [&](int tile, int, int, int) -> Place {
  const int matrix = group_of(tiles_before, tile / tiles_across), first_tile = tiles_before[matrix];
  const int of_group = tiles_before[matrix + 1] - first_tile;
  const TileInGroups place = in_groups(tile - first_tile * tiles_across, ${rows}, ${columns}, kRasterWidth);
  return {place.row, place.column, matrix};
};

// specialised/place.cu (launched): which tiles come to a block, and where they lie, where the launch says how many blocks a
// cluster has, powers of two by which shifts divide. In a grid of several rows of clusters each block has one tile, by its place.
// The first is found once, ahead of all else; others where a block walks, behind what the first needs.
//   needs: type Place, TileInGroups; int batch, kOffsetA, kRasterWidth, kReaders, kStagesAlignment, kTileM, kTileN, kWholeStageBytesA
//   needs: int log_cluster_m, log_cluster_n, m, n, stages
//   needs: int cluster_rank(); TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: int cluster_step, clusters, first_cluster, kClusterBlocks, kClusterM, kFreeArrivals, kOffsetB, kStages, rank
//   gives: Place place_of(int, int, int, int)
const int log_cluster_blocks = log_cluster_m + log_cluster_n, rank = cluster_rank();
const int kClusterM = 1 << log_cluster_m, kClusterN = 1 << log_cluster_n, kClusterBlocks = 1 << log_cluster_blocks;
const int kFreeArrivals = kReaders << log_cluster_blocks, kStages = stages;
const int kOffsetB = (kOffsetA + kStages * kWholeStageBytesA + kStagesAlignment - 1) & -kStagesAlignment;
const int clusters_m = ((m + kTileM - 1) / kTileM + kClusterM - 1) >> log_cluster_m;
const int clusters_n = ((n + kTileN - 1) / kTileN + kClusterN - 1) >> log_cluster_n;
const bool has_own_tile = gridDim.y > 1;
const int clusters = has_own_tile ? 1 : clusters_m * clusters_n * batch;
const int first_cluster = has_own_tile ? 0 : blockIdx.x >> log_cluster_blocks, cluster_step = gridDim.x >> log_cluster_blocks;
const auto tile_of = [&](int row, int column, int matrix) -> Place {
  return {(row << log_cluster_m) + (rank & kClusterM - 1), (column << log_cluster_n) + (rank >> log_cluster_m), matrix};
};
const auto walked = [&](int cluster) {
  const int matrix = cluster < clusters_m * clusters_n ? 0 : cluster / (clusters_m * clusters_n);
  const TileInGroups place = in_groups(cluster - matrix * clusters_m * clusters_n, clusters_m, clusters_n, kRasterWidth);
  return tile_of(place.row, place.column, matrix);
};
const int grid_row = blockIdx.y, grid_matrix = grid_row < clusters_n ? 0 : grid_row / clusters_n;
const Place first_place = has_own_tile ? tile_of(blockIdx.x >> log_cluster_blocks, grid_row - grid_matrix * clusters_n, grid_matrix)
                                       : walked(first_cluster);
const auto place_of = [&](int cluster, int, int, int) {
  return __builtin_expect(cluster == first_cluster, true) ? first_place : walked(cluster);
};

// specialised/place.cu (grid): the tile of a block, by its place in the grid; blocks of other slices have it too.
//   needs: type Place
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y; split_k =
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n}), static_cast<int>(blockIdx.z)${split_k}};
}

// specialised/place.cu (grid, grouped): likewise, in groups, unless there are more tiles than a block's number may count.
//   needs: type Place, TileInGroups; int kRasterWidth; TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y; split_k =
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  constexpr unsigned kMostRows = 0xffff;
  TileInGroups tile{static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n})};
  if (gridDim.x <= kMostRows) tile = in_groups(blockIdx.x + gridDim.x * blockIdx.y, gridDim.x, gridDim.y, kRasterWidth);
  return {tile.row, tile.column, static_cast<int>(blockIdx.z)${split_k}};
}

// specialised/place.cu (behind whole tiles): likewise of a row of blocks, whose tile has its number.
//   needs: type Place, TileInGroups; int kRasterWidth, of_batch, tile, tiles_m, tiles_n
//   needs: TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: Place place_of(int, int, int, int)
const auto place_of = [&](int, int, int, int) -> Place {
  const TileInGroups place = in_groups(tile, tiles_m, tiles_n, kRasterWidth);
  return {place.row, place.column, of_batch};
};

// specialised/place.cu (width): likewise where the launch says how many columns a tile has, and what else follows from them:
// in other kernels these are constants. Tiles of the same rows run side by side, where what they share of A comes sooner;
// of a launch in which each block has one tile, those of blocks that begin one after the other lie together.
//   needs: type Place, TileInGroups; int kOffsetA, kRasterWidth, kRowBytesB, kStageBytesA, kTileM; int batch, m, stages, tiles_n, width
//   needs: TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
//   gives: int kBoxOuterB, kFullBytes, kOffsetB, kStageBytesB, kStages, kTileN
const int kTileN = width, kBoxOuterB = width, kStages = stages, kStageBytesB = width * kRowBytesB;
const int kOffsetB = kOffsetA + kStages * kStageBytesA, kFullBytes = kStageBytesA + kStageBytesB;
const auto clusters_of = [&](int, int, int) {
  return (m + kTileM - 1) / kTileM * tiles_n * batch;
};
const int raster = clusters_of(m, 0, batch) > gridDim.x ? kRasterWidth : tiles_n < 8 ? tiles_n : 4;
const auto place_of = [&](int tile, int, int, int) -> Place {
  const int tiles_m = (m + kTileM - 1) / kTileM;
  const int matrix = tile < tiles_m * tiles_n ? 0 : tile / (tiles_m * tiles_n), in_matrix = tile - matrix * (tiles_m * tiles_n);
  const TileInGroups place = in_groups(in_matrix, tiles_n, tiles_m, raster);
  return {place.column, place.row, matrix};
};
