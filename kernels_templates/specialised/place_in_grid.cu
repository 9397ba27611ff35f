// specialised/place_in_grid.cu: the tile of a block, by its place in the grid.
//   needs: type Place
//   gives: Place place_of(int, int, int, int)
__device__ __forceinline__ Place place_of(int cluster, int rank, int m, int n) {
  return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)};
}
