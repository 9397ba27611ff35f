// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
//   gives: type Place
struct Place { int tile_m, tile_n, matrix; };

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

// specialised/place.cu (grid): the tile of a block, by its place in the grid.
//   needs: type Place
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n}), static_cast<int>(blockIdx.z)};
}

// specialised/place.cu (slice): the tile of a block, by its place in the grid; blocks of other slices have it too.
//   needs: type Place; int kSlices
//   gives: Place place_of(int, int, int, int)
//   fills: m = x; n = y
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.${m}), static_cast<int>(blockIdx.${n}),
          static_cast<int>(blockIdx.z) / kSlices};
}

// specialised/place.cu (width): likewise where the launch says how many columns a tile has, and what else follows from them:
// in other kernels these are constants. Tiles of the same rows run side by side, where what they share of A comes sooner.
//   needs: type Place; int kOffsetA, kRasterGroup, kRowBytesB, kStageBytesA, kTileM; int stages, tiles_n, width
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
//   gives: int kBoxOuterB, kFullBytes, kOffsetB, kStageBytesB, kStages, kTileN
const int kTileN = width, kBoxOuterB = width, kStages = stages, kStageBytesB = width * kRowBytesB;
const int kOffsetB = kOffsetA + kStages * kStageBytesA, kFullBytes = kStageBytesA + kStageBytesB;
const auto clusters_of = [&](int m, int n, int batch) {
  return (m + kTileM - 1) / kTileM * tiles_n * batch;
};
const auto place_of = [&](int tile, int rank, int m, int n) -> Place {
  const int tiles_m = (m + kTileM - 1) / kTileM;
  const int matrix = tile < tiles_m * tiles_n ? 0 : tile / (tiles_m * tiles_n), in_matrix = tile - matrix * (tiles_m * tiles_n);
  const int group = in_matrix / (kRasterGroup * tiles_m), in_group = in_matrix % (kRasterGroup * tiles_m);
  const int group_columns = min(kRasterGroup, tiles_n - group * kRasterGroup);
  return {in_group / group_columns, group * kRasterGroup + in_group % group_columns, matrix};
};
