// straight/in_grid.cu: the tile of this block, by its place in the grid.
//   gives: int matrix, tile_m, tile_n
const int tile_m = blockIdx.x, tile_n = blockIdx.y, matrix = blockIdx.z;
