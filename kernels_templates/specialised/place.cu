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

// specialised/place.cu (own tile): in a grid of several rows of clusters each block has one tile, by its place.
//   needs: type Place; int kClusterBlocks, kClusterM, kClusterN, kTileN
//   gives: Place own_tile(int, int)
__device__ __forceinline__ Place own_tile(int rank, int n) {
  const int rows = (n + kClusterN * kTileN - 1) / (kClusterN * kTileN), row = blockIdx.y;
  const int matrix = row < rows ? 0 : row / rows;
  return {static_cast<int>(blockIdx.x) / kClusterBlocks * kClusterM + rank % kClusterM,
          (row - matrix * rows) * kClusterN + rank / kClusterM, matrix};
}

// specialised/place.cu (walk): blocks that run together cover a compact group of tiles, so that they share
// rows of A and columns of B in the L2 cache; those of a cluster lie side by side.
//   needs: type Place; int kClusterM, kClusterN, kRasterGroup, kTileM, kTileN
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
__device__ __forceinline__ int clusters_of(int m, int n, int batch) {
  return (m + kClusterM * kTileM - 1) / (kClusterM * kTileM) * ((n + kClusterN * kTileN - 1) / (kClusterN * kTileN)) * batch;
}
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  const int clusters_m = (m + kClusterM * kTileM - 1) / (kClusterM * kTileM);
  const int clusters_n = (n + kClusterN * kTileN - 1) / (kClusterN * kTileN);
  $[own_tile]
  const int matrix = cluster / (clusters_m * clusters_n), in_matrix = cluster % (clusters_m * clusters_n);
  const int group = in_matrix / (kRasterGroup * clusters_n), in_group = in_matrix % (kRasterGroup * clusters_n);
  const int group_rows = min(kRasterGroup, clusters_m - group * kRasterGroup);
  return {(group * kRasterGroup + in_group % group_rows) * kClusterM + rank % kClusterM,
          in_group / group_rows * kClusterN + rank / kClusterM, matrix};
}

// specialised/place.cu (grid): the tile of a block, by its place in the grid; blocks of other slices have it too.
//   needs: type Place
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y; slices =
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n}), static_cast<int>(blockIdx.z)${slices}};
}

// specialised/place.cu (grid, grouped): likewise, in groups, unless there are more tiles than a block's number may count.
//   needs: type Place, TileInGroups; int kRasterGroup; TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y; slices =
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  constexpr unsigned kMostRows = 0xffff;
  TileInGroups tile{static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n})};
  if (gridDim.x <= kMostRows) tile = in_groups(blockIdx.x + gridDim.x * blockIdx.y, gridDim.x, gridDim.y, kRasterGroup);
  return {tile.row, tile.column, static_cast<int>(blockIdx.z)${slices}};
}

// specialised/place.cu (width): likewise where the launch says how many columns a tile has, and what else follows from them:
// in other kernels these are constants. Tiles of the same rows run side by side, where what they share of A comes sooner;
// of a launch in which each block has one tile, those of blocks that begin one after the other lie together.
//   needs: type Place, TileInGroups; int kOffsetA, kRasterGroup, kRowBytesB, kStageBytesA, kTileM; int batch, m, stages, tiles_n, width
//   needs: TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned)
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
//   gives: int kBoxOuterB, kFullBytes, kOffsetB, kStageBytesB, kStages, kTileN
const int kTileN = width, kBoxOuterB = width, kStages = stages, kStageBytesB = width * kRowBytesB;
const int kOffsetB = kOffsetA + kStages * kStageBytesA, kFullBytes = kStageBytesA + kStageBytesB;
const auto clusters_of = [&](int m, int n, int batch) {
  return (m + kTileM - 1) / kTileM * tiles_n * batch;
};
const int raster = clusters_of(m, 0, batch) > gridDim.x ? kRasterGroup : tiles_n < 8 ? tiles_n : 4;
const auto place_of = [&](int tile, int rank, int m, int n) -> Place {
  const int tiles_m = (m + kTileM - 1) / kTileM;
  const int matrix = tile < tiles_m * tiles_n ? 0 : tile / (tiles_m * tiles_n), in_matrix = tile - matrix * (tiles_m * tiles_n);
  const TileInGroups place = in_groups(in_matrix, tiles_n, tiles_m, raster);
  return {place.column, place.row, matrix};
};
